// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/abbreviate.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/inspect/verify/findings.h"
#include "core/version/blob_reader.h"
#include "core/version/database_files.h"
#include "core/version/manifest_reader.h"

namespace varve {
namespace {

// A live database replaces its MANIFEST and deletes files while it is read. For each vanished file
// CURRENT is read again; after this many times the file is reported.
constexpr int kRereadsMax = 100;

class DatabaseVerifier {
 public:
  DatabaseVerifier(FileSystem& fs, const std::string& path, Findings* findings)
      : fs_(fs), path_(path), findings_(*findings), blobs_(fs, path), wals_(fs, path, findings) {}

  // Performs the next step; false: finished.
  Result<bool> Step() {
    switch (phase_) {
      case Phase::kShape: {
        ASSIGN_OR_RETURN(const bool readable, VerifyShape());
        phase_ = readable ? Phase::kTables : Phase::kDone;
        break;
      }
      case Phase::kTables:
        if (table_ != nullptr) {
          RETURN_IF_ERROR(GoOnWithTable());
        } else if (!pending_.empty()) {
          RETURN_IF_ERROR(BeginNextTable());
        } else {
          phase_ = Phase::kRest;
        }
        break;
      case Phase::kRest:
        if (!VerifyBlobs()) {
          RETURN_IF_ERROR(StartOver());
          phase_ = Phase::kTables;
          break;
        }
        RETURN_IF_ERROR(VerifyWals());
        phase_ = Phase::kDone;
        break;
      case Phase::kDone:
        break;
    }
    return phase_ != Phase::kDone;
  }

 private:
  enum class Phase {
    kShape,   // MANIFEST, directory, OPTIONS, IDENTITY.
    kTables,  // One after the other, some blocks at a time.
    kRest,    // Blob files and logs.
    kDone,
  };
  struct PendingTable {
    FilePtr file;
    const Comparator* comparator;
  };

  // False: the MANIFEST cannot be read, so nothing else can be verified.
  Result<bool> VerifyShape() {
    ASSIGN_OR_RETURN(const bool readable, ReadState());
    if (!readable) return false;
    findings_.report().bytes += state_.file_size;
    if (state_.torn_bytes > 0) {
      const std::string name = ManifestFileName(state_.number);
      wals_.ReportTornTail("manifest", name, state_.file_size - state_.torn_bytes,
                           state_.file_size);
    }
    for (const FamilyState& family : state_.state.families.all()) {
      if (family.comparator != nullptr) continue;
      findings_.NotChecked("manifest", ManifestFileName(state_.number),
                           "column family " + AbbreviateForDisplay(family.name) +
                               " is ordered by \"" + AbbreviateForDisplay(family.comparator_name) +
                               "\", which is not known here");
    }
    VerifyDirectory();
    VerifyLevels(fs_, path_, state_.state, &findings_);
    VerifyOptionsFile(fs_, path_, state_.state, &findings_);
    VerifyIdentity(fs_, path_, state_.state, &findings_);
    return true;
  }

  // False: the damage is in the findings.
  Result<bool> ReadState() {
    for (int attempt = 0;; ++attempt) {
      auto read = ReadManifest(fs_, path_, InspectionOptions(), /*tables=*/nullptr);
      if (read.ok()) {
        state_ = *std::move(read);
        QueueTables();
        return true;
      }
      if (read.status().code() == Code::kNotFound &&
          !fs_.Exists(JoinPath(path_, kCurrentFileName))) {
        return read.status();
      }
      const bool may_have_raced = attempt < kRereadsMax && Moved();
      if (may_have_raced) continue;
      ReportUnreadable(read.status());
      return false;
    }
  }

  void ReportUnreadable(const Status& failure) {
    const auto current = ReadCurrent(fs_, path_);
    if (current.ok()) {
      findings_.AddFailure("manifest", ManifestFileName(*current), failure);
      return ReportEndOfManifest(ManifestFileName(*current));
    }
    if (current.status().code() == Code::kCorruption) {  // So small that no offset is needed.
      return findings_.Error("directory", std::string(kCurrentFileName), 0,
                             std::string(current.status().message()));
    }
    findings_.AddFailure("directory", std::string(kCurrentFileName), current.status());
  }

  // A record with a wrong length may have swallowed the missing part.
  void ReportEndOfManifest(const std::string& name) {
    const auto scanner = ManifestScanner::Open(fs_, JoinPath(path_, name));
    if (!scanner.ok()) return;
    for (auto record = (*scanner)->Next(); record.ok() && *record; record = (*scanner)->Next()) {
    }
    const uint64_t size = (*scanner)->file_size(), torn = (*scanner)->torn_bytes();
    if (torn > 0) wals_.ReportTornTail("manifest", name, size - torn, size);
  }

