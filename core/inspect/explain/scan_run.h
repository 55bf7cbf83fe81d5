// SPDX-License-Identifier: Apache-2.0
// One of the sorted runs that a scan merges: the logs, a table of level 0, or a level. Walked as
// RocksDB's iterators do it, with a note of each block on the way; for explain_scan.cc.
//
//   level:  file | file | file        opened when the walk gets there
//   table:  index -> data block -> entries, the next block when one ends
//
// One thread.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inspect/explain/explain_scan.h"
#include "core/inspect/explain/key_reader.h"
#include "core/iterator/range_tombstones.h"

namespace varve {

class ScanRun {
 public:
  ScanRun() = default;
  virtual ~ScanRun() = default;
  ScanRun(const ScanRun&) = delete;
  ScanRun& operator=(const ScanRun&) = delete;

  // To the first entry >= `target`, or the first of all if it is null. Moves return whether the run
  // stands on an entry: not at its end, nor at the scan's, nor on damage (which its part has).
  virtual bool Seek(const InternalKey* target) = 0;
  virtual bool Next() = 0;

  const InternalKey& key() const { return key_; }
  std::string_view value() const { return value_; }
  ScanPart& part() { return parts_.back(); }  // Where the walk is; after the first Seek().
  std::vector<ScanPart>& parts() { return parts_; }

 protected:
  InternalKey key_;
  std::string_view value_;
  std::vector<ScanPart> parts_;
};

// What a run needs of its scan. All of it outlives the runs.
struct ScanContext {
  const KeyReader& reader;
  const ScanQuestion& question;
  TombstoneCollector& tombstones;  // Runs add what they meet.
  uint64_t* comparisons;
};

std::unique_ptr<ScanRun> NewLogRun(const ScanContext& context);
// `files` in the order of keys, not overlapping: one of level 0, or all of a level.
std::unique_ptr<ScanRun> NewFileRun(const ScanContext& context, std::span<const FilePtr> files,
                                    int level);

}  // namespace varve
