// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_origin.h"

#include <algorithm>

#include "core/format/file_name.h"
#include "core/version/manifest_reader.h"

namespace varve {
namespace {

constexpr std::string_view kGoCurrentBackup = "CURRENT.bak";

bool HasTagOfRocksDb(const VersionEdit& edit) {
  const bool of_families = edit.family != kDefaultColumnFamilyId || edit.add_family ||
                           edit.drop_family || edit.max_family || edit.full_history_ts_low ||
                           edit.persist_user_timestamps;
  const bool of_files = !edit.blob_additions.empty() || !edit.blob_garbage.empty() ||
                        !edit.wal_additions.empty() || edit.wal_deleted_below;
  return of_families || of_files || edit.min_log_number_to_keep || edit.db_id ||
         edit.atomic_group_remaining || !edit.skipped_tags.empty() ||
         std::any_of(edit.new_files.begin(), edit.new_files.end(),
                     [](const VersionEdit::NewFile& added) { return added.file.sequences_known; });
}

bool HasAnyCounter(const VersionEdit& edit) {
  return edit.log_number || edit.prev_log_number || edit.next_file_number || edit.last_sequence;
}

bool HasAllCounters(const VersionEdit& edit) {
  return edit.log_number && edit.prev_log_number && edit.next_file_number && edit.last_sequence;
}

}  // namespace

void ManifestOriginTest::Take(const VersionEdit& edit) {
  has_tag_of_rocksdb_ |= HasTagOfRocksDb(edit);
  has_tables_ |= !edit.new_files.empty();
  if (edits_ == 0) {
    begins_with_snapshot_ = !HasAnyCounter(edit);
    grouped_as_leveldb_ = edit.comparator && begins_with_snapshot_;
    begins_with_all_ =
        edit.comparator && edit.log_number && edit.next_file_number && edit.last_sequence;
    starts_new_ = begins_with_all_ && *edit.log_number == 0 && *edit.last_sequence == 0;
  } else {
    grouped_as_leveldb_ &= !edit.comparator && HasAllCounters(edit);
  }
  ++edits_;
}

ManifestOrigin ManifestOriginTest::origin() const {
  if (has_tag_of_rocksdb_) return ManifestOrigin::kRocksDb;
  if (has_tables_ || starts_new_) return ManifestOrigin::kLevelDb;
  if (begins_with_all_) return ManifestOrigin::kRocksDbUnlessOfGo;
  // CURRENT names a snapshot only after the edit that caused it was appended.
  return grouped_as_leveldb_ && edits_ > 1 ? ManifestOrigin::kEither : ManifestOrigin::kRocksDb;
}

bool IsLevelDb(FileSystem& fs, const std::string& directory, ManifestOrigin origin) {
  switch (origin) {
    case ManifestOrigin::kRocksDb:
      return false;
    case ManifestOrigin::kLevelDb:
      return true;
    case ManifestOrigin::kEither:
      return !fs.Exists(JoinPath(directory, kIdentityFileName));
    case ManifestOrigin::kRocksDbUnlessOfGo:
      return fs.Exists(JoinPath(directory, kGoCurrentBackup));
  }
  return false;
}

bool HoldsLevelDb(FileSystem& fs, const std::string& directory) {
  const auto current = ReadCurrent(fs, directory);
  if (!current.ok()) return false;
  const auto scanner = ManifestScanner::Open(fs, JoinPath(directory, ManifestFileName(*current)));
  if (!scanner.ok()) return false;
  ManifestOriginTest test;
  for (;;) {
    const auto record = (*scanner)->Next();
    if (!record.ok() || !*record) return IsLevelDb(fs, directory, test.origin());
    test.Take((*record)->edit);
  }
}

Status RefuseToWriteLevelDb(const std::string& directory) {
  return Status::NotSupported(
      directory +
      ": a LevelDB database, which LevelDB could not read any more once it was written to; it "
      "opens read-only. To convert it: varve dump OLD | varve load NEW -");
}

}  // namespace varve