  // Whether CURRENT has changed since it was last read.
  bool Moved() {
    const auto current = ReadCurrent(fs_, path_);
    const FileNumber number = current.ok() ? *current : 0;
    const bool moved = number != last_current_;
    last_current_ = number;
    return moved;
  }

  void VerifyDirectory() {
    const auto entries = fs_.List(path_);
    if (!entries.ok()) return findings_.AddFailure("directory", "", entries.status());
    const std::set<FileNumber> live = NamedFiles(state_.state);
    for (const PendingTable& table : pending_) findings_.bytes_total += table.file->size();
    for (const DirectoryEntry& entry : *entries) {
      const auto name = ParseFileName(entry.name);
      if (!name) continue;
      const bool data = name->kind == FileKind::kTable || name->kind == FileKind::kTableLdb ||
                        name->kind == FileKind::kBlob;
      // A file with an unassigned number may belong to a running job.
      if (data && !live.contains(name->number) &&
          name->number < state_.state.counters.next_file_number) {
        findings_.Warn("directory", entry.name, "no longer or not yet named by the MANIFEST");
      }
    }
  }

  // Queues the tables of the state that have not been verified in an earlier one.
  void QueueTables() {
    pending_.clear();
    for (const FamilyState& family : state_.state.families.all()) {
      const Version& version = *family.version;
      for (int level = 0; level < version.num_levels(); ++level) {
        for (const FilePtr& file : version.files(level)) {
          if (!looked_at_.contains(file->number())) pending_.push_back({file, family.comparator});
        }
      }
    }
  }

  Status BeginNextTable() {
    CHECK(table_ == nullptr && !pending_.empty());
    at_ = std::move(pending_.front());
    pending_.pop_front();
    const FileMetadata& file = *at_.file;
    const Status read = Begin(file, at_.comparator);
    if (!read.ok() && WasLetGo(file.number())) return StartOver();
    looked_at_.insert(file.number());
    if (read.ok()) return Status::Ok();
    if (file.description.path_id != 0) {
      findings_.NotChecked("directory", TableFileName(file.number()),
                           "lies in path " + std::to_string(file.description.path_id) +
                               ", whose directory the MANIFEST does not say: not checked");
      return Status::Ok();
    }
    findings_.Add({.layer = "directory",
                   .file = TableFileName(file.number()),
                   .offset = std::nullopt,
                   .what = "is missing",
                   .key_from = std::string(file.smallest.user_key),
                   .key_to = std::string(file.largest.user_key)});
    return Status::Ok();
  }

  Status GoOnWithTable() {
    if (table_->Step()) return Status::Ok();
    table_.reset();
    return let_go_ ? StartOver() : Status::Ok();
  }

  // Continues with the files that the MANIFEST names now.
  Status StartOver() {
    let_go_ = false;
    ASSIGN_OR_RETURN(const bool readable, ReadState());
    if (!readable) {
      pending_.clear();
      vanished_ = kRereadsMax;
    }
    return Status::Ok();
  }

  Status Begin(const FileMetadata& file, const Comparator* comparator) {
    const ExpectedTable expected{.description = &file.description,
                                 .comparator = comparator,
                                 .blobs = &blobs_,
                                 .still_named = [this, number = file.number()] {
                                   let_go_ = let_go_ || WasLetGo(number);
                                   return !let_go_;
                                 }};
    const std::string name = TableFileName(file.number()), other = TableLdbFileName(file.number());
    auto table = BeginTableVerification(fs_, JoinPath(path_, name), name, expected, &findings_);
    if (!table.ok() && table.status().code() == Code::kNotFound) {
      table = BeginTableVerification(fs_, JoinPath(path_, other), other, expected, &findings_);
    }
    if (!table.ok()) return table.status();
    table_ = *std::move(table);
    return Status::Ok();
  }

  // Whether a missing file was deleted by a concurrent compaction.
  bool WasLetGo(FileNumber number) { return ++vanished_ < kRereadsMax && !StillNamed(number); }

  // If the MANIFEST is the same one and has not grown, it names the same files: it is read again
  // only when it has grown, not for each missing file.
  bool StillNamed(FileNumber number) {
    const auto current = ReadCurrent(fs_, path_);
    if (current.ok() && *current == state_.number) {
      const auto file =
          fs_.OpenForRead(JoinPath(path_, ManifestFileName(*current)), /*direct=*/false);
      const auto size = file.ok() ? (*file)->Size() : Result<uint64_t>(file.status());
      if (size.ok() && *size == state_.file_size) return true;
    }
    const auto now = ReadManifest(fs_, path_, InspectionOptions(), nullptr);
    return now.ok() && NamedFiles(now->state).contains(number);
  }

