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

uint64_t AllThreads() { return std::max(1u, std::thread::hardware_concurrency()); }

std::vector<Claim::Point> MemtablePoints() {
  std::vector<Claim::Point> points;
  for (const uint64_t threads : {uint64_t{1}, AllThreads()}) {
    for (const uint64_t batch : {2, 8, 32, 64}) {
      points.push_back({"batch " + Text(batch) + ", threads " + Text(threads),
                        {"--batch-size", Text(batch), "--threads", Text(threads)}});
    }
    if (AllThreads() == 1) break;
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

// The grades of a batch of keys.
const Words kPerKey = {"multiget=per_key", "block_form=disk"};
const Words kGrouped = {"multiget=grouped", "multiget_io=per_file", "block_form=disk"};
const Words kPipeline = {"multiget=pipeline", "multiget_io=global", "block_form=lookup"};

Claim MultiGet() {
  return {.name = "multiget",
          .source = "RocksDB PR 5011 (batched MultiGet)",
          .workload = "multireadrandom",
          .scaled = {},
          .size = {12'000'000, 1'500'000},
          .short_size = {100'000, 10'000},
          .flags = {"--cache-size", "4G", "--option", "target_file_size_base=4m"},
          .points = MultiGetPoints(),
          .grades = {{"off", kPerKey}, {"published", kGrouped}, {"beyond", kPipeline}},
          .warm = true};
}

Claim MultiGetDirect() {
  return {.name = "multiget-direct",
          .source = "RocksDB blog 2022 (asynchronous reads in MultiGet)",
          .workload = "multireadrandom",
          .scaled = "one local device instead of a remote one",
          .size = {10'000'000, 60'000},
          .short_size = {100'000, 2'000},
          .flags = {"--cache-size", "64M", "--direct-reads"},
          .points = {{"O_DIRECT, 64 MB of cache, batch 8", {"--batch-size", "8"}},
                     {"O_DIRECT, 64 MB of cache, batch 32", {"--batch-size", "32"}}},
          .grades = {{"off", kPerKey}, {"published", kGrouped}, {"beyond", kPipeline}}};
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
          .grades = {{"off", {"scan_readahead=off"}},
                     {"published", {"scan_readahead=doubling"}},
                     {"beyond", {"scan_readahead=adaptive"}}},
          .peer_flags = {"--option", "async_io=true"}};
}

Claim Memtable(std::string_view name, std::string_view workload) {
  return {.name = name,
          .source = "RocksDB PR 14428 (memtable_batch_lookup_optimization)",
          .workload = workload,
          .scaled = "threads: those of this machine",
          .size = {2'000'000, 2'000'000},
          .short_size = {40'000, 20'000},
          .flags = {"--durability", "none", "--option", "write_buffer_size=2g"},
          .points = MemtablePoints(),
          .grades = {{"off", {"memtable_rep=skip_list", "memtable_batch_lookup=off"}},
                     {"published", {"memtable_rep=skip_list", "memtable_batch_lookup=finger"}},
                     {"beyond", {"memtable_rep=btree_hash", "memtable_batch_lookup=interleaved"}}},
          .in_memtable = true};
}

// What the memtable's index gives to other reads, of which nothing was published.
Claim MemtableReads(std::string_view name, std::string_view workload) {
  Claim claim = Memtable(name, workload);
  claim.source = "nothing published: the index that batches brought, under other reads";
  claim.points = {{"one thread", {}}};
  claim.grades = {claim.grades.front(), claim.grades.back()};
  claim.scaled = {};
  return claim;
}

const std::vector<Claim::Grade> kFileSearch = {{"off", {"file_search=comparator"}},
                                               {"published", {"file_search=prefix"}},
                                               {"beyond", {"file_search=heads"}}};

Claim Files() {
  Claim claim = {
      .name = "files",
      .source = "ToplingDB (devirtualised search over key prefixes), readrandom",
      .workload = "readrandom",
      .scaled =
          "20 of 100 million records for this machine's memory, in files as much smaller, so "
          "that there are as many, all in one level",
      .size = {20'000'000, 3'000'000},
      .short_size = {200'000, 50'000},
      .records_per_file = 1800,
      .flags = {"--key-size", "8", "--value-size", "20", "--cache-size", "8G", "--option",
                "target_file_size_base=62k", "--option", "write_buffer_size=4m", "--option",
                "disable_auto_compactions=true", "--option", "level0_slowdown_writes_trigger=1000",
                "--option", "level0_stop_writes_trigger=2000"},
      .load = {"filluniquerandom", "flush", "compact"},
      .points = {{"small files, all cached", {}}},
      .grades = kFileSearch,
      .warm = true};
  claim.grades[0].options.emplace_back("block_form=disk");
  claim.grades[1].options.emplace_back("block_form=disk");
  claim.grades[2].options.emplace_back("block_form=lookup");
  return claim;
}

Claim FileSearchAlone() {
  return {.name = "file-search",
          .source = "ToplingDB (devirtualised search over key prefixes), FindFileInRange",
          .workload = "the search for a file of a level, alone; records are files",
          .scaled = {},
          .records_are = "files",
          .size = {10'102, 20'000'000},
          .short_size = {10'102, 200'000},
          .points = {{"keys of 8 bytes", {"0", "1"}},
                     {"20 bytes shared + 8", {"20", "1"}},
                     {"keys of 8 bytes, batch 32", {"0", "32"}},
                     {"20 bytes shared + 8, batch 32", {"20", "32"}}},
          .grades = kFileSearch,
          .trial = SearchFiles};
}

Claim Partitions() {
  const Words before = {"merge_runt_partitions=false", "partition_search=iterate",
                        "cache_metadata_with_high_priority=false", "block_form=disk"};
  const auto with = [&before](const Words& first) {
    Words words = first;
    words.insert(words.end(), before.begin(), before.end());
    return words;
  };
  const std::string two_level = "index_type=two_level", cut = "partition_filters=true";
  return {.name = "partitions",
          .source = "RocksDB PR 12939 (decouple_partitioned_filters)",
          .workload = "readrandom",
          .scaled = {},
          .grades_are =
              "whole: index and filter of a table in one piece each, in memory for good "
              "beside the cache; off: partitions coupled; published: decoupled",
          .size = {5'000'000, 300'000},
          .short_size = {100'000, 5'000},
          .flags = {"--option", "compaction_style=fifo", "--option",
                    "compaction_options_fifo.max_table_files_size=100g", "--option",
                    "write_buffer_size=32m", "--option", "level0_slowdown_writes_trigger=1000",
                    "--option", "level0_stop_writes_trigger=2000"},
          .points = CachePoints(),
          .grades = {{"whole", with({})},
                     {"off", with({two_level, cut, "decouple_partitioned_filters=false"})},
                     {"published", with({two_level, cut, "decouple_partitioned_filters=true"})},
                     {"beyond",
                      {two_level, cut, "decouple_partitioned_filters=true",
                       "merge_runt_partitions=true", "partition_search=decoded",
                       "cache_metadata_with_high_priority=true", "block_form=lookup"}}},
          .peer_flags = {"--option", "index_type=two_level", "--option", "partition_filters=true"}};
}

// Keys of numbers, of which `load` writes all or some. Of 8 bytes they are integers: a database
// with all of them has point indexes of the form all_one; one that fillrandom filled has dense
// ones.
Claim PointIndexReads(std::string_view name, std::string_view workload, std::string_view load,
                      std::vector<Claim::Point> points) {
  return {.name = name,
          .source = "ToplingDB (UintIndex: the rank of an integer key is computed)",
          .workload = workload,
          .scaled = "within RocksDB's format, whose index and filter every table keeps",
          .grades_are = "off: tables as always; beyond: with point_index=integer",
          .size = {10'000'000, 3'000'000},
          .short_size = {100'000, 10'000},
          .flags = {"--key-size", "8", "--value-size", "20", "--cache-size", "8G"},
          .load = {std::string(load), "flush", "compact"},
          .points = std::move(points),
          .grades = {{"off", {"point_index=none"}}, {"beyond", {"point_index=integer"}}},
          .warm = true};
}

Claim PointIndexGet() {
  return PointIndexReads("point-index-get", "readrandom", "filluniquerandom",
                         {{"every integer, all cached", {}}});
}

Claim PointIndexAbsent() {
  return PointIndexReads("point-index-absent", "readrandom", "fillrandom",
                         {{"37 % of the integers are absent, all cached", {}}});
}

Claim PointIndexMultiGet() {
  return PointIndexReads("point-index-multiget", "multireadrandom", "filluniquerandom",
                         {{"every integer, all cached, batch 8", {"--batch-size", "8"}},
                          {"every integer, all cached, batch 32", {"--batch-size", "32"}}});
}

// Keys of 16 bytes, which differ in their first 8: they have hash indexes.
Claim HashIndexReads(std::string_view name, std::string_view workload, std::string_view load,
                     std::vector<Claim::Point> points) {
  Claim claim = PointIndexReads(name, workload, load, std::move(points));
  claim.source = "nothing published: a hash index in the place of filter and index search";
  claim.grades_are = "off: tables as always; beyond: with point_index=any";
  claim.flags = {"--key-size", "16", "--value-size", "100", "--cache-size", "8G"};
  claim.grades.back().options = {"point_index=any"};
  return claim;
}

Claim HashIndexGet() {
  return HashIndexReads("point-index-any-get", "readrandom", "filluniquerandom",
                        {{"keys of 16 bytes, all cached", {}}});
}

Claim HashIndexAbsent() {
  return HashIndexReads("point-index-any-absent", "readmissing", "filluniquerandom",
                        {{"keys of 16 bytes, all absent, all cached", {}}});
}

Claim HashIndexMultiGet() {
  return HashIndexReads("point-index-any-multiget", "multireadrandom", "filluniquerandom",
                        {{"keys of 16 bytes, all cached, batch 32", {"--batch-size", "32"}}});
}

// What the index costs when a table is written.
Claim PointIndexBuild() {
  Claim claim = PointIndexReads("point-index-build",
                                "the writing of one table, alone; a second is one of CPU time", "",
                                {{"every integer", {"1", "all_one"}},
                                 {"one integer of 2", {"2", "dense"}},
                                 {"one integer of 1000", {"1000", "piecewise"}}});
  claim.size = {2'000'000, 2'000'000};
  claim.short_size = {20'000, 20'000};
  claim.flags.clear();
  claim.load.clear();
  claim.warm = false;
  claim.trial = BuildTable;
  return claim;
}

Claim HashIndexBuild() {
  Claim claim = PointIndexBuild();
  claim.name = "point-index-any-build";
  claim.points = {{"integers too far apart for lines", {"1000000000", "hash"}}};
  claim.grades.back().options = {"point_index=any"};
  claim.grades_are = "off: tables as always; beyond: with point_index=any";
  return claim;
}

}  // namespace

std::span<const Claim> ClaimTable() {
  static const std::vector<Claim> table = {MultiGet(),
                                           MultiGetDirect(),
                                           Scan(),
                                           Memtable("memtable", "multireadrandom"),
                                           Memtable("memtable-writing", "multireadwhilewriting"),
                                           MemtableReads("memtable-get", "readrandom"),
                                           MemtableReads("memtable-scan", "readseq"),
                                           Files(),
                                           FileSearchAlone(),
                                           Partitions(),
                                           PointIndexGet(),
                                           PointIndexAbsent(),
                                           PointIndexMultiGet(),
                                           PointIndexBuild(),
                                           HashIndexGet(),
                                           HashIndexAbsent(),
                                           HashIndexMultiGet(),
                                           HashIndexBuild()};
  return table;
}

}  // namespace varve::cli::bench
