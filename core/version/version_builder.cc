// SPDX-License-Identifier: Apache-2.0
#include "core/version/version_builder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/options/option_limits.h"
#include "core/base/try.h"
#include "core/version/invariants.h"
#include "core/version/level_zero_order.h"

namespace varve {
namespace {

std::string TableName(FileNumber number) { return "table " + std::to_string(number); }
std::string BlobName(FileNumber number) { return "blob file " + std::to_string(number); }

Status CheckBound(const FileDescription& file, const std::string& bound, const char* which) {
  const std::optional<InternalKey> key = DecodeInternalKey(bound);
  if (!key || !IsBoundaryType(static_cast<uint8_t>(key->type))) {
    return Status::Corruption(TableName(file.number) + ": its " + which +
                              " key is not an internal key");
  }
  return Status::Ok();
}

// `file` with the given sequences.
FilePtr WithSequences(const FilePtr& file, Sequence smallest, Sequence largest) {
  FileDescription description = file->description;
  description.smallest_sequence = smallest;
  description.largest_sequence = largest;
  description.sequences_known = true;
  return std::make_shared<FileMetadata>(std::move(description));
}

// LevelDB flushes memtables one after the other, so its level-0 files have disjoint ranges of
// sequences, ascending with the file number; each range contains the sequences of the two bounds.
// So the range of a file ends before the lowest bound of the next newer one.
void SettleSequences(std::vector<std::vector<FilePtr>>* levels, Sequence last_sequence) {
  std::vector<FilePtr>& zero = (*levels)[0];
  const auto known = [](const FilePtr& file) { return file->description.sequences_known; };
  if (!std::all_of(zero.begin(), zero.end(), known)) {
    std::sort(zero.begin(), zero.end(),
              [](const FilePtr& a, const FilePtr& b) { return a->number() > b->number(); });
    Sequence end = last_sequence;
    for (FilePtr& file : zero) {
      if (known(file)) {
        end = std::min(end, file->description.smallest_sequence);
      } else {
        const Sequence lowest = std::min({file->smallest.sequence, file->largest.sequence, end});
        file = WithSequences(file, lowest, end);
        end = lowest;
      }
      if (end > 0) end--;
    }
  }
  for (size_t level = 1; level < levels->size(); level++) {
    for (FilePtr& file : (*levels)[level]) {
      if (!known(file)) file = WithSequences(file, 0, last_sequence);
    }
  }
}

}  // namespace

VersionBuilder::VersionBuilder(const Comparator* comparator, const Version* base, int num_levels)
    : comparator_(comparator), base_(base), num_levels_(num_levels) {
  if (base == nullptr) return;
  CHECK(base->num_levels() <= num_levels);
  live_.reserve(base->TotalFiles());
  for (int level = 0; level < base->num_levels(); level++) {
    for (const FilePtr& file : base->files(level)) {
      live_.emplace(file->number(), Placed{level, file});
      max_epoch_ = std::max(max_epoch_, file->description.epoch);
    }
  }
  for (const BlobFileMetadata& blob : base->blob_files()) blobs_.emplace(blob.number, blob);
}

Status VersionBuilder::Apply(const VersionEdit& edit) {
  CHECK(leaving_.empty(), "no edit before this one has failed");
  RETURN_IF_ERROR(ApplyBlobs(edit));
  for (const VersionEdit::DeletedFile& deleted : edit.deleted_files) {
    RETURN_IF_ERROR(Delete(deleted));
  }
  for (const VersionEdit::NewFile& added : edit.new_files) RETURN_IF_ERROR(Add(added));
  leaving_.clear();
  return Status::Ok();
}

Status VersionBuilder::ApplyBlobs(const VersionEdit& edit) {
  for (const BlobFileAddition& added : edit.blob_additions) {
    BlobFileMetadata blob{.number = added.number, .blobs = added.blobs, .bytes = added.bytes};
    blob.checksum_method = added.checksum_method;
    blob.checksum_value = added.checksum_value;
    blob.use = std::make_shared<const BlobFileUse>();
    if (!blobs_.emplace(added.number, std::move(blob)).second) {
      return Status::Corruption(BlobName(added.number) + " is added, but already there");
    }
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    const auto it = blobs_.find(garbage.number);
    if (it == blobs_.end()) {
      return Status::Corruption(BlobName(garbage.number) + " has garbage, but is not there");
    }
    BlobFileMetadata& blob = it->second;
    // Compare differences: sums of untrusted numbers may overflow.
    if (garbage.blobs > blob.blobs - blob.garbage_blobs ||
        garbage.bytes > blob.bytes - blob.garbage_bytes) {
      return Status::Corruption(BlobName(garbage.number) + " has more garbage than contents");
    }
    blob.garbage_blobs += garbage.blobs;
    blob.garbage_bytes += garbage.bytes;
  }
  return Status::Ok();
}

Status VersionBuilder::Delete(const VersionEdit::DeletedFile& deleted) {
  const auto it = live_.find(deleted.number);
  if (it == live_.end() || it->second.level != deleted.level) {
    return Status::Corruption(
        TableName(deleted.number) + " is deleted from level " + std::to_string(deleted.level) +
        ", but is " +
        (it == live_.end() ? "not there" : "on level " + std::to_string(it->second.level)));
  }
  leaving_[deleted.number] = std::move(it->second.file);
  live_.erase(it);
  return Status::Ok();
}

Status VersionBuilder::Add(const VersionEdit::NewFile& added) {
  const FileDescription& file = added.file;
  if (added.level < 0 || added.level >= kNumLevelsMax) {
    return Status::Corruption(TableName(file.number) + " is on level " +
                              std::to_string(added.level) + " of at most " +
                              std::to_string(kNumLevelsMax) + " levels");
  }
  RETURN_IF_ERROR(CheckBound(file, file.smallest, "smallest"));
  RETURN_IF_ERROR(CheckBound(file, file.largest, "largest"));
  if (live_.contains(file.number)) {
    return Status::Corruption(TableName(file.number) + " is added, but already there");
  }
  // A move keeps the object, with its open reader and the marks of running jobs.
  const auto moved = leaving_.find(file.number);
  FilePtr placed = moved != leaving_.end() && moved->second->description == file
                       ? moved->second
                       : std::make_shared<FileMetadata>(file);
  live_.emplace(file.number, Placed{added.level, std::move(placed)});
  max_epoch_ = std::max(max_epoch_, file.epoch);
  return Status::Ok();
}

// Blob files live as long as a table may refer to them (db-format 4.4).
std::vector<BlobFileMetadata> VersionBuilder::LiveBlobs() const {
  std::vector<FileNumber> oldest;
  for (const auto& [number, placed] : live_) {
    const uint64_t blob = placed.file->description.oldest_blob_file;
    if (blob != 0) oldest.push_back(blob);
  }
  std::vector<BlobFileMetadata> live;
  if (oldest.empty()) return live;
  std::sort(oldest.begin(), oldest.end());
  for (const auto& [number, blob] : blobs_) {
    if (number < oldest.front()) continue;
    const bool linked = std::binary_search(oldest.begin(), oldest.end(), number);
    if (linked || blob.garbage_blobs < blob.blobs) live.push_back(blob);
  }
  return live;
}

Result<std::shared_ptr<const Version>> VersionBuilder::Build(TableCache* tables,
                                                             Sequence last_sequence) {
  CHECK(leaving_.empty(), "no edit has failed");
  int num_levels = num_levels_;
  if (num_levels_ == kLevelsAsFound) {
    num_levels = ColumnFamilyOptions().num_levels;
    for (const auto& [number, placed] : live_) num_levels = std::max(num_levels, placed.level + 1);
  }
  std::vector<std::vector<FilePtr>> levels(static_cast<size_t>(num_levels));
  for (const auto& [number, placed] : live_) {
    // Not of files that are gone: a dropped family may have had more levels, under the same name.
    if (placed.level >= num_levels) {
      return Status::Corruption(TableName(number) + " is on level " + std::to_string(placed.level) +
                                ", but the family has " + std::to_string(num_levels) + " levels");
    }
    levels[static_cast<size_t>(placed.level)].push_back(placed.file);
  }
  SettleSequences(&levels, last_sequence);
  if (comparator_ == nullptr) {
    for (auto& files : levels) {
      std::sort(files.begin(), files.end(),
                [](const FilePtr& a, const FilePtr& b) { return a->number() < b->number(); });
    }
    return std::shared_ptr<const Version>(std::make_shared<Version>(
        *BytewiseComparator(), tables, std::move(levels), LiveBlobs(), FileSearch::kComparator));
  }
  SortNewestFirst(&levels);
  WithKeyOrder(*comparator_, [&](auto order) {
    for (size_t level = 1; level < levels.size(); level++) {
      std::sort(levels[level].begin(), levels[level].end(),
                [order](const FilePtr& a, const FilePtr& b) {
                  return CompareInternalKeys(order, a->smallest, b->smallest) < 0;
                });
    }
  });
  RETURN_IF_ERROR(CheckLevels(*comparator_, levels));
  const TableGrades grades = tables == nullptr ? TableGrades() : tables->grades();
  return std::shared_ptr<const Version>(std::make_shared<Version>(
      *comparator_, tables, std::move(levels), LiveBlobs(), grades.file_search, base_));
}

}  // namespace varve
