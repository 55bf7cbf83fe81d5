// SPDX-License-Identifier: Apache-2.0
// Under a mixed load, memory stays within what was configured and is all in Stats(); and what the
// database had of the system it gives back.
#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/mix/dice.h"
#include "tests/resources/usage.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"

namespace varve::resources {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr int kReaders = 3;
constexpr uint64_t kFamilies = 2, kKeys = 20'000, kLargest = 200 << 10;

// What is configured.
constexpr uint64_t kCache = 8 * kMiB, kBuffer = kMiB, kBuffersMax = 2, kOpenFiles = 40;
// A memtable may exceed its buffer by a batch and a piece of its arena. Beside those that wait for
// a flush there is the one that is written to.
constexpr uint64_t kMemTable = kBuffer + 2 * kLargest + (256 << 10);
constexpr uint64_t kMemTablesOfView = kFamilies * (kBuffersMax + 1) * kMemTable;
// A reader may keep the memtables and tables of the moment at which it began, and blocks: one of
// each table or level that its iterator is in, and what a MultiGet returns.
constexpr uint64_t kTablesOfReader = 45;
constexpr uint64_t kBlocksOfReader = 16 * kLargest;
// An open table has its index and its filter in memory.
constexpr uint64_t kOpenTable = 24 << 10;
// Blocks that left the cache and that readers may still be looking at: eight of each shard, or a
// part of it.
constexpr uint64_t kRetired = 3 * kCache / 4;
// Two jobs, each with buffers for reading and writing, and blocks being built.
constexpr uint64_t kJobs = 2 * 12 * kMiB;

Options OptionsOf(bool direct) {
  Options options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.block_cache_bytes = kCache;
  options.max_open_files = static_cast<int>(kOpenFiles);
  options.use_direct_reads = direct;
  options.use_direct_io_for_flush_and_compaction = direct;
  options.family.write_buffer_size = kBuffer;
  options.family.max_write_buffer_number = static_cast<int>(kBuffersMax);
  options.family.target_file_size_base = kMiB;
  options.family.max_bytes_for_level_base = 4 * kMiB;
  options.families["other"] = options.family;
  return options;
}

// The most that was seen of each figure.
struct Peak {
  DbStats stats;
  uint64_t resident = 0;

  void See(const DbStats& now) {
    for (uint64_t DbStats::* figure :
         {&DbStats::memtable_bytes, &DbStats::pinned_memtable_bytes, &DbStats::block_cache_bytes,
          &DbStats::open_tables, &DbStats::open_table_bytes, &DbStats::block_bytes}) {
      stats.*figure = std::max(stats.*figure, now.*figure);
    }
    resident = std::max(resident, ResidentBytes());
  }
};

std::string KeyOf(uint64_t n) { return "key" + std::to_string(n % kKeys); }

class Load {
 public:
  Load(DB& db, uint64_t operations, uint64_t seed)
      : db_(db), operations_(operations), seed_(seed) {}

  // One writer and readers beside it. What failed is a failure of the test.
  Peak Run() {
    std::vector<std::thread> readers;
    for (uint64_t r = 0; r < kReaders; ++r) readers.emplace_back([this, r] { Read(r); });
    Write();
    done_ = true;
    for (std::thread& reader : readers) reader.join();
    CHECK_EQ(failures_, 0);
    CHECK_GT(reads_, operations_ / 20);
    return peak_;
  }

 private:
  static uint64_t ValueSize(mix::Dice& dice) {
    return dice.OneIn(100) ? dice.Pick(kLargest) : dice.Pick(1500);
  }

  void Note(const Status& status) {
    if (!status.ok()) ++failures_;
  }

  void Write() {
    mix::Dice dice(seed_);
    std::string noise(kLargest, '\0');
    for (char& c : noise) c = static_cast<char>(dice.Pick(256));
    for (uint64_t n = 0; n < operations_; ++n) {
      const auto family = static_cast<ColumnFamilyId>(dice.Pick(kFamilies));
      const std::string key = KeyOf(dice.Pick(kKeys));
      const uint64_t size = ValueSize(dice);
      const std::string_view value =
          std::string_view(noise).substr(dice.Pick(kLargest - size), size);
      switch (dice.Pick(20)) {
        case 0:
          Note(db_.Delete({}, key, family));
          break;
        case 1: {
          WriteBatch batch;
          for (uint64_t i = 0; i < 20; ++i) batch.Put(KeyOf(n + i), "small", family);
          Note(db_.Write({}, batch));
          break;
        }
        case 2:
          if (dice.OneIn(50)) {
            WriteBatch batch;
            batch.DeleteRange("key19", "key1955", family);
            Note(db_.Write({}, batch));
          }
          break;
        default:
          Note(db_.Put({}, key, value, family));
      }
      if (n % 64 == 0) peak_.See(db_.Stats());
    }
  }

