// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/inspect/findings.h"
#include "core/version/blob_reader.h"
#include "core/version/manifest_reader.h"

namespace varve {
namespace {

// A live database replaces its MANIFEST and deletes files while it is read. Each vanished file
// means looking at CURRENT again; so many times, then it is reported.
constexpr int kRereadsMax = 100;

class DatabaseVerifier {
 public:
  DatabaseVerifier(FileSystem& fs, const std::string& path, Findings* findings)
      : fs_(fs), path_(path), findings_(*findings), wals_(fs, path, findings) {}

  Status Run() {
    ASSIGN_OR_RETURN(bool readable, ReadState());
    if (!readable) return Status::Ok();
    findings_.report().bytes += state_.file_size;
    if (state_.torn_bytes > 0) {
      const std::string name = ManifestFileName(state_.number);
      wals_.ReportTornTail("manifest", name, state_.file_size - state_.torn_bytes,
                           state_.file_size);
    }
    VerifyDirectory();
    VerifyOptionsFile(fs_, path_, state_.state, &findings_);
    VerifyIdentity(fs_, path_, state_.state, &findings_);
    RETURN_IF_ERROR(VerifyTables());
    VerifyBlobs();
    return VerifyWals();
  }

 private:
  // False: the damage is in the findings.
  Result<bool> ReadState() {
    for (int attempt = 0;; ++attempt) {
      auto read = ReadManifest(fs_, path_, Options(), /*tables=*/nullptr);
      if (read.ok()) {
        state_ = *std::move(read);
        return true;
      }
      if (read.status().code() == Code::kNotFound && !fs_.Exists(path_)) return read.status();
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
    findings_.Error("directory", std::string(kCurrentFileName), 0,
                    std::string(current.status().message()));
  }

  // What is missing may have been swallowed by a record with a wrong length.
  void ReportEndOfManifest(const std::string& name) {
    const auto scanner = ManifestScanner::Open(fs_, JoinPath(path_, name));
    if (!scanner.ok()) return;
    for (auto record = (*scanner)->Next(); record.ok() && *record; record = (*scanner)->Next()) {
    }
    const uint64_t size = (*scanner)->file_size(), torn = (*scanner)->torn_bytes();
    if (torn > 0) wals_.ReportTornTail("manifest", name, size - torn, size);
  }

  // Has CURRENT changed since it was last looked at?
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
    std::set<FileNumber> live;
    for (const FamilyState& family : state_.state.families.all()) {
      const Version& version = *family.version;
      for (int level = 0; level < version.num_levels(); ++level) {
        for (const FilePtr& file : version.files(level)) {
          live.insert(file->number());
          findings_.bytes_total += file->size();
        }
      }
      for (const BlobFileMetadata& blob : version.blob_files()) live.insert(blob.number);
    }
    for (const DirectoryEntry& entry : *entries) {
      const auto name = ParseFileName(entry.name);
      if (!name) continue;
      const bool data = name->kind == FileKind::kTable || name->kind == FileKind::kTableLdb ||
                        name->kind == FileKind::kBlob;
      // Files with numbers yet to be given out may belong to a job that is running.
      if (data && !live.contains(name->number) &&
          name->number < state_.state.counters.next_file_number) {
        findings_.Warn("directory", entry.name, "no longer or not yet named by the MANIFEST");
      }
    }
  }

  Status VerifyTables() {
    std::set<FileNumber> done;
    for (int attempt = 0; attempt < kRereadsMax; ++attempt) {
      ASSIGN_OR_RETURN(const bool complete, VerifyTablesOnce(attempt + 1 == kRereadsMax, &done));
      if (complete) return Status::Ok();
      ASSIGN_OR_RETURN(const bool readable, ReadState());
      if (!readable) return Status::Ok();
    }
    return Status::Ok();
  }

  // False: a file vanished and the MANIFEST no longer names it; look at the new state.
  Result<bool> VerifyTablesOnce(bool last, std::set<FileNumber>* done) {
    for (const FamilyState& family : state_.state.families.all()) {
      const Version& version = *family.version;
      for (int level = 0; level < version.num_levels(); ++level) {
        for (const FilePtr& file : version.files(level)) {
          if (done->contains(file->number())) continue;
          if (file->description.path_id != 0) {
            findings_.NotChecked("directory", TableFileName(file->number()),
                                 "lies in path " + std::to_string(file->description.path_id) +
                                     ", whose directory the MANIFEST does not say: not checked");
            continue;
          }
          const Status read = VerifyOne(*file, family.comparator);
          if (read.ok()) {
            done->insert(file->number());
            continue;
          }
          if (!last && !StillNamed(file->number())) return false;
          findings_.Add({.layer = "directory",
                         .file = TableFileName(file->number()),
                         .offset = std::nullopt,
                         .what = "is missing",
                         .key_from = std::string(file->smallest.user_key),
                         .key_to = std::string(file->largest.user_key)});
          done->insert(file->number());
        }
      }
    }
    return true;
  }

  Status VerifyOne(const FileMetadata& file, const Comparator* comparator) {
    const ExpectedTable expected{&file.description, comparator};
    const std::string name = TableFileName(file.number());
    const Status read = VerifyTableFile(fs_, JoinPath(path_, name), name, expected, &findings_);
    if (read.code() != Code::kNotFound) return read;
    const std::string other = TableLdbFileName(file.number());
    return VerifyTableFile(fs_, JoinPath(path_, other), other, expected, &findings_);
  }

  bool StillNamed(FileNumber number) {
    const auto now = ReadManifest(fs_, path_, Options(), nullptr);
    if (!now.ok()) return false;
    for (const FamilyState& family : now->state.families.all()) {
      for (int level = 0; level < family.version->num_levels(); ++level) {
        for (const FilePtr& file : family.version->files(level)) {
          if (file->number() == number) return true;
        }
      }
    }
    return false;
  }

  void VerifyBlobs() {
    const BlobReader reader(fs_, path_);
    for (const FamilyState& family : state_.state.families.all()) {
      for (const BlobFileMetadata& blob : family.version->blob_files()) {
        const std::string name = BlobFileName(blob.number);
        const auto read = reader.Verify(blob.number);
        if (!read.ok() && read.status().code() == Code::kNotFound) {
          findings_.Error("directory", name, std::nullopt, "is missing");
        } else if (!read.ok()) {
          findings_.AddFailure("blob", name, read.status());
        } else if (read->blobs != blob.blobs || read->bytes != blob.bytes) {
          findings_.Error("blob", name, std::nullopt,
                          "holds " + std::to_string(read->blobs) + " blobs of " +
                              std::to_string(read->bytes) + " bytes, the MANIFEST says " +
                              std::to_string(blob.blobs) + " of " + std::to_string(blob.bytes));
        }
        if (read.ok()) {
          ++findings_.report().files;
          findings_.report().bytes += read->bytes;
        }
      }
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
    return Status::Ok();
  }

  FileSystem& fs_;
  const std::string& path_;
  Findings& findings_;
  RecoveredManifest state_;
  FileNumber last_current_ = 0;
  WalVerifier wals_;
};

}  // namespace

Result<VerifyReport> VerifyDatabase(FileSystem& fs, const std::string& path,
                                    const VerifyProgressFn& progress) {
  VerifyReport report;
  Findings findings(&report, progress);
  RETURN_IF_ERROR(DatabaseVerifier(fs, path, &findings).Run());
  return report;
}

}  // namespace varve
