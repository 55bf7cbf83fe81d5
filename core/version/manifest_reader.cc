// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/manifest/current_file.h"
#include "core/version/invariants.h"
#include "core/version/manifest_origin.h"
#include "core/version/version_builder.h"
#include "core/wal/log_end.h"

namespace varve {
namespace {

// The records that set the final log numbers, to name the offset of a wrong one.
class LogNumberPlaces {
 public:
  void Take(const ManifestRecord& record) {
    if (record.edit.min_log_number_to_keep) min_log_ = record.offset;
    if (record.edit.log_number) log_of_[record.edit.family] = record.offset;
  }

  Status Check(const std::string& path, const DatabaseState& state) const {
    const FileNumber next = state.counters.next_file_number;
    RETURN_IF_ERROR(CheckMinLogNumber(state.counters.min_log_number_to_keep, next)
                        .At(FileOffset(path, min_log_)));
    for (const FamilyState& family : state.families.all()) {
      const auto place = log_of_.find(family.id);
      const uint64_t offset = place == log_of_.end() ? 0 : place->second;
      RETURN_IF_ERROR(CheckLogNumber(family, next).At(FileOffset(path, offset)));
    }
    return Status::Ok();
  }

 private:
  uint64_t min_log_ = 0;
  std::map<ColumnFamilyId, uint64_t> log_of_;
};

}  // namespace

void RaiseNextFileNumber(DatabaseState* state, FileNumber manifest) {
  FileNumber* next = &state->counters.next_file_number;
  *next = std::max(*next, manifest + 1);
  for (const FamilyState& family : state->families.all()) {
    for (int level = 0; level < family.version->num_levels(); level++) {
      for (const FilePtr& file : family.version->files(level)) {
        *next = std::max(*next, file->number() + 1);
      }
    }
    for (const BlobFileMetadata& blob : family.version->blob_files()) {
      *next = std::max(*next, blob.number + 1);
    }
  }
}

Status MissingCurrent(FileSystem& fs, const std::string& directory) {
  const Result<std::vector<DirectoryEntry>> entries = fs.List(directory);
  if (!entries.ok() && fs.Exists(directory)) return entries.status();  // E.g. it is a file.
  if (entries.ok()) {
    for (const DirectoryEntry& entry : *entries) {
      const std::optional<FileName> name = ParseFileName(entry.name);
      if (!name) continue;
      // A crash during creation may leave only MANIFEST-000001.
      const bool remains = name->kind == FileKind::kWal || name->kind == FileKind::kTable ||
                           name->kind == FileKind::kTableLdb || name->kind == FileKind::kBlob ||
                           (name->kind == FileKind::kManifest && name->number > 1);
      if (remains) {
        return Status::Corruption(JoinPath(directory, entry.name) +
                                  ": belongs to a database whose CURRENT is missing");
      }
    }
  }
  return Status::NotFound(directory + ": there is no database (no CURRENT)");
}

Result<FileNumber> ReadCurrent(FileSystem& fs, const std::string& directory) {
  const std::string path = JoinPath(directory, kCurrentFileName);
  const Result<std::string> contents = ReadFileToString(fs, path, kCurrentFileSizeMax);
  if (contents.status().code() == Code::kNotFound) return MissingCurrent(fs, directory);
  if (!contents.ok()) return contents.status();
  Result<FileNumber> number = DecodeCurrentFile(*contents);
  if (!number.ok()) return number.status().At(path);
  if (!fs.Exists(JoinPath(directory, ManifestFileName(*number)))) {
    return Status::Corruption(path + " names " + ManifestFileName(*number) +
                              ", which is not there");
  }
  return *number;
}

ManifestScanner::ManifestScanner(std::unique_ptr<RandomAccessFile> file, uint64_t file_size)
    : file_(std::move(file)), file_size_(file_size), log_(*file_, file_size, /*log_number=*/0) {}

Result<std::unique_ptr<ManifestScanner>> ManifestScanner::Open(FileSystem& fs,
                                                               const std::string& path) {
  ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  return std::unique_ptr<ManifestScanner>(new ManifestScanner(std::move(file), size));
}

Result<std::optional<ManifestRecord>> ManifestScanner::Next() {
  switch (log_.Next()) {
    case LogReader::Event::kRecord:
      break;
    case LogReader::Event::kEnd:
      return std::optional<ManifestRecord>();
    case LogReader::Event::kTruncated: {
      ASSIGN_OR_RETURN(
          const std::optional<std::string> behind,
          FindDataBehind(*file_, file_size_, /*log_number=*/0, log_, LogReader::Event::kTruncated));
      if (behind) {
        return Status::Corruption(FileOffset(path(), log_.end_offset()) + ": " + log_.reason() +
                                  "; " + *behind);
      }
      // A record cut off by a crash was never acknowledged.
      torn_bytes_ =
          log_.inside_fragment() ? file_size_ - log_.record_offset() : log_.dropped_bytes();
      return std::optional<ManifestRecord>();
    }
    case LogReader::Event::kOld:
      return Status::Corruption(FileOffset(path(), log_.record_offset()) +
                                ": a record of a recycled log, which a MANIFEST never is");
    case LogReader::Event::kBad:
      return Status::Corruption(FileOffset(path(), log_.record_offset()) + ": " + log_.reason());
    case LogReader::Event::kIoError:
      return log_.status();
  }
  Result<VersionEdit> edit = DecodeVersionEdit(log_.record());
  if (!edit.ok()) return edit.status().At(FileOffset(path(), log_.record_offset()));
  return std::optional(ManifestRecord{.index = next_index_++,
                                      .offset = log_.record_offset(),
                                      .end_offset = log_.end_offset(),
                                      .edit = *std::move(edit)});
}

Options InspectionOptions() {
  Options options;
  options.family.num_levels = kLevelsAsFound;
  return options;
}

Result<RecoveredManifest> ReadManifest(FileSystem& fs, const std::string& directory,
                                       const Options& options, TableCache* tables) {
  RecoveredManifest recovered;
  ASSIGN_OR_RETURN(recovered.number, ReadCurrent(fs, directory));
  ASSIGN_OR_RETURN(
      std::unique_ptr<ManifestScanner> scanner,
      ManifestScanner::Open(fs, JoinPath(directory, ManifestFileName(recovered.number))));
  ManifestReplay replay(options);
  ManifestOriginTest origin;
  LogNumberPlaces log_numbers;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<ManifestRecord> record, scanner->Next());
    if (!record) break;
    origin.Take(record->edit);
    log_numbers.Take(*record);
    RETURN_IF_ERROR(replay.Apply(record->edit).At(FileOffset(scanner->path(), record->offset)));
    recovered.edits++;
  }
  const auto finish = [&]() -> Status {
    RETURN_IF_ERROR(replay.CheckComplete());
    ASSIGN_OR_RETURN(recovered.state, replay.State(tables));
    RaiseNextFileNumber(&recovered.state, recovered.number);
    return Status::Ok();
  };
  RETURN_IF_ERROR(finish().At(scanner->path()));
  RETURN_IF_ERROR(log_numbers.Check(scanner->path(), recovered.state));
  RETURN_IF_ERROR(CheckState(recovered.state).At(scanner->path()));
  recovered.leveldb = IsLevelDb(fs, directory, origin.origin());
  recovered.file_size = scanner->file_size();
  recovered.torn_bytes = scanner->torn_bytes();
  recovered.unfinished_group_edits = replay.unfinished_group_edits();
  recovered.synced_wals = replay.synced_wals();
  return recovered;
}

}  // namespace varve
