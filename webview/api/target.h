// SPDX-License-Identifier: Apache-2.0
// A target: a database directory or a single file that was named when the server started. All that
// handlers read of it goes through its own view of the file system (target_fs.h), in which it is
// called by its last path component: no report, message or problem shows where it lies, and nothing
// beside it can be reached.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/mutex.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/target.h"
#include "varve/db.h"
#include "webview/api/live_engine.h"
#include "webview/api/records.h"
#include "webview/api/routing/answer.h"

namespace varve::api {

// A table as reports are asked for it: ReportTable(target.fs(), file.path).
struct TableFile {
  std::string path;
  std::string name;                      // "000123.sst"
  FileNumber number = 0;                 // 0 for a file on its own whose name holds no number.
  const FamilyReport* family = nullptr;  // Null for a file on its own.
  const FileReport* report = nullptr;    // Likewise.
};

// Thread-safe.
class Target {
 public:
  static Result<std::shared_ptr<Target>> Open(FileSystem& fs, const std::string& path,
                                              std::string id, LiveEngine* live);
  ~Target();

  const std::string& id() const { return id_; }
  TargetKind kind() const { return kind_; }
  // Its name in fs(): what every function of core/inspect is handed.
  const std::string& path() const { return name_; }
  const std::string& name() const { return name_; }
  FileSystem& fs() const { return *fs_; }
  // Of a target that is a file: the number in its name, 0 if it holds none.
  FileNumber file_number() const;
  LiveEngine* live() const { return live_; }  // Null if no engine has it open here.

  // Of a database; read again when its MANIFEST has changed since.
  Answer<std::shared_ptr<const LsmReport>> Lsm();

  // Its records as they are now; opened again when the MANIFEST or a log has changed.
  // unsupported_feature if `open` is null.
  Answer<std::shared_ptr<RecordReader>> Records(const RecordOpener& open);

  // What recovery makes of its logs, looked at again when the MANIFEST or a log has changed. Null if
  // an engine has it open here (it recovered them), or if that cannot be said.
  std::shared_ptr<const RecoveryReport> Recovery();

  // Tables by number. `lsm` is null for a target that is a table, which goes by 0 as well as by the
  // number in its name. An orphan is a table, too.
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
