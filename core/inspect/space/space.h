// SPDX-License-Identifier: Apache-2.0
// The space usage of a database: live data, data hidden by newer versions or deletions, the
// deletions themselves, and files that the MANIFEST does not name.
//
//   L0    k@9:put  k@7:put  m@8:delete       live         k@9  z@1     what a full compaction keeps
//   L6    k@3:put  m@2:put  z@1:put          shadowed     k@7  k@3  m@2
//                                            tombstones   m@8
//
// Bytes are those of internal keys and values before compression, as in rocksdb.raw.key.size and
// rocksdb.raw.value.size. Everything is as of now: snapshots of a running process are not visible
// in its files.
//
// An exact report merges all tables and logs of a family once, in bounded memory. An estimate reads
// only some random slices of the key space and gives 95 % confidence intervals.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/inspect/progress.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

struct SpaceCount {
  uint64_t entries = 0;
  uint64_t bytes = 0;

  void Add(uint64_t size) {
    ++entries;
    bytes += size;
  }
};

struct SpaceTotals {
  SpaceCount live, shadowed, tombstones;

  uint64_t entries() const { return live.entries + shadowed.entries + tombstones.entries; }
  uint64_t bytes() const { return live.bytes + shadowed.bytes + tombstones.bytes; }
};

inline constexpr int kWalLevel = -1;

struct SpaceLevel {
  int level = kWalLevel;  // kWalLevel: entries that are in the logs only.
  uint64_t files = 0, file_bytes = 0;
  SpaceTotals totals;
};

struct SpacePrefix {
  std::string prefix;
  SpaceTotals totals;
};

// Entries that a scan skips between two returned keys.
struct SkipRun {
  uint64_t skipped = 0, tombstones = 0;
  std::optional<std::string> after, before;  // The returned keys on either side; nullopt: the end.
};

// A part of the key space, for maps.
struct SpaceSlice {
  std::string from;  // Inclusive; it ends where the next begins.
  SpaceTotals totals;
  uint64_t keys = 0;     // Returned by a scan.
  uint64_t skipped = 0;  // Entries that a scan skips.
};

// Sizes by power of two: bucket i counts sizes in [2^(i-1), 2^i), bucket 0 those of 0.
using SizeHistogram = std::array<uint64_t, 33>;

struct SpaceInterval {
  double estimate = 0, low = 0, high = 0;
};

struct SpaceFamily {
  ColumnFamilyId id = 0;
  std::string name;
  std::string not_supported;       // Why the following members are unknown; usually empty.
  std::vector<SpaceLevel> levels;  // Levels with data, the logs first.
  SpaceTotals total;               // Of the slices read, if sampled.
  SpaceCount merge_operands;       // Part of total.live: a compaction folds them together.
  uint64_t range_deletions = 0;    // Part of total.tombstones.
  uint64_t blob_bytes = 0, blob_garbage_bytes = 0;
  std::vector<SpacePrefix> prefixes;  // Largest first, at most kSpacePrefixesMax.
  bool prefixes_complete = true;

  uint64_t keys = 0;                  // Returned by a scan.
  uint64_t skipped = 0;               // Entries that a scan skips.
  std::vector<SkipRun> longest_runs;  // Longest first, at most kSkipRunsMax.
  std::vector<SpaceSlice> slices;     // Of the whole range, in key order, about kSpaceSlices.
  SizeHistogram key_sizes{}, value_sizes{};

  // Estimates only:
  uint64_t slices_looked_at = 0, slices_there = 0;
  uint64_t raw_bytes = 0;  // Of all tables, from their properties.
  std::optional<SpaceInterval> live_bytes, shadowed_bytes, tombstone_bytes, skipped_per_key;
};

struct SpaceFile {
  std::string name;
  uint64_t bytes = 0;
};

struct SpaceReport {
  bool exact = true;
  uint64_t table_bytes = 0, blob_bytes = 0, wal_bytes = 0, manifest_bytes = 0, other_bytes = 0;
  std::vector<SpaceFamily> families;
  // What the next read-write open deletes: obsolete tables, blob files, logs and MANIFESTs.
  std::vector<SpaceFile> orphans;
  uint64_t orphan_bytes = 0;
};

inline constexpr size_t kSpacePrefixesMax = 1000;
inline constexpr size_t kSkipRunsMax = 20;
inline constexpr size_t kSpaceSlices = 64;

struct SpaceOptions {
  std::optional<std::string> family = {};         // Nullopt: all.
  std::optional<std::string> from = {}, to = {};  // User keys, half-open.
  // Instead of both. Families whose order scatters the keys of a prefix are not_supported.
  std::optional<std::string> prefix = {};
  // How keys are grouped into prefixes: by length, or up to and including a byte. Neither: no
  // prefixes.
  size_t prefix_length = 0;
  std::optional<char> delimiter = {};
  bool estimate = false;
  uint64_t samples = 40;
  uint64_t seed = 1;
  VerifyProgressFn progress = nullptr;  // Counts bytes of entries.
};

// Fails on damage: a partial report would be wrong.
Result<SpaceReport> ReportSpace(FileSystem& fs, const std::string& path,
                                const SpaceOptions& options);

}  // namespace varve