  void Read(uint64_t reader) {
    mix::Dice dice(seed_ + reader + 1);
    while (!done_) {
      const auto family = static_cast<ColumnFamilyId>(dice.Pick(kFamilies));
      // An iterator that stays for a while, at a moment that passes, and reads in between.
      Result<Iterator> kept = db_.NewIterator({}, family);
      const Snapshot snapshot = db_.GetSnapshot();
      Note(kept.status());
      if (!kept.ok()) continue;
      kept->Seek(KeyOf(dice.Pick(kKeys)));
      for (int i = 0; i < 200 && !done_; ++i) {
        ++reads_;
        ReadOnce(dice, family, snapshot);
        if (kept->Valid()) kept->Next();
      }
      Note(kept->status());
    }
  }

  void ReadOnce(mix::Dice& dice, ColumnFamilyId family, const Snapshot& snapshot) {
    const ReadOptions options{.snapshot = dice.OneIn(3) ? &snapshot : nullptr,
                              .fill_cache = !dice.OneIn(4)};
    if (dice.OneIn(10)) {
      std::vector<std::string> keys;
      for (int i = 0; i < 32; ++i) keys.push_back(KeyOf(dice.Pick(kKeys)));
      const std::vector<std::string_view> views(keys.begin(), keys.end());
      for (const auto& value : db_.MultiGet(options, views, family)) Note(value.status());
    } else if (dice.OneIn(10)) {
      Result<Iterator> scan = db_.NewIterator(options, family);
      Note(scan.status());
      if (!scan.ok()) return;
      scan->Seek(KeyOf(dice.Pick(kKeys)));
      for (int i = 0; i < 50 && scan->Valid(); ++i) scan->Next();
      Note(scan->status());
    } else {
      Note(db_.Get(options, KeyOf(dice.Pick(kKeys)), family).status());
    }
  }

