// SPDX-License-Identifier: Apache-2.0
// What an open database tells of its tables, and syncing its WALs on request.
#include <algorithm>
#include <utility>

#include "core/base/keys/timestamps.h"
#include "core/base/try.h"
#include "core/engine/engine.h"
#include "core/format/file_name.h"
#include "core/version/range_size.h"
#include "core/wal/wal_walk.h"

namespace varve {
namespace {

LiveFile Describe(const Version& version, int level, const FileMetadata& file) {
  LiveFile described{.number = file.number(),
                     .level = level,
                     .size = file.size(),
                     .smallest_key = std::string(file.smallest.user_key),
                     .largest_key = std::string(file.largest.user_key),
                     .smallest_sequence = file.description.smallest_sequence,
                     .largest_sequence = file.description.largest_sequence};
  const auto table = version.Open(file);
  if (!table.ok()) return described;  // A table that cannot be read is one to be listed as well.
  described.entries = (*table)->properties().entries;
  described.deletions = (*table)->properties().deletions;
  return described;
}

// Whether a running compaction may read or write the file: its outputs span its inputs.
bool MayBeUsed(const std::vector<Background::OutputRange>& running, const FileMetadata& file,
               const Comparator& comparator) {
  return std::any_of(running.begin(), running.end(), [&](const Background::OutputRange& range) {
    return range.Meets(comparator, file.smallest.user_key, file.largest.user_key);
  });
}

bool IsWithin(const FileMetadata& file, std::optional<std::string_view> begin,
              std::optional<std::string_view> end, const Comparator& comparator) {
  return (!begin || comparator.Compare(*begin, file.smallest.user_key) <= 0) &&
         (!end || comparator.Compare(file.largest.user_key, *end) <= 0);
}

}  // namespace

Result<std::shared_ptr<const Version>> Engine::VersionToRead(ColumnFamilyId id) const {
  RETURN_IF_ERROR(FamilyToRead(id).status());
  MutexLock lock(context_.mutex());
  std::shared_ptr<const Version> version = log_->VersionOf(id);
  if (version != nullptr) return version;
  return Status::InvalidArgument("there is no column family " + std::to_string(id));
}

Result<std::vector<LiveFile>> Engine::LiveFiles(ColumnFamilyId id) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Version> version, VersionToRead(id));
  return FilesOf(*version);
}

std::vector<LiveFile> Engine::FilesOf(const Version& version) {
  std::vector<LiveFile> files;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      files.push_back(Describe(version, level, *file));
    }
  }
  return files;
}

Result<std::vector<LogFile>> Engine::LogFiles() {
  const FileHold hold(this);
  uint64_t present = 0;
  if (!context_.read_only) {
    MutexLock lock(context_.mutex());
    present = wals_.present_number();
  }
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, context_.fs().List(directory()));
  std::vector<LogFile> logs;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind != FileKind::kWal) continue;
    const Result<WalFile> wal = OpenWal(context_.fs(), directory(), name->number);
    // Of a read-only database, another process may delete it.
    if (wal.status().code() == Code::kNotFound) continue;
    RETURN_IF_ERROR(wal.status());
    logs.push_back({name->number, wal->size, FirstSequence(*wal), name->number == present});
  }
  std::ranges::sort(logs, {}, &LogFile::number);
  return logs;
}

Result<uint64_t> Engine::ApproximateSize(std::optional<std::string_view> begin,
                                         std::optional<std::string_view> end,
                                         ColumnFamilyId id) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Version> version, VersionToRead(id));
  const StoredRange stored(version->comparator(), begin, end, StoredRange::End::kExcluded);
  const KeyRange range(OwnedBound(stored.begin()), OwnedBound(stored.end()));
  ASSIGN_OR_RETURN(const varve::ApproximateSize size, MeasureTables(*version, range));
  return size.bytes;
}

Status Engine::DeleteFilesInRange(std::optional<std::string_view> begin,
                                  std::optional<std::string_view> end, ColumnFamilyId id) {
  ASSIGN_OR_RETURN(const Family* const family, FamilyToChange(id));
  const WritePause pause(this);
  const CompactionHold hold(this);
  const std::vector<Background::OutputRange> running = hold.RunningOutputs(*family);
  ASSIGN_OR_RETURN(const std::shared_ptr<const Version> version, VersionToRead(id));
  const StoredRange range(version->comparator(), begin, end, StoredRange::End::kIncluded);
  VersionEdit edit;
  edit.family = id;
  for (int level = 1; level < version->num_levels(); ++level) {
    for (const FilePtr& file : version->Overlapping(level, range.begin(), range.end())) {
      if (!IsWithin(*file, range.begin(), range.end(), version->comparator())) continue;
      if (MayBeUsed(running, *file, version->comparator())) continue;
      edit.deleted_files.push_back({level, file->number()});
    }
  }
  if (edit.deleted_files.empty()) return Status::Ok();
  RETURN_IF_ERROR(SyncWal());
  return Log({std::move(edit)});
}

Status Engine::IncreaseFullHistoryTsLow(std::string_view timestamp, ColumnFamilyId id) {
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  if (family->timestamp_size() == 0 || timestamp.size() != family->timestamp_size()) {
    return Status::InvalidArgument("full_history_ts_low of " + std::to_string(timestamp.size()) +
                                   " bytes, and the timestamps of the keys have " +
                                   std::to_string(family->timestamp_size()));
  }
  const Comparator& order = *family->comparator();
  {
    MutexLock lock(context_.mutex());
    const std::string& now = family->full_history_ts_low();
    if (!now.empty() && order.CompareTimestamps(timestamp, now) < 0) {
      return Status::InvalidArgument("full_history_ts_low would decrease");
    }
  }
  std::string low;
  const auto make = [&]() REQUIRES(engine_mutex) {
    // Another call may have been faster.
    const std::string& now = family->full_history_ts_low();
    low = now.empty() || order.CompareTimestamps(timestamp, now) > 0 ? std::string(timestamp) : now;
    VersionEdit edit;
    edit.family = id;
    edit.full_history_ts_low = low;
    return std::vector{edit};
  };
  return log_->Log(make, [&]() REQUIRES(engine_mutex) {
    if (family->dropped()) return;
    family->SetFullHistoryTsLow(low);
    family->Publish(log_->VersionOf(id));
  });
}

Result<std::string> Engine::FullHistoryTsLow(ColumnFamilyId id) const {
  ASSIGN_OR_RETURN(const Family* const family, FamilyToRead(id));
  if (family->timestamp_size() == 0) return Status::InvalidArgument("keys have no timestamps");
  MutexLock lock(context_.mutex());
  return family->full_history_ts_low();
}

Status Engine::SyncAllWals() {
  RETURN_IF_ERROR(CheckWritable());
  const WritePause pause(this);
  return SyncWal();
}

}  // namespace varve
