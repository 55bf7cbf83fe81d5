// SPDX-License-Identifier: Apache-2.0
#include "core/version/column_families.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/check.h"

namespace varve {

VersionEdit FilesOf(const FamilyState& family) {
  VersionEdit edit;
  edit.family = family.id;
  const Version& version = *family.version;
  for (int level = 0; level < version.num_levels(); level++) {
    for (const FilePtr& file : version.files(level)) {
      edit.new_files.push_back({level, file->description});
    }
  }
  for (const BlobFileMetadata& blob : version.blob_files()) {
    edit.blob_additions.push_back(
        {blob.number, blob.blobs, blob.bytes, blob.checksum_method, blob.checksum_value});
    if (blob.garbage_blobs > 0) {
      edit.blob_garbage.push_back({blob.number, blob.garbage_blobs, blob.garbage_bytes});
    }
  }
  return edit;
}

FamilyState* ColumnFamilies::Find(ColumnFamilyId id) {
  return const_cast<FamilyState*>(std::as_const(*this).Find(id));
}

const FamilyState* ColumnFamilies::Find(ColumnFamilyId id) const {
  const auto it = std::lower_bound(families_.begin(), families_.end(), id,
                                   [](const FamilyState& f, ColumnFamilyId i) { return f.id < i; });
  return it != families_.end() && it->id == id ? &*it : nullptr;
}

FamilyState* ColumnFamilies::Find(std::string_view name) {
  return const_cast<FamilyState*>(std::as_const(*this).Find(name));
}

const FamilyState* ColumnFamilies::Find(std::string_view name) const {
  for (const FamilyState& family : families_) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

FamilyState& ColumnFamilies::Add(FamilyState family) {
  CHECK(Find(family.id) == nullptr);
  DCHECK(Find(family.name) == nullptr, "names of families are unique");
  CHECK(family.version != nullptr);
  const auto place =
      std::upper_bound(families_.begin(), families_.end(), family.id,
                       [](ColumnFamilyId id, const FamilyState& f) { return id < f.id; });
  DCHECK(place == families_.begin() || std::prev(place)->id < family.id);
  return *families_.insert(place, std::move(family));
}

void ColumnFamilies::Drop(ColumnFamilyId id) {
  const size_t dropped =
      std::erase_if(families_, [id](const FamilyState& f) { return f.id == id; });
  CHECK_OP(dropped, ==, 1);
}

uint64_t ColumnFamilies::MinLogNumber() const {
  if (families_.empty()) return 0;
  uint64_t lowest = std::numeric_limits<uint64_t>::max();
  for (const FamilyState& family : families_) lowest = std::min(lowest, family.log_number);
  return lowest;
}

void DatabaseCounters::Take(const VersionEdit& edit) {
  if (edit.db_id) db_id = *edit.db_id;
  if (edit.next_file_number) next_file_number = *edit.next_file_number;
  if (edit.last_sequence) last_sequence = *edit.last_sequence;
  if (edit.prev_log_number) prev_log_number = *edit.prev_log_number;
  if (edit.min_log_number_to_keep) {
    min_log_number_to_keep = std::max(min_log_number_to_keep, *edit.min_log_number_to_keep);
  }
  max_family = std::max(max_family, edit.max_family.value_or(0));
  if (edit.add_family) max_family = std::max(max_family, edit.family);
}

void DatabaseState::Install(const VersionEdit& edit, std::shared_ptr<const Version> version) {
  FamilyState* family = families.Find(edit.family);
  CHECK(family != nullptr);
  CHECK(!edit.add_family && !edit.drop_family);
  counters.Take(edit);
  if (edit.log_number) family->log_number = std::max(family->log_number, *edit.log_number);
  if (edit.full_history_ts_low) family->full_history_ts_low = edit.full_history_ts_low;
  for (const VersionEdit::NewFile& added : edit.new_files) {
    family->next_epoch = std::max(family->next_epoch, added.file.epoch + 1);
  }
  CHECK(version != nullptr || edit.new_files.empty());
  if (version != nullptr) family->version = std::move(version);
}

uint64_t DatabaseState::MinLogToReplay() const {
  const uint64_t kept = counters.min_log_number_to_keep;
  return kept > 0 ? kept : families.MinLogNumber();
}

ColumnFamilyId DatabaseState::HighestFamilyId() const {
  const ColumnFamilyId highest = counters.max_family;
  return families.all().empty() ? highest : std::max(highest, families.all().back().id);
}

std::optional<ColumnFamilyId> DatabaseState::NextFamilyId() const {
  const ColumnFamilyId highest = HighestFamilyId();
  if (highest >= kFamilyIdMax) return std::nullopt;
  DCHECK(families.Find(highest + 1) == nullptr, "an id is used once");
  return highest + 1;
}

std::vector<VersionEdit> SnapshotEdits(const DatabaseState& state) {
  std::vector<VersionEdit> edits;
  if (!state.counters.db_id.empty()) {
    edits.emplace_back().db_id = state.counters.db_id;
  }
  for (const FamilyState& family : state.families.all()) {
    // Files must not be in the edit that adds a family: RocksDB would ignore them.
    VersionEdit& identity = edits.emplace_back();
    identity.family = family.id;
    if (family.id != kDefaultColumnFamilyId) identity.add_family = family.name;
    if (!family.comparator_name.empty()) identity.comparator = family.comparator_name;
    identity.persist_user_timestamps = family.persist_user_timestamps;

    VersionEdit files = FilesOf(family);
    files.log_number = family.log_number;
    files.last_sequence = state.counters.last_sequence;
    files.full_history_ts_low = family.full_history_ts_low;
    if (family.id == kDefaultColumnFamilyId && state.counters.min_log_number_to_keep > 0) {
      files.min_log_number_to_keep = state.counters.min_log_number_to_keep;
    }
    edits.push_back(std::move(files));
  }
  VersionEdit& counters = edits.emplace_back();
  counters.prev_log_number = 0;
  counters.next_file_number = state.counters.next_file_number;
  counters.last_sequence = state.counters.last_sequence;
  const ColumnFamilyId max_family = state.HighestFamilyId();
  if (max_family > 0) counters.max_family = max_family;
  return edits;
}

}  // namespace varve
