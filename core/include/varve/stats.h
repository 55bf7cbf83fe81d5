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
  static constexpr size_t kBuckets = 40;

  uint64_t count = 0;
  uint64_t total_nanos = 0;
  // buckets[i] took less than 2^i ns and, but for the first, not less than 2^(i-1); the last one
  // has everything longer.
  std::array<uint64_t, kBuckets> buckets = {};

  void Add(const Durations& other) {
    count += other.count;
    total_nanos += other.total_nanos;
    for (size_t i = 0; i < kBuckets; ++i) buckets[i] += other.buckets[i];
  }
  // Where a duration goes.
  static constexpr size_t BucketOf(uint64_t nanos) {
    size_t bits = 0;
    for (; nanos > 0; nanos >>= 1) ++bits;
    return bits < kBuckets ? bits : kBuckets - 1;
  }
};

struct LevelInfo {
  int level = 0;
  uint64_t files = 0;
  uint64_t bytes = 0;
};

struct FamilyStats {
  ColumnFamilyId id = 0;
  std::string name;
  std::vector<LevelInfo> levels;          // Now.
  uint64_t memtable_bytes = 0;            // Now; where writes go.
  uint64_t sealed_memtables = 0;          // Now; waiting for a flush.
  uint64_t sealed_memtable_bytes = 0;     // Now.
  uint64_t pending_compaction_bytes = 0;  // Now, estimated.

  uint64_t gets = 0;
  uint64_t gets_found = 0;
  uint64_t multigets = 0;  // Calls.
  uint64_t multiget_keys = 0;
  uint64_t multiget_keys_found = 0;
  uint64_t iterators = 0;  // Made.
  // Filters asked by point reads: those that kept a table from being searched, those that let it
  // be, and among the latter those where the key was there.
  uint64_t filter_negatives = 0;
  uint64_t filter_positives = 0;
  uint64_t filter_true_positives = 0;
  Durations get_durations;       // Of one get in 64.
  Durations multiget_durations;  // Of one call in 64.
};

struct DbStats {
  Sequence last_sequence = 0;      // Now.
  uint64_t memtable_bytes = 0;     // Now, sealed ones included.
  uint64_t block_cache_bytes = 0;  // Now.
  uint64_t block_cache_capacity = 0;
  uint64_t block_cache_hits = 0;
  uint64_t block_cache_misses = 0;
  uint64_t batches_written = 0;     // Calls of Write().
  uint64_t entries_written = 0;     // Puts, deletes, merges in them.
  uint64_t user_bytes_written = 0;  // Keys and values given to Write().
  uint64_t wal_bytes_written = 0;
  uint64_t flush_bytes_written = 0;
  uint64_t compaction_bytes_read = 0;  // Also by those that still run.
  uint64_t compaction_bytes_written = 0;
  uint64_t flushes = 0;
  uint64_t compactions = 0;
  uint64_t trivial_moves = 0;
  uint64_t stalls = 0;  // Groups of writes that had to wait.
  uint64_t stall_micros = 0;
  std::string stall_cause;    // Now: "", "memtables", "level0 files", "pending bytes".
  Durations write_durations;  // Of one call of Write() in 64, waiting included.
  Durations flush_durations;
  Durations compaction_durations;  // Of those that rewrote something.
};

}  // namespace varve
