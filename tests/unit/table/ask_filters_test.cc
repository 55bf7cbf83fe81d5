// SPDX-License-Identifier: Apache-2.0
// AskFilters() and blocks that are filters.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/table/block/clock_cache.h"
#include "core/table/read/batch_search.h"
#include "core/table/read/table_search.h"
#include "core/table/read/table_state.h"
#include "table_harness.h"

namespace varve {
namespace {

constexpr int kTables = 70;  // More than one window of them.
constexpr int kKeysEach = 400;

std::string KeyOf(int table, int i) {
  std::string digits = std::to_string(100000 + i * kTables + table);
  return "key" + digits;
}

TableOptions Partitioned() {
  TableOptions options;
  options.block_size = 256;
  options.metadata_block_size = 128;
  options.index_type = IndexType::kTwoLevel;
  options.partition_filters = true;
  return options;
}

// Tables over one range, each with keys of its own, and one cache.
class Tables {
 public:
  explicit Tables(const TableOptions& options) {
    for (int t = 0; t < kTables; ++t) {
      TestTable contents;
      for (int i = 0; i < kKeysEach; ++i) {
        contents.entries.push_back({KeyOf(t, i), 1, ValueType::kValue, "value"});
      }
      harnesses_.push_back(std::make_unique<TableHarness>());
      REQUIRE(harnesses_.back()->Build(options, contents).ok());
      auto reader = harnesses_.back()->Open({.comparator = BytewiseComparator(), .cache = cache_});
      REQUIRE(reader.ok());
      readers_.push_back(*std::move(reader));
    }
  }

  const TableReader& operator[](int t) const { return *readers_[static_cast<size_t>(t)]; }
  ClockCache& cache() { return *cache_; }

  // Has the filter partitions that `key` would be in cached, in every `step`-th table.
  void Warm(const std::string& key, int step) {
    for (int t = 0; t < kTables; t += step) {
      Lookup lookup(key, kMaxSequence);
      readers_[static_cast<size_t>(t)]->Get({}, &lookup);
    }
  }

 private:
  std::shared_ptr<ClockCache> cache_ = std::make_shared<ClockCache>(64 << 20);
  std::vector<std::unique_ptr<TableHarness>> harnesses_;
  std::vector<std::unique_ptr<TableReader>> readers_;
};

std::vector<TableProbe> ProbesOf(const Tables& tables, Lookup* lookup) {
  std::vector<TableProbe> probes;
  for (int t = 0; t < kTables; ++t) probes.push_back({.lookup = lookup, .table = &tables[t]});
  return probes;
}

}  // namespace

TEST_CASE("AskFilters asks the partitions that are cached, and no others") {
  Tables tables(Partitioned());
  size_t refused = 0;
  for (int i = 0; i < kKeysEach; i += 7) {
    const int owner = i % kTables, step = 1 + i % 3;
    const std::string key = KeyOf(owner, i);
    Lookup lookup(key, kMaxSequence);
    std::vector<TableProbe> probes = ProbesOf(tables, &lookup);
    if (i == 0) {
      AskFilters(probes);
      for (const TableProbe& probe : probes) CHECK(probe.filter == FilterVerdict::kNotAsked);
    }
    tables.Warm(key, step);
    const uint64_t hits = tables.cache().hits();
    AskFilters(probes);
    uint64_t asked = 0, passed = 0;
    for (int t = 0; t < kTables; ++t) {
      CAPTURE(t);
      const FilterVerdict verdict = probes[static_cast<size_t>(t)].filter;
      if (t % step == 0) {
        CHECK(verdict != FilterVerdict::kNotAsked);
        Lookup alone(key, kMaxSequence);
        CHECK_EQ(verdict == FilterVerdict::kMaybe,
                 tables[t].impl().filter.MayMatch(BytewiseOrder{}, tables[t].impl().fetcher, {},
                                                  &alone));
      }
      if (t == owner) CHECK(verdict != FilterVerdict::kNo);
      asked += verdict != FilterVerdict::kNotAsked;
      passed += verdict == FilterVerdict::kMaybe;
    }
    CHECK_EQ(lookup.filters.asked, asked);
    CHECK_EQ(lookup.filters.passed, passed);
    refused += asked - passed;
    // The walks above went through the cache, too.
    CHECK(tables.cache().hits() >= hits + asked);
    // What was found out is used: the answer is there, and the filter that was right is counted.
    for (const TableProbe& probe : probes) {
      if (probe.table->Get({}, &lookup, probe.filter)) break;
    }
    CHECK(lookup.state == Lookup::State::kFound);
    CHECK_EQ(lookup.filters.right, 1);
  }
  CHECK(refused > 1000);
}

TEST_CASE("AskFilters without a block cache leaves partitions alone") {
  TableHarness harness;
  TestTable contents;
  for (int i = 0; i < kKeysEach; ++i) {
    contents.entries.push_back({KeyOf(0, i), 1, ValueType::kValue, "value"});
  }
  REQUIRE(harness.Build(Partitioned(), contents).ok());
  const auto reader = harness.Open({.comparator = BytewiseComparator()});
  REQUIRE(reader.ok());
  Lookup lookup("key100001", kMaxSequence);
  TableProbe probe{.lookup = &lookup, .table = reader->get()};
  AskFilters({&probe, 1});
  CHECK(probe.filter == FilterVerdict::kNotAsked);
}

// A broken or hostile file may name one block as a data block and as a filter partition: then the
// cache has no say, and the answer is that of a read.
TEST_CASE("A block that is cached as another kind is read again") {
  Tables tables(Partitioned());
  const TableReader::Impl& table = tables[0].impl();
  REQUIRE(table.index.partitions != nullptr);
  const BlockHandle filter = table.index.partitions->filter_partitions().front();

  IndexCursor index(table.index, table.fetcher, {});
  REQUIRE(index.SeekToFirst());
  const BlockHandle first = index.handle();
  const auto data = table.fetcher.Fetch(first, BlockKind::kData, {});
  REQUIRE(data.ok());
  const auto as_filter = table.fetcher.Fetch(first, BlockKind::kFilter, {});
  REQUIRE(as_filter.ok());
  CHECK((*as_filter)->kind() == BlockKind::kFilter);
  CHECK(table.fetcher.FindCached(first, BlockKind::kFilter) == nullptr);
  CHECK(table.fetcher.FindCached(first, BlockKind::kData) == *data);

  REQUIRE(table.fetcher.Fetch(filter, BlockKind::kFilter, {}).ok());
  REQUIRE(table.fetcher.FindCached(filter, BlockKind::kFilter) != nullptr);
  const auto as_data = table.fetcher.FetchForLookup(filter, {});
  const auto read = table.fetcher.Read(filter, BlockKind::kData, {});
  CHECK_FALSE(read.ok());  // It lies behind the data.
  CHECK(as_data.status().message() == read.status().message());
}

}  // namespace varve
