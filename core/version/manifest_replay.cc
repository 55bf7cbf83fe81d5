// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_replay.h"

#include <algorithm>
#include <utility>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/version/invariants.h"

namespace varve {
namespace {

bool TracksWals(const VersionEdit& edit) {
  return !edit.wal_additions.empty() || edit.wal_deleted_below.value_or(0) > 0;
}

bool ChangesFiles(const VersionEdit& edit) {
  return !edit.new_files.empty() || !edit.deleted_files.empty() || !edit.blob_additions.empty() ||
         !edit.blob_garbage.empty();
}

std::string FamilyName(ColumnFamilyId id) { return "column family " + std::to_string(id); }

}  // namespace

ManifestReplay::ManifestReplay(const Options& options) : options_(options) {
  AddFamily(kDefaultColumnFamilyId, "default").Ignore("the first family cannot be a second one");
}

const ColumnFamilyOptions& ManifestReplay::OptionsOf(const std::string& family) const {
  const auto it = options_.families.find(family);
  return it == options_.families.end() ? options_.family : it->second;
}

Status ManifestReplay::Apply(const VersionEdit& edit) {
  RETURN_IF_ERROR(CheckNumbers(edit));
  if (!edit.atomic_group_remaining) {
    if (!group_.empty()) {
      return Status::Corruption("an atomic group still lacks " +
                                std::to_string(*group_.back().atomic_group_remaining) +
                                " edits, but this one is not part of it");
    }
    return ApplyNow(edit);
  }
  if (edit.add_family || edit.drop_family) {
    return Status::Corruption("an atomic group adds or drops a column family");
  }
  const uint32_t remaining = *edit.atomic_group_remaining;
  if (!group_.empty() && uint64_t{remaining} + 1 != *group_.back().atomic_group_remaining) {
    return Status::Corruption("an atomic group counts " +
                              std::to_string(*group_.back().atomic_group_remaining) + ", then " +
                              std::to_string(remaining));
  }
  group_.push_back(edit);
  if (remaining > 0) return Status::Ok();
  for (const VersionEdit& member : std::exchange(group_, {})) RETURN_IF_ERROR(ApplyNow(member));
  return Status::Ok();
}

Status ManifestReplay::ApplyNow(const VersionEdit& edit) {
  if (edit.add_family) {
    RETURN_IF_ERROR(AddFamily(edit.family, *edit.add_family));
  } else if (edit.drop_family) {
    const auto dropped = families_.find(edit.family);
    if (edit.family == kDefaultColumnFamilyId || dropped == families_.end()) {
      return Status::Corruption(
          FamilyName(edit.family) + " is dropped, but " +
          (edit.family == kDefaultColumnFamilyId ? "is the default one" : "not there"));
    }
    ids_.erase(dropped->second.state.name);
    families_.erase(dropped);
    TakeCounters(edit);
    return Status::Ok();
  } else if (TracksWals(edit)) {
    TakeCounters(edit);
    TakeWals(edit);
    return Status::Ok();
  }
  const auto it = families_.find(edit.family);
  if (it == families_.end()) {
    return Status::Corruption(FamilyName(edit.family) + " is changed, but not there");
  }
  Family& family = it->second;
  RETURN_IF_ERROR(TakeFamilyFields(edit, &family));
  TakeCounters(edit);
  has_log_number_ |= edit.log_number.has_value();  // Of an existing family.
  // RocksDB ignores files in an edit that adds a family, so we must as well.
  if (edit.add_family || !ChangesFiles(edit)) return Status::Ok();
  if (family.builder == nullptr) {
    const ColumnFamilyOptions& options = OptionsOf(family.state.name);
    family.builder =
        std::make_unique<VersionBuilder>(family.state.comparator, nullptr, options.num_levels);
  }
  return family.builder->Apply(edit).At("column family " + family.state.name);
}

// Any edit may have them: after a rollover RocksDB writes them only with its next edit, which may
// drop a family.
void ManifestReplay::TakeCounters(const VersionEdit& edit) {
  counters_.Take(edit);
  has_next_file_number_ |= edit.next_file_number.has_value();
  has_last_sequence_ |= edit.last_sequence.has_value();
}

void ManifestReplay::TakeWals(const VersionEdit& edit) {
  for (const VersionEdit::WalAddition& wal : edit.wal_additions) {
    if (!wal.synced_size) continue;  // Created, but possibly never synced.
    uint64_t& synced = synced_wals_[wal.number];
    synced = std::max(synced, *wal.synced_size);
  }
  const uint64_t deleted_below = edit.wal_deleted_below.value_or(0);
  synced_wals_.erase(synced_wals_.begin(), synced_wals_.lower_bound(deleted_below));
}

Status ManifestReplay::AddFamily(ColumnFamilyId id, const std::string& name) {
  const auto same_id = families_.find(id);
  const auto same_name = ids_.find(name);
  if (same_id != families_.end() || same_name != ids_.end()) {
    const Family& other =
        same_id != families_.end() ? same_id->second : families_.at(same_name->second);
    return Status::Corruption(FamilyName(id) + ", " + EscapeForDisplay(name) + ", is added, but " +
                              FamilyName(other.state.id) + ", " +
                              EscapeForDisplay(other.state.name) + ", is there");
  }
  ids_.emplace(name, id);
  Family& family = families_[id];
  family.state.id = id;
  family.state.name = name;
  const Comparator* comparator = OptionsOf(name).comparator;
  family.state.comparator = comparator != nullptr ? comparator : BytewiseComparator();
  return Status::Ok();
}

Status ManifestReplay::TakeFamilyFields(const VersionEdit& edit, Family* family) {
  FamilyState& state = family->state;
  if (edit.comparator) {
    const Comparator* demanded = OptionsOf(state.name).comparator;
    family->refused = Status::Ok();
    if (demanded != nullptr && demanded->name() != *edit.comparator) {
      family->refused =
          Status::InvalidArgument("column family " + EscapeForDisplay(state.name) +
                                  " has the comparator " + EscapeForDisplay(*edit.comparator) +
                                  ", but is opened with " + std::string(demanded->name()));
      demanded = nullptr;
    }
    const Comparator* named = demanded != nullptr ? demanded : ComparatorByName(*edit.comparator);
    // Files checked in one order cannot be kept in another.
    if (named != state.comparator && family->builder != nullptr) {
      return Status::Corruption("column family " + EscapeForDisplay(state.name) +
                                " gets the comparator " + EscapeForDisplay(*edit.comparator) +
                                " after its first tables");
    }
    state.comparator = named;
    state.comparator_name = *edit.comparator;
  }
  if (edit.log_number) state.log_number = std::max(state.log_number, *edit.log_number);
  if (edit.full_history_ts_low) state.full_history_ts_low = edit.full_history_ts_low;
  if (edit.persist_user_timestamps) state.persist_user_timestamps = edit.persist_user_timestamps;
  return Status::Ok();
}

Result<DatabaseState> ManifestReplay::State(TableCache* tables) {
  // Families without tables share a Version: there may be very many of them.
  std::map<std::pair<const Comparator*, int>, std::shared_ptr<const Version>> empty;
  DatabaseState state;
  state.counters = counters_;
  for (auto& [id, family] : families_) {
    RETURN_IF_ERROR(family.refused);
    FamilyState copy = family.state;
    const ColumnFamilyOptions& options = OptionsOf(copy.name);
    // Before the tables are checked: their bounds have no timestamps either.
    if (copy.persist_user_timestamps == false && copy.comparator != nullptr &&
        copy.comparator->timestamp_size() != 0) {
      return Status::NotSupported("column family " + EscapeForDisplay(copy.name) +
                                  " has user-defined timestamps that its tables do not keep");
    }
    if (family.builder != nullptr) {
      auto version = family.builder->Build(tables, counters_.last_sequence);
      if (!version.ok()) return version.status().At("column family " + EscapeForDisplay(copy.name));
      copy.version = *std::move(version);
      copy.next_epoch = family.builder->max_epoch() + 1;
    } else {
      auto& shared = empty[{copy.comparator, options.num_levels}];
      if (shared == nullptr) {
        VersionBuilder none(copy.comparator, nullptr, options.num_levels);
        ASSIGN_OR_RETURN(shared, none.Build(tables, counters_.last_sequence));
      }
      copy.version = shared;
      copy.next_epoch = 1;
    }
    state.families.Add(std::move(copy));
  }
  return state;
}

Status ManifestReplay::CheckComplete() const {
  const char* missing = !has_log_number_         ? "LogNumber"
                        : !has_next_file_number_ ? "NextFileNumber"
                        : !has_last_sequence_    ? "LastSequence"
                                                 : nullptr;
  if (missing == nullptr) return Status::Ok();
  return Status::Corruption(std::string("no edit has a ") + missing);
}

}  // namespace varve
