// SPDX-License-Identifier: Apache-2.0
// What a MANIFEST says about a database, as values: the counters and, per column family, its name,
// its log number and its Version.
//
//   MANIFEST --ManifestReader--> DatabaseState --engine installs edits--> DatabaseState
//                                      \--SnapshotEdits--> the next MANIFEST
//
// Plain data without a lock: the engine guards its one instance with its mutex and copies it
// (cheap: files are shared) for whoever writes a MANIFEST without the mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/version/version.h"
#include "varve/comparator.h"
#include "varve/types.h"

namespace varve {

struct FamilyState {
  ColumnFamilyId id = kDefaultColumnFamilyId;
  std::string name;
  std::string comparator_name;  // As stored; empty if the MANIFEST names none.
  // Null if the stored name is nobody's: the family can be listed, not searched. Its Version then
  // holds the files in order of number, unchecked.
  const Comparator* comparator = nullptr;
  uint64_t log_number = 0;  // WALs below it hold nothing this family needs.
  uint64_t next_epoch = 1;  // Max seen + 1: the epoch of the next new L0 file.
  std::optional<std::string> full_history_ts_low;
  std::optional<bool> persist_user_timestamps;
  std::shared_ptr<const Version> version;  // Never null.
};

// The live families, ascending by id. A reference to one lives until the next Add or Drop.
class ColumnFamilies {
 public:
  FamilyState* Find(ColumnFamilyId id);
  const FamilyState* Find(ColumnFamilyId id) const;
  FamilyState* Find(std::string_view name);
  const FamilyState* Find(std::string_view name) const;

  // Requires that neither the id nor the name is taken (CHECKed): ask Find first.
  FamilyState& Add(FamilyState family);
  void Drop(ColumnFamilyId id);  // Requires that it is there.

  const std::vector<FamilyState>& all() const { return families_; }
  size_t size() const { return families_.size(); }

  // The lowest log number any family still needs; WALs below it are garbage.
  uint64_t MinLogNumber() const;

 private:
  std::vector<FamilyState> families_;
};

// The counters of the whole database (db-format 4.4).
struct DatabaseCounters {
  std::string db_id;  // Empty: the MANIFEST has none; IDENTITY may.
  FileNumber next_file_number = 2;
  Sequence last_sequence = 0;
  uint64_t prev_log_number = 0;  // LevelDB's; 0 in ours.
  uint64_t min_log_number_to_keep = 0;
  ColumnFamilyId max_family = 0;  // Highest id ever used.

  // Takes what `edit` says: the last value wins, but MinLogNumberToKeep and the highest family id
  // only grow. The ids of families that are added count as well: RocksDB logs the highest one only
  // when it drops a family.
  void Take(const VersionEdit& edit);
};

struct DatabaseState {
  DatabaseCounters counters;
  ColumnFamilies families;

  // The state after `edit`, which has been logged: counters, the family's log number (never
  // lowered) and epoch counter. `version`: what VersionBuilder made of the edit's file changes;
  // null for an edit without any. Requires that the edit's family is live. Adding and dropping
  // families is AddFamily's and families.Drop's.
  void Install(const VersionEdit& edit, std::shared_ptr<const Version> version);

  // The lowest WAL number a recovery would replay.
  uint64_t MinLogToReplay() const;
  ColumnFamilyId HighestFamilyId() const;
  // An id that no family ever had; nullopt if they are used up.
  std::optional<ColumnFamilyId> NextFamilyId() const;
};

// The highest id that is given out. A half of what the format has: RocksDB adds one to the highest
// that it knows of without asking whether there is one.
inline constexpr ColumnFamilyId kFamilyIdMax = (ColumnFamilyId{1} << 31) - 1;

// The records of a fresh MANIFEST that says all of `state` (db-format 4.6), in order.
std::vector<VersionEdit> SnapshotEdits(const DatabaseState& state);

}  // namespace varve
