// SPDX-License-Identifier: Apache-2.0
// What the verifiers share: one report being filled, bounded, with progress.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/format/manifest/file_description.h"
#include "core/inspect/verify/verify.h"
#include "core/version/blob_reader.h"
#include "core/version/column_families.h"
#include "core/wal/log_reader.h"
#include "varve/comparator.h"
#include "varve/db.h"

namespace varve {

class Findings {
 public:
  Findings(VerifyReport* report, const VerifyProgressFn& progress)
      : report_(report), progress_(progress) {}

  // Keeps what kFindingsMax allows. Keys and text are cut (reported_key.h), so that a report's size
  // does not depend on theirs.
  void Add(Finding finding);
  void Error(std::string layer, std::string file, std::optional<uint64_t> offset,
             std::string what) {
    Add({.layer = std::move(layer),
         .file = std::move(file),
         .offset = offset,
         .what = std::move(what)});
  }
  void Warn(std::string layer, std::string file, std::string what) {
    Add({.severity = Finding::Severity::kWarning,
         .layer = std::move(layer),
         .file = std::move(file),
         .what = std::move(what)});
  }
  void NotChecked(std::string layer, std::string file, std::string what) {
    Add({.severity = Finding::Severity::kNotChecked,
         .layer = std::move(layer),
         .file = std::move(file),
         .what = std::move(what)});
  }
  // A failure whose message begins with "name@offset: ": the place goes into the finding's fields.
  void AddFailure(std::string layer, std::string file, const Status& failure,
                  std::optional<std::string> key_from = {}, std::optional<std::string> key_to = {});

  // The same with `part`, which the failure is about, in front of what it says.
  void AddFailureOf(std::string_view part, std::string layer, std::string file,
                    const Status& failure);

  VerifyReport& report() { return *report_; }
  // False: stop.
  bool Continue() { return progress_ == nullptr || progress_({report_->bytes, bytes_total}); }

  uint64_t bytes_total = 0;

 private:
  static Finding FromFailure(std::string layer, std::string file, const Status& failure);

  VerifyReport* report_;
  const VerifyProgressFn& progress_;
  bool full_ = false;
};

// The layer of findings about blob files, and about values that are in one that cannot be read.
inline constexpr std::string_view kBlobLayer = "blob";

inline constexpr std::string_view kNoChecksums =
    "has no checksums: damage to its blocks can go unnoticed";

// What the MANIFEST says about a table, to be held against the table itself.
struct ExpectedTable {
  const FileDescription* description = nullptr;  // Null: a table on its own.
  const Comparator* comparator = nullptr;
  const BlobReader* blobs = nullptr;  // Null: what values in blob files are is not looked at.
  Sequence global_sequence = 0;       // Of an ingested table without a description.
  // Asked when a blob file is missing; may be null. False: the database has let go of the table
  // meanwhile, and of what only the table needs.
  std::function<bool()> still_named = nullptr;
};

// verify_footer.cc. Why a table does not open: the failure itself, and the footer if the blocks
// that it names do not verify (up to format_version 5 nothing else guards it).
void ReportUnopenable(const RandomAccessFile& file, const std::string& name,
                      const ExpectedTable& expected, const Status& failure, Findings* findings);

// verify_wal.cc. `last`: no later log exists, so that the end may be a write cut short.
class WalVerifier {
 public:
  WalVerifier(FileSystem& fs, const std::string& directory, Findings* findings)
      : fs_(fs), directory_(directory), findings_(*findings) {}
  // Logs in ascending order.
  void Verify(FileNumber number, bool last);
  // After the last one: what else an opening would leave out of the logs. `tracked`: the MANIFEST says
  // which there must be.
  void VerifyRecovery(bool tracked);
  // The end of a MANIFEST or WAL was not used. A crash leaves such ends, and a live one is being
  // written.
  void ReportTornTail(const char* layer, const std::string& name, uint64_t from, uint64_t to);

 private:
  bool IsListed(const std::string& name) const;
  void VerifyRecord(const std::string& name, const LogReader& reader);
  bool ReportBadPlace(const std::string& name, const RandomAccessFile& file,
                      const LogReader& reader, FileNumber number, LogReader::Event event,
                      bool last);
  void NoteTransaction(const std::string& name);
  bool IsLost(const std::string& name, uint64_t offset);

  FileSystem& fs_;
  const std::string& directory_;
  Findings& findings_;
  // What an opening makes of the logs, once one that is not the last does not end well.
  std::optional<Result<RecoveryReport>> recovery_;
  uint64_t size_ = 0;           // Of the WAL being read.
  uint64_t data_behind_ = 0;    // Likewise: FindDataBehind's.
  bool transactional_ = false;  // Likewise.
  Sequence next_ = 0;           // After the last record read, of any log; 0: none was.
};

// verify_settings.cc. OPTIONS and IDENTITY: nothing guards their bytes, so each statement that
// others depend on is compared with what the MANIFEST and the tables say.
void VerifyOptionsFile(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                       Findings* findings);
void VerifyIdentity(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                    Findings* findings);

// verify_table.cc. One table, some blocks at a time.
class TableVerification {
 public:
  virtual ~TableVerification() = default;
  virtual bool Step() = 0;  // False: that was all.
};
// NotFound is returned; null: the table does not open, which is a finding. `findings`, and what
// `expected` leads to, stay until the end.
Result<std::unique_ptr<TableVerification>> BeginTableVerification(FileSystem& fs,
                                                                  const std::string& path,
                                                                  const std::string& name,
                                                                  const ExpectedTable& expected,
                                                                  Findings* findings);

// All steps at once.
Result<VerifyReport> Finish(Verification& verification);

}  // namespace varve
