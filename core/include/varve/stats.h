// SPDX-License-Identifier: Apache-2.0
// What a running database has done and is doing: plain figures, as DB::Stats() and
// DB::StatsOfFamilies() return them. Every figure is since Open() unless it says "now".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "varve/types.h"

namespace varve {

// How long something took, by powers of two of a nanosecond.
struct Durations {
  static constexpr size_t kBuckets = 40;  // The last one begins at 2^38 ns, some 4.6 minutes.

  uint64_t count = 0;        // Durations that were taken.
  uint64_t total_nanos = 0;  // Their sum.
  // buckets[i] took less than 2^i ns and, but for the first, not less than 2^(i-1); the last one
  // has everything longer.
  std::array<uint64_t, kBuckets> buckets = {};

  // Adds those of `other` to these.
  void Add(const Durations& other) {
    count += other.count;
    total_nanos += other.total_nanos;
    for (size_t i = 0; i < kBuckets; ++i) buckets[i] += other.buckets[i];
  }
  // The index of the bucket that a duration goes into.
  static constexpr size_t BucketOf(uint64_t nanos) {
    size_t bits = 0;
    for (; nanos > 0; nanos >>= 1) ++bits;
    return bits < kBuckets ? bits : kBuckets - 1;
  }
};

// How much is in one level of a column family.
struct LevelInfo {
  int level = 0;       // 0 is where flushes put tables.
  uint64_t files = 0;  // Tables in it.
  uint64_t bytes = 0;  // The sum of their sizes.
};

// The figures of one column family, as DB::StatsOfFamilies() returns them.
struct FamilyStats {
  ColumnFamilyId id = 0;                  // As in FamilyInfo.
  std::string name;                       // As in FamilyInfo.
  std::vector<LevelInfo> levels;          // Now.
  uint64_t memtable_bytes = 0;            // Now; where writes go.
  uint64_t sealed_memtables = 0;          // Now; waiting for a flush.
  uint64_t sealed_memtable_bytes = 0;     // Now.
  uint64_t pending_compaction_bytes = 0;  // Now, estimated.

  uint64_t gets = 0;                   // Calls of Get().
  uint64_t gets_found = 0;             // Those of them that found a value.
  uint64_t multigets = 0;              // Calls of MultiGet().
  uint64_t multiget_keys = 0;          // Keys that these asked for.
  uint64_t multiget_keys_found = 0;    // Those of the keys that had a value.
  uint64_t iterators = 0;              // Made by NewIterator().
  uint64_t filter_negatives = 0;       // Filters that kept a point read from searching a table.
  uint64_t filter_positives = 0;       // Filters that let the table be searched.
  uint64_t filter_true_positives = 0;  // Those of the latter where the key was there.
  Durations get_durations;             // Of one get in 64.
  Durations multiget_durations;        // Of one call in 64.
};

// The figures of a database, as DB::Stats() returns them.
struct DbStats {
  Sequence last_sequence = 0;          // Now: of the newest write that readers see.
  uint64_t memtable_bytes = 0;         // Now, sealed ones included.
  uint64_t block_cache_bytes = 0;      // Now: what is in the cache, others' blocks, too, if shared.
  uint64_t block_cache_capacity = 0;   // Bytes that it may hold.
  uint64_t block_cache_hits = 0;       // Blocks found there, by all that share it, ever.
  uint64_t block_cache_misses = 0;     // Blocks not found there; as block_cache_hits.
  uint64_t batches_written = 0;        // Calls of Write().
  uint64_t entries_written = 0;        // Puts, deletes, merges in them.
  uint64_t user_bytes_written = 0;     // Keys and values given to Write().
  uint64_t wal_bytes_written = 0;      // With the WALs' own headers.
  uint64_t flush_bytes_written = 0;    // Tables made by flushes.
  uint64_t compaction_bytes_read = 0;  // Also by those that still run.
  uint64_t compaction_bytes_written = 0;  // Tables made by compactions.
  uint64_t flushes = 0;                   // Those that are done.
  uint64_t compactions = 0;               // Those that are done and rewrote, or dropped, tables.
  uint64_t trivial_moves = 0;             // Compactions that only changed the level of tables.
  uint64_t stalls = 0;                    // Groups of writes that had to wait.
  uint64_t stall_micros = 0;              // How long they waited, together.
  std::string stall_cause;                // Now: "", "memtables", "level0 files", "pending bytes".
  Durations write_durations;              // Of one call of Write() in 64, waiting included.
  Durations flush_durations;              // Of flushes.
  Durations compaction_durations;         // Of those that rewrote something.
};

}  // namespace varve