  static std::set<FileNumber> NamedFiles(const DatabaseState& state) {
    std::set<FileNumber> named;
    for (const FamilyState& family : state.families.all()) {
      const Version& version = *family.version;
      for (int level = 0; level < version.num_levels(); ++level) {
        for (const FilePtr& file : version.files(level)) named.insert(file->number());
      }
      for (const BlobFileMetadata& blob : version.blob_files()) named.insert(blob.number);
    }
    return named;
  }

  // False: a file was deleted meanwhile, and its replacement may not have been verified.
  bool VerifyBlobs() {
    for (const FamilyState& family : state_.state.families.all()) {
      for (const BlobFileMetadata& blob : family.version->blob_files()) {
        if (blobs_looked_at_.contains(blob.number)) continue;
        const auto read = blobs_.Verify(blob.number);
        if (read.status().code() == Code::kNotFound && WasLetGo(blob.number)) return false;
        blobs_looked_at_.insert(blob.number);
        ReportBlobFile(blob, read);
      }
    }
    return true;
  }

  void ReportBlobFile(const BlobFileMetadata& blob, const Result<BlobReader::Summary>& read) {
    const std::string name = BlobFileName(blob.number);
    if (read.ok()) {
      ++findings_.report().files;
      findings_.report().bytes += read->bytes;
    }
    if (read.status().code() == Code::kNotFound) {
      findings_.Error("directory", name, std::nullopt, "is missing");
    } else if (!read.ok()) {
      findings_.AddFailure(std::string(kBlobLayer), name, read.status());
    } else if (read->blobs != blob.blobs || read->bytes != blob.bytes) {
      findings_.Error(std::string(kBlobLayer), name, std::nullopt,
                      "holds " + std::to_string(read->blobs) + " blobs of " +
                          std::to_string(read->bytes) + " bytes, the MANIFEST says " +
                          std::to_string(blob.blobs) + " of " + std::to_string(blob.bytes));
    }
  }

  Status VerifyWals() {
    ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs_.List(path_));
    std::vector<FileNumber> numbers;
    for (const DirectoryEntry& entry : entries) {
      const auto name = ParseFileName(entry.name);
      if (name && name->kind == FileKind::kWal && name->number >= state_.state.MinLogToReplay()) {
        numbers.push_back(name->number);
      }
    }
    std::sort(numbers.begin(), numbers.end());
    for (const FileNumber number : numbers) {
      wals_.Verify(number, /*last=*/number == numbers.back());
    }
    wals_.VerifyRecovery(/*tracked=*/!state_.synced_wals.empty());
    return Status::Ok();
  }

  FileSystem& fs_;
  const std::string& path_;
  Findings& findings_;
  const BlobReader blobs_;
  RecoveredManifest state_;
  FileNumber last_current_ = 0;
  WalVerifier wals_;
  Phase phase_ = Phase::kShape;
  std::deque<PendingTable> pending_;
  PendingTable at_ = {};  // The table being verified.
  std::unique_ptr<TableVerification> table_;
  std::set<FileNumber> looked_at_, blobs_looked_at_;
  int vanished_ = 0;
  bool let_go_ = false;  // The table being verified was deleted meanwhile.
};

class DatabaseVerification : public Verification {
 public:
  DatabaseVerification(FileSystem& fs, std::string path, VerifyProgressFn progress)
      : path_(std::move(path)),
        progress_(std::move(progress)),
        findings_(&report_, progress_),
        verifier_(fs, path_, &findings_) {}

  Result<bool> Step() override { return verifier_.Step(); }
  const VerifyReport& report() const override { return report_; }

 private:
  const std::string path_;
  const VerifyProgressFn progress_;
  VerifyReport report_;
  Findings findings_;
  DatabaseVerifier verifier_;
};

}  // namespace

std::unique_ptr<Verification> NewDatabaseVerification(FileSystem& fs, std::string path,
                                                      VerifyProgressFn progress) {
  return std::make_unique<DatabaseVerification>(fs, std::move(path), std::move(progress));
}

Result<VerifyReport> VerifyDatabase(FileSystem& fs, const std::string& path,
                                    const VerifyProgressFn& progress) {
  return Finish(*NewDatabaseVerification(fs, path, progress));
}

Result<VerifyReport> Finish(Verification& verification) {
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, verification.Step());
    if (!more) return verification.report();
  }
}

}  // namespace varve
