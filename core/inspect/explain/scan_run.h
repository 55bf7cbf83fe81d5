// SPDX-License-Identifier: Apache-2.0
// One of the sorted runs that a scan merges: the logs, a table of level 0, or a level. Walks like
// RocksDB's iterators, and records each block read; for explain_scan.cc.
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

  // Moves to the first entry >= `target`, or the first of all if it is null. Moves return whether
  // the run is on an entry: not at its end, the scan's end, or at damage (reported in its part).
  virtual bool Seek(const InternalKey* target) = 0;
  virtual bool Next() = 0;

  const InternalKey& key() const { return key_; }
  std::string_view value() const { return value_; }
  // The part being walked; valid after the first Seek().
  ScanPart& part() { return parts_.back(); }
  std::vector<ScanPart>& parts() { return parts_; }

 protected:
  InternalKey key_;
  std::string_view value_;
  std::vector<ScanPart> parts_;
};

// State of the scan that runs use. All of it must outlive the runs.
struct ScanContext {
  const KeyReader& reader;
  const ScanQuestion& question;
  TombstoneCollector& tombstones;  // Runs add the tombstones they find.
  uint64_t* comparisons;
};

std::unique_ptr<ScanRun> NewLogRun(const ScanContext& context);
// `files` in key order, not overlapping: one of level 0, or all of a level.
std::unique_ptr<ScanRun> NewFileRun(const ScanContext& context, std::span<const FilePtr> files,
                                    int level);

}  // namespace varve