  DB& db_;
  const uint64_t operations_, seed_;
  std::atomic<bool> done_{false};
  std::atomic<uint64_t> failures_{0}, reads_{0};
  Peak peak_;  // Of the writer.
};

void CheckWithinConfigured(const Peak& peak, uint64_t resident_before) {
  const DbStats& stats = peak.stats;
  MESSAGE("at most, in KiB: memtables ", stats.memtable_bytes >> 10, ", pinned memtables ",
          stats.pinned_memtable_bytes >> 10, ", cache ", stats.block_cache_bytes >> 10, ", blocks ",
          stats.block_bytes >> 10, ", ", stats.open_tables, " open tables ",
          stats.open_table_bytes >> 10, ", resident ", peak.resident >> 10, " (",
          resident_before >> 10, " before)");
  CHECK_LE(stats.memtable_bytes, kMemTablesOfView);
  CHECK_LE(stats.pinned_memtable_bytes, kReaders * kMemTablesOfView);
  CHECK_LE(stats.block_cache_bytes, kCache);
  const uint64_t tables = kOpenFiles + kReaders * kTablesOfReader;
  CHECK_LE(stats.open_tables, tables);
  CHECK_LE(stats.open_table_bytes, tables * kOpenTable);
  const uint64_t blocks =
      kCache + kRetired + tables * kOpenTable + kReaders * kBlocksOfReader + kJobs;
  CHECK_LE(stats.block_bytes, blocks);
  // malloc keeps and splits what was freed: half as much again.
  const uint64_t all = (1 + kReaders) * kMemTablesOfView + blocks;
  CHECK_LE(peak.resident, resident_before + all + all / 2);
}

// The readers are gone: what they pinned is, too.
void CheckAtRest(DB& db) {
  REQUIRE(db.FlushAll().ok());
  REQUIRE(db.WaitForBackgroundWork().ok());
  const DbStats stats = db.Stats();
  CHECK_EQ(stats.pinned_memtable_bytes, 0);
  CHECK_LE(stats.open_tables, kOpenFiles);
  CHECK_LE(stats.block_bytes, stats.block_cache_bytes + kRetired + stats.open_table_bytes);
}

uint64_t LiveFiles(const DB& db) {
  uint64_t tables = 0;
  for (ColumnFamilyId family = 0; family < kFamilies; ++family) {
    for (const LevelInfo& level : db.Levels(family)) tables += level.files;
  }
  return tables;
}

// The blocks of all databases of this process.
uint64_t BlocksOfProcess() {
  const ScratchDirectory other(ScratchDirectory::kMemory);
  auto db = DB::Open({.create_if_missing = true}, other / "db");
  REQUIRE(db.ok());
  return (*db)->Stats().block_bytes;
}

void Cycle(const std::string& path, bool direct, uint64_t operations, uint64_t seed) {
  CAPTURE(direct);
  ::malloc_trim(0);
  const uint64_t resident = ResidentBytes();
  auto opened = DB::Open(OptionsOf(direct), path);
  REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
  CheckWithinConfigured(Load(**opened, operations, seed).Run(), resident);
  CheckAtRest(**opened);
  const uint64_t tables = LiveFiles(**opened);
  REQUIRE((*opened)->Close().ok());
  opened = Status::Shutdown("closed");
  CHECK_EQ(BlocksOfProcess(), 0);
  // CURRENT, IDENTITY, LOCK, a MANIFEST, two OPTIONS files, a log or two.
  CHECK_LE(UsageNow(path).directory_files, tables + 8);
}

TEST_CASE("Steady: memory is what was configured, all in Stats(), and nothing is kept in the end") {
  const ScratchDirectory root;
  const std::string path = root / "db";
  const uint64_t operations = Amount(12'000, 400'000);
  // Threads of the process's pool are made by the first loads and stay.
  for (const bool direct : {false, true}) Cycle(path, direct, operations, 1);
  const Usage before = UsageNow(path);
  for (uint64_t seed = 2; seed < Amount(4, 10); ++seed)
    Cycle(path, seed % 2 == 0, operations, seed);
  ::malloc_trim(0);
  const Usage after = UsageNow(path);
  CHECK_EQ(after.descriptors, before.descriptors);
  CHECK_EQ(after.rings, before.rings);
  CHECK_EQ(after.threads, before.threads);
  CHECK_EQ(after.file_mappings, 0);
  CHECK_LE(after.directory_bytes, 2 * before.directory_bytes);
  CHECK_LE(after.resident_bytes, before.resident_bytes + before.resident_bytes / 2 + 8 * kMiB);
}

TEST_CASE("Steady: an iterator's memtables are counted for as long as it has them") {
  const ScratchDirectory root;
  auto db = DB::Open(OptionsOf(false), root / "db");
  REQUIRE(db.ok());
  REQUIRE((*db)->Put({}, "key", std::string(300'000, 'v')).ok());
  {
    auto kept = (*db)->NewIterator({});
    REQUIRE(kept.ok());
    REQUIRE((*db)->Flush().ok());
    REQUIRE((*db)->WaitForBackgroundWork().ok());  // The job has its memtable until it ends.
    CHECK_GT((*db)->Stats().pinned_memtable_bytes, 300'000);
    CHECK_LT((*db)->Stats().memtable_bytes, 300'000);
  }
  CHECK_EQ((*db)->Stats().pinned_memtable_bytes, 0);
}

TEST_CASE("Steady: a block that an iterator or a value has is counted beyond the cache") {
  const ScratchDirectory root;
  Options options = OptionsOf(false);
  options.block_cache_bytes = 0;
  auto db = DB::Open(options, root / "db");
  REQUIRE(db.ok());
  REQUIRE((*db)->Put({}, "key", std::string(300'000, 'v')).ok());
  REQUIRE((*db)->Flush().ok());
  CHECK_LT((*db)->Stats().block_bytes, 300'000);
  {
    const auto value = (*db)->Get({}, "key");
    REQUIRE(value.ok());
    CHECK_GT((*db)->Stats().block_bytes, 300'000);
    CHECK_EQ((*db)->Stats().open_tables, 1);
    CHECK_GT((*db)->Stats().open_table_bytes, 0);
  }
  CHECK_LT((*db)->Stats().block_bytes, 300'000);
}

// 64 shards keep a few blocks each that readers may still look at. Of large blocks that was many
// times the cache.
TEST_CASE("Steady: a cache of large blocks does not keep what it evicted") {
  const ScratchDirectory root;
  Options options = OptionsOf(false);
  options.block_cache_bytes = 32 * kMiB;
  auto db = DB::Open(options, root / "db");
  REQUIRE(db.ok());
  constexpr uint64_t kValues = 600;
  mix::Dice dice(1);
  std::string value(250 << 10, '\0');
  for (char& c : value) c = static_cast<char>(dice.Pick(256));
  for (uint64_t n = 0; n < kValues; ++n) REQUIRE((*db)->Put({}, KeyOf(n), value).ok());
  REQUIRE((*db)->Flush().ok());
  REQUIRE((*db)->WaitForBackgroundWork().ok());
  for (uint64_t n = 0; n < 2 * kValues; ++n) REQUIRE((*db)->Get({}, KeyOf(n * 7 % kValues)).ok());
  const DbStats stats = (*db)->Stats();
  CHECK_GT(stats.block_cache_bytes, 15 * kMiB);
  CHECK_LE(stats.block_bytes, 2 * stats.block_cache_capacity);
}

}  // namespace
}  // namespace varve::resources
