// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/log_record.h"
#include "core/format/write_batch_format.h"
#include "core/inspect/findings.h"
#include "core/version/invariants.h"
#include "core/version/manifest_reader.h"
#include "core/wal/log_reader.h"

namespace varve {
namespace {

// A live database replaces its MANIFEST and deletes files while it is read. Each vanished file
// means looking at CURRENT again; so many times, then it is reported.
constexpr int kRereadsMax = 100;

// Does a whole record begin anywhere in `tail`, behind its first byte? Then `tail` is no record cut
// short, but one whose length is wrong.
bool HoldsWholeRecord(std::string_view tail) {
  for (size_t at = 1; at + kLogHeaderSize <= tail.size(); ++at) {
    const std::string_view rest = tail.substr(at);
    const LogRecordHeader header = DecodeLogRecordHeader(rest);
    const uint64_t size = header.size() + header.length;
    if (header.type == 0 || header.length == 0 || size > rest.size()) continue;
    if (ComputeLogRecordCrc(rest.substr(0, size)) == header.crc) return true;
  }
  return false;
}

class DatabaseVerifier {
 public:
  DatabaseVerifier(FileSystem& fs, const std::string& path, Findings* findings)
      : fs_(fs), path_(path), findings_(*findings) {}

  Status Run() {
    ASSIGN_OR_RETURN(bool readable, ReadState());
    if (!readable) return Status::Ok();
    findings_.report().bytes += state_.file_size;
    if (state_.torn_bytes > 0) {
      const std::string name = ManifestFileName(state_.number);
      ReportTornTail("manifest", name, state_.file_size - state_.torn_bytes, state_.file_size);
    }
    VerifyDirectory();
    RETURN_IF_ERROR(VerifyTables());
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
      findings_.AddFailure("manifest", "", read.status());
      return false;
    }
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
      VerifyWal(number, /*last=*/number == numbers.back());
    }
    return Status::Ok();
  }

  void VerifyWal(FileNumber number, bool last) {
    const std::string name = WalFileName(number);
    const auto file = fs_.OpenForRead(JoinPath(path_, name), /*direct=*/false);
    if (!file.ok() && file.status().code() == Code::kNotFound) return;  // Flushed meanwhile.
    if (!file.ok()) return findings_.AddFailure("wal", name, file.status());
    const auto size = (*file)->Size();
    if (!size.ok()) return findings_.AddFailure("wal", name, size.status());
    ++findings_.report().files;
    findings_.report().bytes += *size;
    LogReader reader(**file, *size, number);
    transactional_ = false;
    Sequence next = 0;
    for (;;) {
      switch (reader.Next()) {
        case LogReader::Event::kRecord:
          VerifyRecord(name, reader, &next);
          break;
        case LogReader::Event::kEnd:
        case LogReader::Event::kOld:  // Recycled files end in records of their previous life.
          return;
        case LogReader::Event::kTruncated:
          if (last) return ReportTornTail("wal", name, reader.record_offset(), *size);
          return findings_.Error("wal", name, reader.record_offset(),
                                 "ends inside a record though later logs exist");
        case LogReader::Event::kBad:
          if (reader.saw_recyclable()) return;
          findings_.Error("wal", name, reader.record_offset(), reader.reason());
          break;
        case LogReader::Event::kIoError:
          return findings_.AddFailure("wal", name, reader.status());
      }
    }
  }

  // The end of a log was not used. A crash leaves such ends, and a live one is being written.
  void ReportTornTail(const char* layer, const std::string& name, uint64_t from, uint64_t to) {
    const std::string unused = std::to_string(to - from) + " bytes";
    const auto file = fs_.OpenForRead(JoinPath(path_, name), /*direct=*/false);
    std::string tail(std::min(to - from, 2 * kLogBlockSize), '\0');
    if (file.ok() &&
        HoldsWholeRecord((*file)->Read(from, tail.size(), tail.data()).ok() ? std::string_view(tail)
                                                                            : std::string_view())) {
      return findings_.Error(
          layer, name, from,
          "a record's length is wrong: whole records follow in the " + unused + " that it claims");
    }
    findings_.Add({.severity = Finding::Severity::kWarning,
                   .layer = layer,
                   .file = name,
                   .offset = from,
                   .what = "ends in an unfinished record of " + unused});
  }

  void VerifyRecord(const std::string& name, const LogReader& reader, Sequence* next) {
    ++findings_.report().wal_records;
    BatchReader batch(reader.record());
    BatchRecord record;
    uint64_t counted = 0;
    while (batch.Next(&record)) {
      // A Noop behind counted records ends a sub-batch of a write-prepared transaction.
      const bool plain = record.kind == BatchRecordKind::kEntry ||
                         record.kind == BatchRecordKind::kLogData ||
                         (record.kind == BatchRecordKind::kNoop && counted == 0);
      if (!plain) NoteTransaction(name);
      counted += record.kind == BatchRecordKind::kEntry ? 1 : 0;
    }
    if (!batch.status().ok()) {
      return findings_.Error("wal", name, reader.record_offset(),
                             std::string(batch.status().message()));
    }
    if (batch.header().sequence < *next && !transactional_) {
      findings_.Error("wal", name, reader.record_offset(),
                      "sequence " + std::to_string(batch.header().sequence) +
                          " goes back: " + std::to_string(*next) + " was next");
    }
    *next = batch.header().sequence + counted;
  }

  // Transactions number their records in ways of their own.
  void NoteTransaction(const std::string& name) {
    if (transactional_) return;
    transactional_ = true;
    findings_.NotChecked("wal", name, "holds transactions: their sequence numbers are not checked");
  }

  FileSystem& fs_;
  const std::string& path_;
  Findings& findings_;
  RecoveredManifest state_;
  FileNumber last_current_ = 0;
  bool transactional_ = false;  // The WAL being read.
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
