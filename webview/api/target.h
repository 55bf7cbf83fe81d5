// SPDX-License-Identifier: Apache-2.0
// A target: a database directory or a single file given when the server was started. Handlers
// access it only through its own view of the file system (target_fs.h), where its name is its last
// path component: no report, message or problem shows its full path, and no other file can be
// accessed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/threads/mutex.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/target.h"
#include "varve/db.h"
#include "webview/api/live_engine.h"
#include "webview/api/records.h"
#include "webview/api/routing/answer.h"

namespace varve::api {

// A table in the form that reports need: ReportTable(target.fs(), file.path).
struct TableFile {
  std::string path;
  std::string name;                      // "000123.sst"
  FileNumber number = 0;                 // 0 for a single file without a number in its name.
  const FamilyReport* family = nullptr;  // Null for a single file.
  const FileReport* report = nullptr;    // Likewise.
};

// Thread-safe.
class Target {
 public:
  // Identifies it unless the caller has (`kind`).
  static Result<std::shared_ptr<Target>> Open(FileSystem& fs, const std::string& path,
                                              std::string id, LiveEngine* live,
                                              std::optional<TargetKind> kind);
  ~Target();

  const std::string& id() const { return id_; }
  TargetKind kind() const { return kind_; }
  // Its name in fs(): the path to pass to functions of core/inspect.
  const std::string& path() const { return name_; }
  const std::string& name() const { return name_; }
  FileSystem& fs() const { return *fs_; }
  // For a target that is a file: the number in its name, 0 if there is none.
  FileNumber file_number() const;
  LiveEngine* live() const { return live_; }  // Null if no engine has it open in this process.

  // For databases; read again when the MANIFEST has changed.
  Answer<std::shared_ptr<const LsmReport>> Lsm();

  // Its current records; reopened when the MANIFEST or a log has changed. unsupported_feature if
  // `open` is null.
  Answer<std::shared_ptr<RecordReader>> Records(const RecordOpener& open);

  // The recovery report of its logs, renewed when the MANIFEST or a log has changed. Null if an
  // engine of this process has it open (and recovered it), or if it cannot be determined.
  std::shared_ptr<const RecoveryReport> Recovery();

  // bad_request unless it is of this kind.
  Answer<Done> RequireKind(TargetKind wanted) const;
  // Finds a table by number. `lsm` is null for a target that is a table, which has number 0 as well
  // as the one in its name. Orphans are found, too.
  Answer<TableFile> FindTable(const LsmReport* lsm, std::string_view number) const;

 private:
  Target(std::string id, std::string name, TargetKind kind, std::unique_ptr<FileSystem> fs,
         LiveEngine* live);
  Result<std::string> ManifestStamp() const;
  Result<std::string> RecordsStamp() const;

  const std::string id_, name_;
  const TargetKind kind_;
  const std::unique_ptr<FileSystem> fs_;
  LiveEngine* const live_;

  Mutex mu_;
  std::string stamp_ GUARDED_BY(mu_);
  std::shared_ptr<const LsmReport> lsm_ GUARDED_BY(mu_);
  std::string records_stamp_ GUARDED_BY(mu_);
  std::shared_ptr<RecordReader> records_ GUARDED_BY(mu_);
  std::string recovery_stamp_ GUARDED_BY(mu_);
  std::shared_ptr<const RecoveryReport> recovery_ GUARDED_BY(mu_);
};

}  // namespace varve::api
