// SPDX-License-Identifier: Apache-2.0
// The state of a database as its MANIFEST records it: counters and, per column family, name, log
// number and Version.
//
//   MANIFEST --ReadManifest()--> DatabaseState --engine installs edits--> DatabaseState
//                                      \--SnapshotEdits()--> the next MANIFEST
//
// Plain data without a lock: the engine guards its instance with its mutex, and copies it (cheaply:
// files are shared) to write a MANIFEST without holding the mutex.
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
  // Null if the comparator is unknown: the family can be listed, not searched. Its Version then has
  // the files ordered by number, unchecked.
  const Comparator* comparator = nullptr;
  uint64_t log_number = 0;  // The family needs no WAL below it.
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

  // Requires that neither the id nor the name exists (CHECKed): call Find first.
  FamilyState& Add(FamilyState family);
  void Drop(ColumnFamilyId id);  // Requires that it exists.

  const std::vector<FamilyState>& all() const { return families_; }
  size_t size() const { return families_.size(); }

  // The lowest log number that any family needs; WALs below it are obsolete.
  uint64_t MinLogNumber() const;

 private:
  std::vector<FamilyState> families_;
};

// The counters of the whole database (db-format 4.4).
struct DatabaseCounters {
  std::string db_id;  // Empty: not in the MANIFEST, but maybe in IDENTITY.
  FileNumber next_file_number = 2;
  Sequence last_sequence = 0;
  uint64_t prev_log_number = 0;  // LevelDB's; 0 in ours.
  // 0: as the families need them. Otherwise, prepared transactions may need logs that no family
  // does, and it is written whenever the latter changes.
  uint64_t min_log_number_to_keep = 0;
  ColumnFamilyId max_family = 0;  // Highest id ever used.

  // Applies `edit`: the last value wins, but MinLogNumberToKeep and the highest family id only
  // increase. Ids of added families count as well, since RocksDB logs the highest id only when it
  // drops a family.
  void Take(const VersionEdit& edit);
};

struct DatabaseState {
  DatabaseCounters counters;
  ColumnFamilies families;

  // Applies `edit` after it was logged: counters, the family's log number (never decreased) and
  // epoch counter. `version`: the result of VersionBuilder for the edit's file changes; null if it
  // has none. Requires that the edit's family exists. For added and dropped families call
  // AddFamily() and families.Drop() instead.
  void Install(const VersionEdit& edit, std::shared_ptr<const Version> version);

  // The lowest WAL number that recovery would replay: for families that do not need a log, only
  // what it has of prepared transactions counts.
  uint64_t MinLogToReplay() const;
  ColumnFamilyId HighestFamilyId() const;
  // An id never used before; nullopt if all are used up.
  std::optional<ColumnFamilyId> NextFamilyId() const;
};

// The highest id that may be assigned: half of the format's range, because RocksDB increments the
// highest known id without checking for overflow.
inline constexpr ColumnFamilyId kFamilyIdMax = (ColumnFamilyId{1} << 31) - 1;

// The tables and blob files of a family, as the edit that adds them.
VersionEdit FilesOf(const FamilyState& family);

// The records of a new MANIFEST for all of `state` (db-format 4.6), in order.
std::vector<VersionEdit> SnapshotEdits(const DatabaseState& state);

}  // namespace varve
