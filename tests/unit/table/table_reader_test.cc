// SPDX-License-Identifier: Apache-2.0
// What a TableReader itself answers; its iterators and batches have tests of their own.
#include "core/table/read/table_reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "table_harness.h"
#include "tests/orders.h"

namespace varve {
namespace {

using State = Lookup::State;

TestTable Numbered(int count) {
  TestTable table;
  for (int i = 0; i < count; ++i) {
    const std::string key = "key" + std::to_string(100'000 + i);
    table.entries.push_back({key, 20, ValueType::kValue, "new " + key});
    if (i % 3 == 0) table.entries.push_back({key, 10, ValueType::kValue, "old " + key});
  }
  return table;
}

TableOptions SmallBlocks(IndexType index = IndexType::kBinary) {
  TableOptions options;
  options.block_size = 300;
  options.metadata_block_size = 200;
  options.index_type = index;
  options.partition_filters = index == IndexType::kTwoLevel;
  return options;
}

Lookup Get(const TableReader& table, std::string_view key, Sequence at = kMaxSequence) {
  Lookup lookup(key, at);
  const bool done = table.Get({}, &lookup);
  CHECK_EQ(done, lookup.done());
  return lookup;
}

TEST_CASE("TableReader: a get finds the version that its snapshot sees, or nothing") {
  for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
    for (const bool cached : {false, true}) {
      TableHarness harness;
      REQUIRE(harness.Build(SmallBlocks(index), Numbered(500)).ok());
      const auto table =
          *harness.Open({.cache = cached ? std::make_shared<ClockCache>(1 << 20) : nullptr});
      for (int i = 0; i < 500; ++i) {
        const std::string key = "key" + std::to_string(100'000 + i);
        CHECK_EQ(Get(*table, key).value.view(), "new " + key);
        const Lookup old = Get(*table, key, 15);
        CHECK_EQ(old.state, i % 3 == 0 ? State::kFound : State::kSearching);
        if (i % 3 == 0) CHECK_EQ(old.value.view(), "old " + key);
        CHECK_EQ(Get(*table, key, 9).state, State::kSearching);
        CHECK_EQ(Get(*table, key + "x").state, State::kSearching);
      }
      for (const char* key : {"", "a", "key", "zzz"})
        CHECK_EQ(Get(*table, key).state, State::kSearching);
    }
  }
}

TEST_CASE("TableReader: a get whose filter said no looks at the range deletions alone") {
  TestTable contents = Numbered(10);
  contents.tombstones = {{"key100004", "key100006", 30}};
  TableHarness harness;
  REQUIRE(harness.Build({}, contents).ok());
  const auto table = *harness.Open();
  Lookup no("key100001", kMaxSequence), covered("key100004", kMaxSequence),
      maybe("key100001", kMaxSequence);
  CHECK_FALSE(table->Get({}, &no, FilterVerdict::kNo));
  CHECK_EQ(no.state, State::kSearching);
  CHECK_FALSE(table->Get({}, &covered, FilterVerdict::kNo));
  CHECK_EQ(covered.covered_by, 30u);
  CHECK(table->Get({}, &maybe, FilterVerdict::kMaybe));
  CHECK_EQ(Get(*table, "key100004").state, State::kDeleted);
  CHECK_EQ(Get(*table, "key100004", 25).state, State::kFound);
  CHECK(table->has_tombstones());
  CHECK_EQ(table->Tombstones()->size(), 1u);
  CHECK_EQ(table->RawTombstones().size(), 1u);
}

TEST_CASE("TableReader: a value stays where it is, when the reader and its cache are gone") {
  TableHarness harness;
  REQUIRE(harness.Build(SmallBlocks(), Numbered(50)).ok());
  auto cache = std::make_shared<ClockCache>(1 << 20);
  auto table = *harness.Open({.cache = cache});
  const Lookup lookup = Get(*table, "key100030");
  table = nullptr;
  cache = nullptr;
  CHECK_EQ(lookup.value.view(), "new key100030");
}

TEST_CASE("TableReader: with cache_only a block that is not cached is busy") {
  TableHarness harness;
  REQUIRE(harness.Build(SmallBlocks(), Numbered(50)).ok());
  const auto table = *harness.Open({.cache = std::make_shared<ClockCache>(1 << 20)});
  ReadOptions cached_only;
  cached_only.cache_only = true;
  Lookup cold("key100030", kMaxSequence);
  CHECK(table->Get(cached_only, &cold));
  CHECK_EQ(cold.state, State::kFailed);
  CHECK_EQ(cold.status.code(), Code::kBusy);
  Get(*table, "key100030");
  Lookup warm("key100030", kMaxSequence);
  CHECK(table->Get(cached_only, &warm));
  CHECK_EQ(warm.state, State::kFound);
}

TEST_CASE("TableReader: offsets ascend with the keys, from the beginning to the end of the data") {
  for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
    TableHarness harness;
    REQUIRE(harness.Build(SmallBlocks(index), Numbered(500)).ok());
    const auto table = *harness.Open();
    const auto offset = [&](std::string_view key) {
      return table->ApproximateOffset(LookupKey(key, kMaxSequence));
    };
    CHECK_EQ(offset(""), 0u);
    uint64_t before = 0, steps = 0;
    for (const TableEntry& entry : Numbered(500).entries) {
      const uint64_t at = offset(entry.key);
      REQUIRE_GE(at, before);
      steps += at > before ? 1 : 0;
      before = at;
    }
    CHECK_EQ(steps + 1, table->properties().data_blocks);
    CHECK_EQ(offset("zzz"), table->properties().data_size);
  }
}

TEST_CASE("TableReader: sampled keys are evenly spaced separators, no more than there are blocks") {
  for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
    TableHarness harness;
    REQUIRE(harness.Build(SmallBlocks(index), Numbered(500)).ok());
    const auto table = *harness.Open();
    const size_t blocks = table->properties().data_blocks;
    for (const size_t count :
         {size_t{1}, size_t{2}, size_t{7}, blocks - 1, blocks, blocks + 1, 10 * blocks}) {
      const std::vector<std::string> keys = table->SampleUserKeys(count);
      CHECK_EQ(keys.size(), std::min(count, blocks));
      CHECK(std::is_sorted(keys.begin(), keys.end()));
      CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
    }
    const std::vector<std::string> halves = table->SampleUserKeys(2);
    CHECK_GT(halves[0], "key100200");
    CHECK_LT(halves[0], "key100300");
  }
}

TEST_CASE("TableReader: says what the table is") {
  TableOptions options = SmallBlocks();
  options.format_version = 4;
  options.checksum = ChecksumType::kCrc32c;
  TableHarness harness;
  REQUIRE(harness.Build(options, Numbered(50)).ok());
  const auto table = *harness.Open();
  CHECK_EQ(table->format_version(), 4u);
  CHECK_EQ(table->checksum_type(), ChecksumType::kCrc32c);
  CHECK_FALSE(table->is_leveldb());
  CHECK_EQ(table->file_size(), harness.Bytes().size());
  CHECK_EQ(table->comparator(), BytewiseComparator());
  CHECK_EQ(table->comparator_name(), "leveldb.BytewiseComparator");
  CHECK(table->filter_status().ok());
  CHECK_EQ(table->properties().entries, Numbered(50).entries.size());
  CHECK_FALSE(table->has_tombstones());
  CHECK_EQ(table->Tombstones(), nullptr);
  // Index and filter at least.
  CHECK_GT(table->MemoryUsage(), table->properties().index_size + table->properties().filter_size);
}

TEST_CASE("TableReader: in an order that nobody knows keys cannot be looked up, only walked") {
  TableHarness harness;
  const TestTable contents = Numbered(50);
  const OwnOrder mine;
  REQUIRE(harness.Build(SmallBlocks(), contents, mine).ok());
  const auto table = *harness.Open();
  CHECK_EQ(table->comparator(), nullptr);
  CHECK_EQ(table->comparator_name(), "test.OwnOrder");
  const Lookup lookup = Get(*table, "key100030");
  CHECK_EQ(lookup.state, State::kFailed);
  CHECK(lookup.status.message().find("000007.sst@0") != std::string_view::npos);
  CHECK(lookup.status.message().find("test.OwnOrder") != std::string_view::npos);
  CHECK_EQ(table->ApproximateOffset(LookupKey("a", kMaxSequence)), table->properties().data_size);
  CHECK(ReadForward(*table) == contents.entries);
  const auto known = *harness.Open({.comparator = &mine});
  CHECK_EQ(Get(*known, "key100030").value.view(), "new key100030");
}

TEST_CASE("TableReader: threads at once all find their keys") {
  TableHarness harness;
  REQUIRE(harness.Build(SmallBlocks(IndexType::kTwoLevel), Numbered(500)).ok());
  const auto table = *harness.Open({.cache = std::make_shared<ClockCache>(1 << 16)});
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 1000; ++i) {
        const std::string key = "key" + std::to_string(100'000 + (i * 37 + t * 101) % 500);
        Lookup lookup(key, kMaxSequence);
        table->Get({}, &lookup);
        if (lookup.value.view() != "new " + key) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) CHECK_EQ(count, 0);
}

}  // namespace
}  // namespace varve
