// SPDX-License-Identifier: Apache-2.0
// Iterator::NextBatch() on databases with many blocks to a table: it shows what steps show. Small
// histories with everything in them are walked in db_iterator_test.cc.
#include <doctest/doctest.h>

#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/test_files.h"
#include "tests/unit/engine/inline_db.h"
#include "varve/iterator.h"

namespace varve {
namespace {

using Records = std::vector<std::pair<std::string, std::string>>;

Records BySteps(DB& db, const ReadOptions& options) {
  Records records;
  auto it = db.NewIterator(options);
  REQUIRE(it.ok());
  for (it->SeekToFirst(); it->Valid(); it->Next()) records.emplace_back(it->key(), it->value());
  REQUIRE(it->status().ok());
  return records;
}

Records ByBatches(DB& db, const ReadOptions& options, size_t most) {
  Records records;
  auto it = db.NewIterator(options);
  REQUIRE(it.ok());
  it->SeekToFirst();
  while (it->Valid()) {
    const std::span<const Record> batch = it->NextBatch(most);
    REQUIRE_FALSE(batch.empty());
    REQUIRE(batch.size() <= most);
    for (const Record& record : batch) records.emplace_back(record.key, record.value);
  }
  REQUIRE(it->status().ok());
  return records;
}

std::string KeyOf(uint64_t number) {
  std::string digits = std::to_string(number);
  return "user/" + std::string(8 - digits.size(), '0') + digits;
}

// `count` puts of random keys, with values of many sizes, empty and large ones among them.
void Fill(DB& db, std::mt19937& random, int count) {
  for (int i = 0; i < count; ++i) {
    const size_t size = random() % 50 == 0 ? 5000 : random() % 60;
    REQUIRE(db.Put({}, KeyOf(random() % 4000), std::string(size, "abc"[i % 3])).ok());
  }
}

TEST_CASE("NextBatch: in databases of several levels it shows what steps show") {
  for (const bool cached : {true, false}) {
    for (uint32_t seed = 1; seed <= 6; ++seed) {
      CAPTURE(seed);
      std::mt19937 random(seed);
      InlineDb made;
      made.options.family.write_buffer_size = 32 << 10;
      made.options.family.target_file_size_base = 64 << 10;
      made.options.family.max_bytes_for_level_base = 128 << 10;
      made.options.family.table.block_size = seed % 2 == 0 ? 512 : 4096;
      DB& db = made.Open();
      Fill(db, random, 6000);
      const Snapshot snapshot = db.GetSnapshot();
      Fill(db, random, 3000);
      for (int i = 0; i < 300; ++i) REQUIRE(db.Delete({}, KeyOf(random() % 4000)).ok());
      if (seed % 3 == 0) {
        WriteBatch batch;
        batch.DeleteRange(KeyOf(1000), KeyOf(1100));
        REQUIRE(db.Write({}, std::move(batch)).ok());
      }
      if (seed % 3 == 1) REQUIRE(db.CompactRange({}, {}, {}).ok());
      const std::string lower = KeyOf(random() % 2000), upper = KeyOf(2000 + random() % 2000);
      ReadOptions options;
      options.fill_cache = cached;
      for (const int what : {0, 1, 2, 3}) {
        CAPTURE(what);
        options.snapshot = what == 1 ? &snapshot : nullptr;
        options.lower_bound.reset();
        options.upper_bound.reset();
        if (what >= 2) options.upper_bound = upper;
        if (what == 3) options.lower_bound = lower;
        const Records expected = BySteps(db, options);
        for (const size_t most : {1, 7, 100, 100'000}) {
          CAPTURE(most);
          CHECK(ByBatches(db, options, most) == expected);
        }
      }
    }
  }
}

TEST_CASE("NextBatch: a batch ends at about a megabyte, and after one record that is larger") {
  InlineDb made;
  DB& db = made.Open();
  for (int i = 0; i < 40; ++i) REQUIRE(db.Put({}, KeyOf(i), std::string(100'000, 'v')).ok());
  REQUIRE(db.Put({}, KeyOf(40), std::string(3'000'000, 'v')).ok());
  REQUIRE(db.Put({}, KeyOf(41), "v").ok());
  for (const bool flushed : {false, true}) {
    if (flushed) REQUIRE(db.Flush().ok());
    auto it = db.NewIterator({});
    REQUIRE(it.ok());
    it->SeekToFirst();
    CHECK_EQ(it->NextBatch(1000).size(), 11);
    REQUIRE(it->Valid());
    CHECK_EQ(it->key(), KeyOf(11));
    it->Seek(KeyOf(40));
    CHECK_EQ(it->NextBatch(1000).size(), 1);
    CHECK_EQ(it->key(), KeyOf(41));
  }
}

TEST_CASE("NextBatch: what comes before a damaged block is returned, then the error is told") {
  InlineDb made;
  DB& db = made.Open();
  for (int i = 0; i < 2000; ++i) REQUIRE(db.Put({}, KeyOf(i), "value").ok());
  REQUIRE(db.Flush().ok());
  const Records all = BySteps(db, {});
  made.db.reset();
  const auto files = made.fs.List("db");
  REQUIRE(files.ok());
  for (const DirectoryEntry& file : *files) {
    if (!file.name.ends_with(".sst")) continue;
    std::string bytes = ReadFile(made.fs, "db/" + file.name);
    bytes.at(9000) ^= 1;
    WriteFile(made.fs, "db/" + file.name, bytes);
  }
  DB& again = made.Open();
  auto it = again.NewIterator({});
  REQUIRE(it.ok());
  it->SeekToFirst();
  size_t count = 0;
  while (it->Valid()) {
    for (const Record& record : it->NextBatch(300)) {
      REQUIRE(count < all.size());
      CHECK_EQ(record.key, all[count++].first);
    }
  }
  CHECK(it->status().code() == Code::kCorruption);
  CHECK(count > 0);
  CHECK(count < all.size());
}

}  // namespace
}  // namespace varve
