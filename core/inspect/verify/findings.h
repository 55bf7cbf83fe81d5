// SPDX-License-Identifier: Apache-2.0
// Shared by the verifiers: fills one report, with a size limit and progress.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/format/manifest/file_description.h"
#include "core/inspect/verify/verify.h"
#include "core/version/blob_reader.h"
#include "core/version/column_families.h"
#include "core/wal/log_reader.h"
#include "core/wal/prepared_sections.h"
#include "varve/comparator.h"
#include "varve/db.h"

namespace varve {

class Findings {
 public:
  Findings(VerifyReport* report, const VerifyProgressFn& progress)
      : report_(report), progress_(progress) {}

  // Drops findings beyond kFindingsMax. Keys and text are truncated (reported_key.h), which bounds
  // the report's size.
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
  // For an error whose message begins with "name@offset: ": moves the place into the finding's
  // fields.
  void AddFailure(std::string layer, std::string file, const Status& failure,
                  std::optional<std::string> key_from = {}, std::optional<std::string> key_to = {});

  // The same, with the message prefixed by `part`, which the error is about.
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

// The layer of findings about blob files, and about values in unreadable blob files.
inline constexpr std::string_view kBlobLayer = "blob";

inline constexpr std::string_view kNoChecksums =
    "has no checksums: damage to its blocks can go unnoticed";

// What the MANIFEST says about a table, to be compared with the table.
struct ExpectedTable {
  const FileDescription* description = nullptr;  // Null: a table on its own.
  const Comparator* comparator = nullptr;
  const BlobReader* blobs = nullptr;  // Null: values in blob files are not checked.
  Sequence global_sequence = 0;       // Of an ingested table without a description.
  // Called when a blob file is missing; may be null. False: the database has meanwhile dropped the
  // table, and with it files that only the table needs.
  std::function<bool()> still_named = nullptr;
};

// verify_footer.cc. Reports why a table cannot be opened: the error itself, and the footer if the
// blocks that it names fail verification (up to format_version 5 the footer has no checksum).
void ReportUnopenable(const RandomAccessFile& file, const std::string& name,
                      const ExpectedTable& expected, const Status& failure, Findings* findings);

// verify_wal.cc. `last`: there is no later log, so it may end in an unfinished write.
class WalVerifier {
 public:
  WalVerifier(FileSystem& fs, const std::string& directory, Findings* findings)
      : fs_(fs), directory_(directory), findings_(*findings) {}
  // Call for logs in ascending order.
  void Verify(FileNumber number, bool last);
  // Call after the last one: reports what else an opening would leave out of the logs. `tracked`:
  // the MANIFEST lists the logs that must exist.
  void VerifyRecovery(bool tracked);
  // Reports an unused end of a MANIFEST or WAL, as a crash or a running writer leaves it.
  void ReportTornTail(const char* layer, const std::string& name, uint64_t from, uint64_t to);

 private:
  bool IsListed(const std::string& name) const;
  void VerifyRecord(const std::string& name, const LogReader& reader);
  bool ReportBadPlace(const std::string& name, const RandomAccessFile& file,
                      const LogReader& reader, FileNumber number, LogReader::Event event,
                      bool last);
  void NoteTransaction(const std::string& name);
  uint64_t ChangesThatApply(std::string_view record);
  bool IsLost(const std::string& name, uint64_t offset);
  bool AreIngested(Sequence first, Sequence end);

  FileSystem& fs_;
  const std::string& directory_;
  Findings& findings_;
  // The result of recovery, computed once a log other than the last ends badly.
  std::optional<Result<RecoveryReport>> recovery_;
  // Ascending, of tables that the MANIFEST has added; once there is a gap in the logs.
  std::optional<std::vector<Sequence>> sequences_of_tables_;
  uint64_t size_ = 0;           // Of the WAL being read.
  uint64_t data_behind_ = 0;    // Likewise: FindDataBehind's.
  bool transactional_ = false;  // Likewise.
  Sequence next_ = 0;           // After the last record read, of any log; 0: unknown.
  PreparedSections prepared_;   // Of all logs.
  FileNumber number_ = 0;       // Of the last log.
};

// verify_settings.cc. Whether tables are on deeper levels than an opening has: by the stored
// options, or by default.
void VerifyLevels(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                  Findings* findings);
// OPTIONS and IDENTITY have no checksums, so each statement that matters is
// compared with the MANIFEST and the tables.
void VerifyOptionsFile(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                       Findings* findings);
void VerifyIdentity(FileSystem& fs, const std::string& directory, const DatabaseState& state,
                    Findings* findings);

// verify_table.cc. Verifies one table, some blocks at a time.
class TableVerification {
 public:
  virtual ~TableVerification() = default;
  virtual bool Step() = 0;  // False: finished.
};
// NotFound is returned; null: the table cannot be opened, which is a finding. `findings`, and what
// `expected` points to, must stay valid until the end.
Result<std::unique_ptr<TableVerification>> BeginTableVerification(FileSystem& fs,
                                                                  const std::string& path,
                                                                  const std::string& name,
                                                                  const ExpectedTable& expected,
                                                                  Findings* findings);

// Performs all steps.
Result<VerifyReport> Finish(Verification& verification);

}  // namespace varve
