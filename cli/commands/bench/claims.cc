// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/claims.h"

#include <algorithm>
#include <thread>

namespace varve::cli::bench {
namespace {

std::string Text(uint64_t n) { return std::to_string(n); }

// The table of RocksDB PR 5011: batch sizes by strides.
std::vector<Claim::Point> MultiGetPoints() {
  std::vector<Claim::Point> points;
  for (const uint64_t stride : {0, 16, 256, 4096}) {
    for (const uint64_t batch : {1, 2, 4, 8, 16, 32}) {
      points.push_back({"stride " + Text(stride) + ", batch " + Text(batch),
                        {"--stride", Text(stride), "--batch-size", Text(batch)}});
    }
  }
  return points;
}

std::vector<Claim::Point> MemtablePoints() {
  std::vector<Claim::Point> points;
  const uint64_t all = std::max(1u, std::thread::hardware_concurrency());
  for (const uint64_t threads : {uint64_t{1}, all}) {
    for (const uint64_t batch : {2, 8, 32, 64}) {
      points.push_back({"batch " + Text(batch) + ", threads " + Text(threads),
                        {"--batch-size", Text(batch), "--threads", Text(threads)}});
    }
    if (all == 1) break;
  }
  return points;
}

std::vector<Claim::Point> CachePoints() {
  std::vector<Claim::Point> points;
  for (const uint64_t mb : {3, 6, 10, 20, 30, 60, 100, 1200}) {
    points.push_back({"cache " + Text(mb) + " MB", {"--cache-size", Text(mb) + "M"}});
  }
  return points;
}

Claim MultiGet() {
  return {.name = "multiget",
          .source = "RocksDB PR 5011 (batched MultiGet)",
          .workload = "multireadrandom",
          .scaled = {},
          .size = {12'000'000, 1'500'000},
          .short_size = {100'000, 30'000},
          .flags = {"--cache-size", "4G", "--option", "target_file_size_base=4m"},
          .points = MultiGetPoints(),
          .grades = {Words{"multiget=per_key", "block_form=disk"},
                     Words{"multiget=grouped", "block_form=disk"},
                     Words{"multiget=pipeline", "block_form=lookup"}},
          .warm = true};
}

Claim Scan() {
  return {.name = "readahead",
          .source = "RocksDB PR 3884 (adaptive readahead for direct reads)",
          .workload = "seekrandom",
          .scaled = {},
          .size = {10'000'000, 400},
          .short_size = {200'000, 10},
          .flags = {"--cache-size", "8M", "--direct-reads", "--nexts", "10000"},
          .points = {{"10,000 nexts, O_DIRECT", {}}},
          .grades = {Words{"scan_readahead=off"}, Words{"scan_readahead=doubling"},
                     Words{"scan_readahead=adaptive"}}};
}

Claim Memtable(std::string_view name, std::string_view workload) {
  return {.name = name,
          .source = "RocksDB PR 14428 (memtable_batch_lookup_optimization)",
          .workload = workload,
          .scaled = "threads: those of this machine",
          .size = {2'000'000, 2'000'000},
          .short_size = {40'000, 40'000},
          .flags = {"--durability", "none", "--option", "write_buffer_size=2g"},
          .points = MemtablePoints(),
          .grades = {Words{"memtable_rep=skip_list", "memtable_batch_lookup=off"},
                     Words{"memtable_rep=skip_list", "memtable_batch_lookup=finger"},
                     Words{"memtable_rep=btree", "memtable_batch_lookup=interleaved"}},
          .in_memtable = true};
}

Claim Files() {
  return {
      .name = "files",
      .source = "ToplingDB (devirtualised search over key prefixes), readrandom",
      .workload = "readrandom",
      .scaled = "20 of 100 million records, for this machine's memory: some 6,000 files",
      .size = {20'000'000, 3'000'000},
      .short_size = {200'000, 50'000},
      .flags = {"--key-size", "8", "--value-size", "20", "--cache-size", "8G", "--option",
                "target_file_size_base=100k", "--option", "write_buffer_size=4m", "--option",
                "max_bytes_for_level_base=800k", "--option", "max_bytes_for_level_multiplier=4"},
      .points = {{"small files, all cached", {}}},
      .grades = {Words{"file_search=comparator", "block_form=disk"},
                 Words{"file_search=prefix", "block_form=disk"},
                 Words{"file_search=heads", "block_form=lookup"}},
      .warm = true};
}

Claim Partitions() {
  return {.name = "partitions",
          .source = "RocksDB PR 12939 (decouple_partitioned_filters)",
          .workload = "readrandom",
          .scaled = {},
          .size = {5'000'000, 300'000},
          .short_size = {100'000, 5'000},
          .flags = {"--option", "compaction_style=fifo", "--option",
                    "compaction_options_fifo.max_table_files_size=100g", "--option",
                    "write_buffer_size=32m", "--option", "index_type=two_level", "--option",
                    "partition_filters=true", "--option", "level0_slowdown_writes_trigger=1000",
                    "--option", "level0_stop_writes_trigger=2000"},
          .points = CachePoints(),
          .grades = {Words{"decouple_partitioned_filters=false", "merge_runt_partitions=false",
                           "partition_search=iterate", "cache_metadata_with_high_priority=false",
                           "block_form=disk"},
                     Words{"decouple_partitioned_filters=true", "merge_runt_partitions=false",
                           "partition_search=iterate", "cache_metadata_with_high_priority=false",
                           "block_form=disk"},
                     Words{"decouple_partitioned_filters=true", "merge_runt_partitions=true",
                           "partition_search=decoded", "cache_metadata_with_high_priority=true",
                           "block_form=lookup"}}};
}

}  // namespace

std::span<const Claim> ClaimTable() {
  static const std::vector<Claim> table = {MultiGet(),
                                           Scan(),
                                           Memtable("memtable", "multireadrandom"),
                                           Memtable("memtable-writing", "multireadwhilewriting"),
                                           Files(),
                                           Partitions()};
  return table;
}

}  // namespace varve::cli::bench
