// SPDX-License-Identifier: Apache-2.0
// What explain says of a Get, against the PerfContext of RocksDB for the same Get of the same
// files, tables open and no block cached; and locate against a look into every file.
#include "core/inspect/explain/explain.h"

#include <doctest/doctest.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include "core/inspect/explain/explain_scan.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/space/space.h"
#include "core/inspect/table/table_report.h"
#include "tests/interop/rocksdb_open.h"
#include "tests/scratch_directory.h"

namespace varve {
namespace {

constexpr int kKeys = 20'000;
constexpr int kQuestions = 34'000;  // Of each kind of database; there are three.

std::string Key(uint64_t i) {
  std::string digits = std::to_string(i);
  return "user:" + std::string(8 - digits.size(), '0') + digits;
}

rocksdb::Options RocksOptions(int kind) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(0);  // Every look at a block reads it.
  table.block_size = 1024;
  table.max_auto_readahead_size = 0;  // What is read ahead is not counted.
  if (kind != 1) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  if (kind == 2) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 512;
    table.format_version = 5;
    table.cache_index_and_filter_blocks = true;  // Else all partitions are read at open.
    table.pin_top_level_index_and_filter = true;
  }
  rocksdb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 256 << 10;
  options.target_file_size_base = 128 << 10;
  options.max_bytes_for_level_base = 512 << 10;
  options.level0_file_num_compaction_trigger = 6;
  options.compression = kind == 0 ? rocksdb::kSnappyCompression : rocksdb::kNoCompression;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

void Fill(const rocksdb::Options& options, const std::string& path, std::mt19937_64& random) {
  std::unique_ptr<rocksdb::DB> db;
  REQUIRE(rocksdb::DB::Open(options, path, interop::Into(&db)).ok());
  for (int i = 0; i < 2 * kKeys; ++i) {
    const std::string key = Key(random() % kKeys * 2);  // Odd ones stay absent.
    const bool ok = random() % 5 == 0 ? db->Delete({}, key).ok()
                                      : db->Put({}, key, std::string(random() % 120, 'v')).ok();
    REQUIRE(ok);
  }
  REQUIRE(db->Flush({}).ok());
}

struct Counted {
  bool found;
  uint64_t passed, denied, blocks, bytes;
  bool operator==(const Counted&) const = default;
};

Counted AskRocks(rocksdb::DB& db, const std::string& key) {
  rocksdb::ReadOptions reading;
  reading.fill_cache = false;
  rocksdb::get_perf_context()->Reset();
  std::string value;
  const rocksdb::Status status = db.Get(reading, key, &value);
  REQUIRE((status.ok() || status.IsNotFound()));
  const rocksdb::PerfContext& perf = *rocksdb::get_perf_context();
  return {status.ok(), perf.bloom_sst_hit_count, perf.bloom_sst_miss_count, perf.block_read_count,
          perf.block_read_byte};
}

// What the explanation counts, which is what RocksDB does.
Counted AsRocks(rocksdb::DB& db, const std::string& key, const ExplainedGet& get) {
  const ReadTotals& totals = get.totals;
  const Counted ours{get.found, totals.bloom_sst_hit_count, totals.bloom_sst_miss_count,
                     totals.block_read_count, totals.block_read_byte};
  const Counted theirs = AskRocks(db, key);
  REQUIRE_EQ(ours.found, theirs.found);
  REQUIRE_EQ(ours.passed, theirs.passed);
  REQUIRE_EQ(ours.denied, theirs.denied);
  REQUIRE_EQ(ours.blocks, theirs.blocks);
  REQUIRE_EQ(ours.bytes, theirs.bytes);
  return ours;
}

TEST_CASE("Explain: a Get's filters, blocks and bytes are those of RocksDB's PerfContext") {
  for (int kind = 0; kind < 3; ++kind) {
    CAPTURE(kind);
    const ScratchDirectory directory;
    const std::string path = directory / "db";
    std::mt19937_64 random(17 + kind);
    const rocksdb::Options options = RocksOptions(kind);
    Fill(options, path, random);
    std::unique_ptr<rocksdb::DB> db;
    REQUIRE(rocksdb::DB::OpenForReadOnly(options, path, interop::Into(&db)).ok());
    std::vector<std::string> keys;
    for (int i = 0; i < kQuestions; ++i) keys.push_back(Key(random() % (2 * kKeys + 100)));
    for (const std::string& key : keys) AskRocks(*db, key);  // Opens every table.
    const auto explained =
        ExplainMultiGet(*NativeEnvironment().file_system, path, {.cache_bytes = 0}, keys);
    REQUIRE_MESSAGE(explained.ok(), explained.status().ToString());
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    uint64_t found = 0, denied = 0;
    for (size_t i = 0; i < keys.size(); ++i) {
      CAPTURE(keys[i]);
      const Counted ours = AsRocks(*db, keys[i], explained->keys[i]);
      found += ours.found ? 1 : 0;
      denied += ours.denied;
    }
    CHECK(found > keys.size() / 5);
    CHECK(found < keys.size() / 2);
    CHECK((denied > 0) == (kind != 1));
  }
}

// Range deletions in the log, in level 0 and in lower levels, each over a part of what is below.
void FillWithRanges(rocksdb::DB& db, bool compact, std::mt19937_64& random) {
  for (int round = 0; round < 9; ++round) {
    for (int i = 0; i < kKeys / 10; ++i) {
      const uint64_t key = random() % kKeys * 2;
      rocksdb::Status status;
      switch (random() % 40) {
        case 0:
          status = db.DeleteRange({}, db.DefaultColumnFamily(), Key(key), Key(key + 300));
          break;
        case 1:
        case 2:
          status = db.DeleteRange({}, db.DefaultColumnFamily(), Key(key), Key(key + 20));
          break;
        case 3:
          status = db.Merge({}, Key(key), "operand");
          break;
        default:
          status = db.Put({}, Key(key), std::string(random() % 120, 'v'));
      }
      REQUIRE(status.ok());
    }
    if (round == 8) break;  // The last is in the log.
    REQUIRE(db.Flush({}).ok());
    if (!compact || round > 1) continue;
    std::vector<rocksdb::LiveFileMetaData> live;
    db.GetLiveFilesMetaData(&live);
    std::vector<std::string> names;
    for (const rocksdb::LiveFileMetaData& file : live) {
      if (file.level == 0) names.push_back(file.name);
    }
    REQUIRE(db.CompactFiles({}, names, round == 0 ? 4 : 2).ok());
  }
}

// Also what is behind a range deletion over the key: RocksDB and this engine end the search there.
TEST_CASE("Explain: a Get under range deletions stops where RocksDB's stops") {
  for (int kind = 0; kind < 6; ++kind) {
    CAPTURE(kind);
    const ScratchDirectory directory;
    const std::string path = directory / "db";
    std::mt19937_64 random(53 + kind);
    rocksdb::Options options = RocksOptions(kind % 3);
    options.disable_auto_compactions = true;
    options.write_buffer_size = 64 << 20;
    REQUIRE(
        rocksdb::MergeOperator::CreateFromString({}, "stringappend", &options.merge_operator).ok());
    std::unique_ptr<rocksdb::DB> db;
    REQUIRE(rocksdb::DB::Open(options, path, interop::Into(&db)).ok());
    FillWithRanges(*db, /*compact=*/kind < 3, random);
    REQUIRE(db->FlushWAL(true).ok());
    const auto tables = ReportLsm(*NativeEnvironment().file_system, path);
    REQUIRE(tables.ok());
    uint64_t occupied = 0;
    for (const LevelReport& level : tables->families[0].levels) occupied += !level.files.empty();
    CHECK_EQ(occupied, kind < 3 ? 3 : 1);
    std::vector<std::string> keys;
    for (int i = 0; i < 6'000; ++i) keys.push_back(Key(random() % (2 * kKeys + 100)));
    for (const std::string& key : keys) AskRocks(*db, key);  // Opens every table.
    const auto explained =
        ExplainMultiGet(*NativeEnvironment().file_system, path, {.cache_bytes = 0}, keys);
    REQUIRE_MESSAGE(explained.ok(), explained.status().ToString());
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    uint64_t ended_in_log = 0, ended_in_table = 0, ended_at_filter = 0;
    for (size_t i = 0; i < keys.size(); ++i) {
      CAPTURE(keys[i]);
      const ExplainedGet& get = explained->keys[i];
      AsRocks(*db, keys[i], get);
      const ExplainStep& last = get.steps.back();
      if (last.look.covered_by == 0) continue;
      if (last.source == "memtable") ++ended_in_log;
      if (last.source == "file") ++ended_in_table;
      if (last.verdict == "filter_negative") ++ended_at_filter;
    }
    CHECK(ended_in_log > 100);
    CHECK(ended_in_table > 1000);
    CHECK((ended_at_filter > 500) == (kind % 3 != 1));
  }
}

// The counters of a scan, ours and theirs, by name so that a difference says which.
using Counters = std::map<std::string, uint64_t>;

Counters CountersOf(const ExplainedScan& scan) {
  const ScanTotals& t = scan.totals;
  return {{"rows", scan.rows},
          {"seek_on_memtable_count", t.seek_on_memtable_count},
          {"next_on_memtable_count", t.next_on_memtable_count},
          {"seek_child_seek_count", t.seek_child_seek_count},
          {"internal_key_skipped_count", t.internal_key_skipped_count},
          {"internal_delete_skipped_count", t.internal_delete_skipped_count},
          {"internal_recent_skipped_count", t.internal_recent_skipped_count},
          {"internal_merge_count", t.internal_merge_count},
          {"block_read_count", t.reads.block_read_count},
          {"block_read_byte", t.reads.block_read_byte}};
}

// A scan of `question` by RocksDB, with the keys it sees.
Counters ScanRocks(rocksdb::DB& db, const ScanQuestion& question, const rocksdb::Snapshot* snapshot,
                   std::vector<std::string>* keys) {
  rocksdb::ReadOptions reading;
  reading.fill_cache = false;
  reading.total_order_seek = true;
  reading.snapshot = snapshot;
  rocksdb::Slice upper;
  if (question.to) {
    upper = *question.to;
    reading.iterate_upper_bound = &upper;
  }
  rocksdb::get_perf_context()->Reset();
  const std::unique_ptr<rocksdb::Iterator> iterator(db.NewIterator(reading));
  if (question.from) {
    iterator->Seek(*question.from);
  } else {
    iterator->SeekToFirst();
  }
  for (keys->clear(); iterator->Valid(); iterator->Next()) {
    keys->push_back(iterator->key().ToString());
    if (keys->size() == question.limit) break;
  }
  REQUIRE(iterator->status().ok());
  const rocksdb::PerfContext& perf = *rocksdb::get_perf_context();
  return {{"rows", keys->size()},
          {"seek_on_memtable_count", perf.seek_on_memtable_count},
          {"next_on_memtable_count", perf.next_on_memtable_count},
          {"seek_child_seek_count", perf.seek_child_seek_count},
          {"internal_key_skipped_count", perf.internal_key_skipped_count},
          {"internal_delete_skipped_count", perf.internal_delete_skipped_count},
          {"internal_recent_skipped_count", perf.internal_recent_skipped_count},
          {"internal_merge_count", perf.internal_merge_count},
          {"block_read_count", perf.block_read_count},
          {"block_read_byte", perf.block_read_byte}};
}

ScanQuestion RandomScan(std::mt19937_64& random) {
  ScanQuestion question{.cache_bytes = 0};
  const uint64_t from = random() % (2 * kKeys + 100);
  if (random() % 20 != 0) question.from = Key(from);
  if (random() % 2 == 0) question.to = Key(from + random() % 300);
  question.limit = 1 + random() % (random() % 10 == 0 ? 2000 : 30);
  return question;
}

// Every question asked of both. `snapshot` null: of the present.
void CompareScans(rocksdb::DB& db, const std::string& path, int questions,
                  const rocksdb::Snapshot* snapshot, std::mt19937_64& random, Counters* sums) {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  for (int i = 0; i < questions; ++i) {
    ScanQuestion question = RandomScan(random);
    if (snapshot != nullptr) question.at = snapshot->GetSequenceNumber();
    CAPTURE(question.from.value_or("-"));
    CAPTURE(question.to.value_or("-"));
    CAPTURE(question.limit);
    std::vector<std::string> keys;
    ScanRocks(db, question, snapshot, &keys);  // Opens the tables.
    const Counters theirs = ScanRocks(db, question, snapshot, &keys);
    const auto scan = ExplainScan(*NativeEnvironment().file_system, path, question);
    REQUIRE_MESSAGE(scan.ok(), scan.status().ToString());
    const Counters ours = CountersOf(*scan);
    for (const auto& [name, count] : theirs) {
      CAPTURE(name);
      REQUIRE_EQ(ours.at(name), count);
      (*sums)[name] += count;
    }
    if (!keys.empty()) {
      CHECK_EQ(scan->first_key, keys.front());
      CHECK_EQ(scan->last_key, keys.back());
    }
    CHECK_EQ(scan->ended, keys.size() < question.limit);
  }
}

TEST_CASE("Explain: what a scan skips and reads is what RocksDB's PerfContext counts") {
  for (int kind = 0; kind < 3; ++kind) {
    CAPTURE(kind);
    const ScratchDirectory directory;
    const std::string path = directory / "db";
    std::mt19937_64 random(29 + kind);
    const rocksdb::Options options = RocksOptions(kind);
    Fill(options, path, random);
    std::unique_ptr<rocksdb::DB> db;
    REQUIRE(rocksdb::DB::OpenForReadOnly(options, path, interop::Into(&db)).ok());
    Counters sums;
    CompareScans(*db, path, 1500, nullptr, random, &sums);
    CHECK(sums["rows"] > 30'000);
    CHECK(sums["internal_delete_skipped_count"] > 3'000);
    CHECK(sums["block_read_count"] > 10'000);
  }
}

// Many versions of few keys held by snapshots, operands, and a log that is not flushed.
TEST_CASE("Explain: a scan over versions, operands and a log counts as RocksDB does") {
  const ScratchDirectory directory;
  const std::string path = directory / "db";
  std::mt19937_64 random(31);
  rocksdb::Options options = RocksOptions(0);
  options.write_buffer_size = 64 << 20;
  REQUIRE(
      rocksdb::MergeOperator::CreateFromString({}, "stringappend", &options.merge_operator).ok());
  std::unique_ptr<rocksdb::DB> db;
  REQUIRE(rocksdb::DB::Open(options, path, interop::Into(&db)).ok());
  std::vector<const rocksdb::Snapshot*> snapshots;
  for (int i = 0; i < 30'000; ++i) {
    const std::string key = Key(random() % 300 * 2);
    const uint64_t what = random() % 10;
    const rocksdb::Status status = what < 2   ? db->Delete({}, key)
                                   : what < 5 ? db->Merge({}, key, std::string(1 + what, 'm'))
                                              : db->Put({}, key, std::string(random() % 90, 'v'));
    REQUIRE(status.ok());
    if (i % 100 == 0) snapshots.push_back(db->GetSnapshot());
    if (i % 7000 == 6999) REQUIRE(db->Flush({}).ok());
  }
  REQUIRE(db->FlushWAL(true).ok());
  Counters sums;
  std::mt19937_64 asked(7);
  for (int i = 0; i < 60; ++i) {
    CompareScans(*db, path, 8, snapshots[random() % snapshots.size()], asked, &sums);
  }
  CompareScans(*db, path, 300, nullptr, asked, &sums);
  for (const rocksdb::Snapshot* snapshot : snapshots) db->ReleaseSnapshot(snapshot);
  for (const std::string name : {"rows", "internal_merge_count", "internal_recent_skipped_count",
                                 "next_on_memtable_count", "internal_key_skipped_count"}) {
    CAPTURE(name);
    CHECK(sums[name] > 200);
  }
}

// What it counts of range deletions is its own; which rows it sees is not.
TEST_CASE("Explain: a scan sees the rows that range deletions leave") {
  const ScratchDirectory directory;
  const std::string path = directory / "db";
  std::mt19937_64 random(37);
  const rocksdb::Options options = RocksOptions(1);
  std::unique_ptr<rocksdb::DB> db;
  REQUIRE(rocksdb::DB::Open(options, path, interop::Into(&db)).ok());
  for (int i = 0; i < kKeys; ++i) {
    const uint64_t key = random() % kKeys * 2;
    const rocksdb::Status status =
        random() % 50 == 0
            ? db->DeleteRange({}, db->DefaultColumnFamily(), Key(key), Key(key + random() % 400))
            : db->Put({}, Key(key), std::string(random() % 90, 'v'));
    REQUIRE(status.ok());
  }
  REQUIRE(db->FlushWAL(true).ok());
  uint64_t covered = 0;
  for (int i = 0; i < 500; ++i) {
    const ScanQuestion question = RandomScan(random);
    std::vector<std::string> keys;
    ScanRocks(*db, question, nullptr, &keys);
    const auto scan = ExplainScan(*NativeEnvironment().file_system, path, question);
    REQUIRE_MESSAGE(scan.ok(), scan.status().ToString());
    CHECK_EQ(scan->rows, keys.size());
    CHECK_EQ(scan->first_key, keys.empty() ? "" : keys.front());
    CHECK_EQ(scan->last_key, keys.empty() ? "" : keys.back());
    covered += scan->totals.entries_range_deleted;
  }
  CHECK(covered > 1000);
}

TEST_CASE("Space: the skips predicted for a range are those that RocksDB's scan of it makes") {
  for (int kind = 0; kind < 3; ++kind) {
    CAPTURE(kind);
    const ScratchDirectory directory;
    const std::string path = directory / "db";
    std::mt19937_64 random(41 + kind);
    rocksdb::Options options = RocksOptions(kind);
    options.max_sequential_skip_in_iterations = UINT64_MAX;  // A reseek would jump over some.
    Fill(options, path, random);
    std::unique_ptr<rocksdb::DB> db;
    REQUIRE(rocksdb::DB::OpenForReadOnly(options, path, interop::Into(&db)).ok());
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    uint64_t skipped = 0;
    for (int i = 0; i < 60; ++i) {
      const uint64_t from = random() % (2 * kKeys);
      ScanQuestion question{.from = Key(from), .to = Key(from + random() % 4000)};
      question.limit = UINT64_MAX;
      CAPTURE(*question.from);
      CAPTURE(*question.to);
      std::vector<std::string> keys;
      const Counters theirs = ScanRocks(*db, question, nullptr, &keys);
      const auto space = ReportSpace(*NativeEnvironment().file_system, path,
                                     {.from = question.from, .to = question.to});
      REQUIRE_MESSAGE(space.ok(), space.status().ToString());
      REQUIRE_EQ(space->families.size(), 1);
      CHECK_EQ(space->families[0].keys, keys.size());
      // RocksDB counts the step from each row to the next as well.
      CHECK_EQ(space->families[0].skipped, theirs.at("internal_key_skipped_count") - keys.size() +
                                               theirs.at("internal_delete_skipped_count"));
      skipped += space->families[0].skipped;
    }
    CHECK(skipped > 1000);
  }
}

TEST_CASE("Locate: a file is said to hold a key exactly if it does") {
  const ScratchDirectory directory;
  const std::string path = directory / "db";
  std::mt19937_64 random(5);
  Fill(RocksOptions(2), path, random);
  FileSystem& fs = *NativeEnvironment().file_system;
  const auto shape = ReportLsm(fs, path);
  REQUIRE(shape.ok());
  std::map<std::string, std::vector<FileNumber>> holders;
  for (const LevelReport& level : shape->families[0].levels) {
    for (const FileReport& file : level.files) {
      auto entries = EntryStream::OpenTable(fs, path + "/" + file.name, {});
      REQUIRE(entries.ok());
      StoredEntry entry;
      while (entries->Next(&entry)) {
        std::vector<FileNumber>& at = holders[std::string(entry.key)];
        if (at.empty() || at.back() != file.number) at.push_back(file.number);
      }
      REQUIRE(entries->status().ok());
    }
  }
  uint64_t held = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string key = Key(random() % (2 * kKeys));
    CAPTURE(key);
    const auto located = LocateKey(fs, path, {.key = key});
    REQUIRE(located.ok());
    std::vector<FileNumber> found;
    for (const LocatedFile& file : located->files) {
      CHECK(file.verdict != "unreadable");
      CHECK(file.verdict != "filter_wrong");
      if (file.verdict == "holds") found.push_back(file.number);
    }
    std::vector<FileNumber> expected = holders[key];
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    REQUIRE_EQ(found, expected);
    held += found.size();
  }
  CHECK(held > 100);
}

}  // namespace
}  // namespace varve
