// SPDX-License-Identifier: Apache-2.0
// ManifestReplay applies the edits of a MANIFEST to get the state of the database (db-format 4.4):
// at the end for recovery, or after any edit for inspection.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/table/cache/table_cache.h"
#include "core/version/column_families.h"
#include "core/version/version_builder.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// Applies edits as recovery does: families, atomic groups, counters. One thread.
class ManifestReplay {
 public:
  // `options` supplies comparators (null: the one the MANIFEST names) and numbers of levels.
  explicit ManifestReplay(const Options& options);

  Status Apply(const VersionEdit& edit);

  // The state after the edits so far, without those of an unfinished atomic group. May be called
  // after each Apply. Corruption if a rule of db-format section 5 is violated. `tables` is passed
  // to the Versions; null if their tables are not read.
  Result<DatabaseState> State(TableCache* tables);
  // Corruption unless LogNumber, NextFileNumber and LastSequence have all occurred.
  Status CheckComplete() const;
  // Synced sizes of the WALs that the MANIFEST tracks, by number: RocksDB writes them with
  // track_and_verify_wals_in_manifest.
  const std::map<uint64_t, uint64_t>& synced_wals() const { return synced_wals_; }
  // Edits of an atomic group cut off by the end of the file.
  size_t unfinished_group_edits() const { return group_.size(); }

 private:
  struct Family {
    FamilyState state;  // Except the version, which `builder` makes.
    std::unique_ptr<VersionBuilder> builder;
    Status refused = {};  // It cannot be opened with the options: if it is not dropped later.
  };

  Status ApplyNow(const VersionEdit& edit);
  Status AddFamily(ColumnFamilyId id, const std::string& name);
  void TakeCounters(const VersionEdit& edit);
  void TakeWals(const VersionEdit& edit);
  Status TakeFamilyFields(const VersionEdit& edit, Family* family);
  const ColumnFamilyOptions& OptionsOf(const std::string& family) const;

  const Options options_;
  DatabaseCounters counters_;
  std::map<ColumnFamilyId, Family> families_;
  std::unordered_map<std::string, ColumnFamilyId> ids_;  // Of families_, by name.
  std::vector<VersionEdit> group_;
  std::map<uint64_t, uint64_t> synced_wals_;
  bool has_log_number_ = false;
  bool has_next_file_number_ = false;
  bool has_last_sequence_ = false;
};

}  // namespace varve
