// SPDX-License-Identifier: Apache-2.0
// Statistics of a running database, as returned by DB::Stats() and DB::StatsOfFamilies(). Every
// figure counts from Open() unless its comment says "now".
//
// Plain data, copied at the time of the call: it does not change, may outlive the DB, and is
// thread-compatible.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "varve/types.h"

namespace varve {

// A histogram of durations, by powers of two of a nanosecond.
struct Durations {
  static constexpr size_t kBuckets = 40;  // The last one begins at 2^38 ns, some 4.6 minutes.

  uint64_t count = 0;        // Durations recorded.
  uint64_t total_nanos = 0;  // Their sum.
  // buckets[i] counts durations < 2^i ns and (except bucket 0) >= 2^(i-1) ns; the last one has no
  // upper limit.
  std::array<uint64_t, kBuckets> buckets = {};

  // Adds `other` to this.
  void Add(const Durations& other) {
    count += other.count;
    total_nanos += other.total_nanos;
    for (size_t i = 0; i < kBuckets; ++i) buckets[i] += other.buckets[i];
  }
  // The duration in nanoseconds that the given fraction of them (0 to 1) does not exceed,
  // interpolated within its bucket; 0 if there are none.
  double Percentile(double fraction) const {
    const double wanted = fraction * static_cast<double>(count);
    double before = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
      const auto here = static_cast<double>(buckets[i]);
      if (here > 0 && before + here >= wanted) {
        const double high = static_cast<double>(uint64_t{1} << i), low = i == 0 ? 0 : high / 2;
        return low + (high - low) * std::clamp((wanted - before) / here, 0.0, 1.0);
      }
      before += here;
    }
    return 0;
  }
  // The index of the bucket for a duration.
  static constexpr size_t BucketOf(uint64_t nanos) {
    size_t bits = 0;
    for (; nanos > 0; nanos >>= 1) ++bits;
    return bits < kBuckets ? bits : kBuckets - 1;
  }
};

// Files of one level of a column family.
struct LevelInfo {
  int level = 0;       // 0 holds the output of flushes.
  uint64_t files = 0;  // Tables in it.
  uint64_t bytes = 0;  // The sum of their sizes.
};

// A compaction that is at work.
struct RunningCompaction {
  std::vector<FileNumber> inputs;  // Tables that it reads, of all levels.
  int output_level = 0;            // Where its tables will be.
  std::string smallest;            // They will have no smaller user key,
  std::string largest;             // and no larger one.
};

// Statistics of one column family, as returned by DB::StatsOfFamilies().
struct FamilyStats {
  ColumnFamilyId id = 0;                   // As in FamilyInfo.
  std::string name;                        // As in FamilyInfo.
  std::vector<LevelInfo> levels;           // Now.
  uint64_t memtable_bytes = 0;             // Now; the memtable that takes writes.
  uint64_t memtable_entries = 0;           // Now.
  uint64_t memtable_deletions = 0;         // Now; of these entries.
  uint64_t sealed_memtables = 0;           // Now; waiting for a flush.
  uint64_t sealed_memtable_bytes = 0;      // Now.
  uint64_t sealed_memtable_entries = 0;    // Now.
  uint64_t sealed_memtable_deletions = 0;  // Now; of these entries.
  uint64_t blob_files = 0;                 // Now.
  uint64_t blob_bytes = 0;                 // Now, of these files.
  uint64_t blob_garbage_bytes = 0;         // Now; of these bytes, values to which no table refers.
  uint64_t pending_compaction_bytes = 0;   // Now, estimated.
  std::vector<RunningCompaction> running_compactions;  // Now.

  uint64_t gets = 0;                   // Calls of Get().
  uint64_t gets_found = 0;             // Calls that found a value.
  uint64_t multigets = 0;              // Calls of MultiGet().
  uint64_t multiget_keys = 0;          // Keys requested by them.
  uint64_t multiget_keys_found = 0;    // Keys that had a value.
  uint64_t iterators = 0;              // Created by NewIterator().
  uint64_t filter_negatives = 0;       // Tables that a point read skipped because of the filter.
  uint64_t filter_positives = 0;       // Tables that the filter did not exclude.
  uint64_t filter_true_positives = 0;  // Of the latter, tables that had the key.
  Durations get_durations;             // Of one call in 64.
  Durations multiget_durations;        // Of one call in 64.
};

// Statistics of a database, as returned by DB::Stats().
struct DbStats {
  Sequence last_sequence = 0;   // Now: sequence number of the newest visible write.
  uint64_t snapshots = 0;       // Now: snapshots that live.
  uint64_t memtable_bytes = 0;  // Now, including sealed memtables.
  // Now: memtables that are in tables already, but which iterators or values still read.
  uint64_t pinned_memtable_bytes = 0;
  uint64_t open_tables = 0;  // Now: tables that are open; each has a file descriptor.
  // Now: what open tables keep in memory outside the cache: indexes, filters, range tombstones.
  uint64_t open_table_bytes = 0;
  // Now: all blocks of tables in memory, including those of other databases of the process: in
  // caches, outside because an iterator, a value or a job reads them, and in open tables (which
  // open_table_bytes counts as well). Beyond block_cache_bytes, this is what readers pin.
  uint64_t block_bytes = 0;
  // Now: bytes in the cache, including those of other databases that share it.
  uint64_t block_cache_bytes = 0;
  uint64_t block_cache_capacity = 0;  // Capacity of the cache.
  // Lookups that found the block, of all databases that share the cache, since it was created.
  uint64_t block_cache_hits = 0;
  uint64_t block_cache_misses = 0;        // Lookups that did not find it, likewise.
  uint64_t batches_written = 0;           // Calls of Write().
  uint64_t entries_written = 0;           // Puts, deletes and merges in them.
  uint64_t user_bytes_written = 0;        // Keys and values given to Write().
  uint64_t wal_bytes_written = 0;         // Including the WALs' own headers.
  uint64_t flush_bytes_written = 0;       // Tables written by flushes.
  uint64_t compaction_bytes_read = 0;     // Including compactions that still run.
  uint64_t compaction_bytes_written = 0;  // Tables written by compactions.
  uint64_t flushes = 0;                   // Completed flushes.
  uint64_t compactions = 0;               // Completed compactions that rewrote or dropped tables.
  uint64_t trivial_moves = 0;             // Compactions that only changed the level of tables.
  // Now: compactions that a service has (Options::compaction_service).
  uint64_t remote_compactions_running = 0;
  uint64_t remote_compactions = 0;  // Of `compactions`, those that a service did.
  // Compactions that a service did not do, or whose result was refused.
  uint64_t remote_compaction_failures = 0;
  // Of these, those that were then done here, or are to be.
  uint64_t remote_compaction_fallbacks = 0;
  std::string remote_compaction_failure;  // Why the last of them failed; empty: none has.
  uint64_t stalls = 0;                    // Write groups that had to wait.
  uint64_t stall_micros = 0;              // Total time that they waited.
  std::string stall_cause;                // Now: "", "memtables", "level0 files", "pending bytes".
  Durations write_durations;              // Of one call of Write() in 64, waiting included.
  Durations flush_durations;              // Of flushes.
  Durations compaction_durations;         // Of compactions that rewrote tables.
};

}  // namespace varve
