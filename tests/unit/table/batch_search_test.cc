// SPDX-License-Identifier: Apache-2.0
#include "core/table/read/batch_search.h"

#include <random>

#include "table_harness.h"

namespace varve {
namespace {

// Every third key absent; several versions of some keys, in blocks of a few entries.
TestTable Versions() {
  TestTable table;
  Sequence sequence = 50'000;
  for (int i = 0; i < 600; ++i) {
    if (i % 3 == 0) continue;
    for (int v = 0; v < 1 + i % 7; ++v) {
      const auto type = v % 2 == 0 ? ValueType::kMerge : ValueType::kValue;
      table.entries.push_back(
          {"key" + std::to_string(10'000 + i), --sequence, type, std::to_string(i * 10 + v)});
    }
  }
  table.tombstones = {{"key10100", "key10200", 60'000}};
  return table;
}

bool Same(const Lookup& a, const Lookup& b) {
  if (a.state != b.state || a.covered_by != b.covered_by || a.value.view() != b.value.view() ||
      a.operands.size() != b.operands.size()) {
    return false;
  }
  for (size_t i = 0; i < a.operands.size(); ++i) {
    if (a.operands[i].view() != b.operands[i].view()) return false;
  }
  return true;
}

TEST_CASE("SearchTable: every batch answers as single gets do, whatever the table's parts") {
  const TestTable contents = Versions();
  std::mt19937 random(7);
  for (const bool two_levels : {false, true}) {
    for (const bool cached : {false, true}) {
      TableOptions options;
      options.block_size = 200;
      options.metadata_block_size = 200;
      options.index_type = two_levels ? IndexType::kTwoLevel : IndexType::kBinary;
      options.partition_filters = two_levels;
      TableHarness harness;
      REQUIRE(harness.Build(options, contents).ok());
      const auto table =
          harness.Open({.cache = cached ? std::make_shared<ClockCache>(1 << 20) : nullptr});
      REQUIRE(table.ok());
      for (int round = 0; round < 50; ++round) {
        std::vector<std::string> keys;
        for (int i = 0; i < 600; ++i) {
          if (random() % 4 == 0) keys.push_back("key" + std::to_string(10'000 + i));
        }
        std::vector<Lookup> many, single;
        for (const std::string& key : keys) {
          const Sequence at = random() % 2 == 0 ? kMaxSequence : 47'000 + random() % 3'500;
          many.emplace_back(key, at);
          single.emplace_back(key, at);
        }
        std::vector<Lookup*> batch;
        for (Lookup& lookup : many) batch.push_back(&lookup);
        SearchTable({}, **table, batch);
        for (size_t i = 0; i < keys.size(); ++i) {
          (*table)->Get({}, &single[i]);
          CAPTURE(keys[i]);
          REQUIRE(Same(many[i], single[i]));
        }
      }
    }
  }
}

TEST_CASE("SearchTable: lookups that are done already are left alone") {
  TableHarness harness;
  REQUIRE(harness.Build({}, Versions()).ok());
  const auto table = harness.Open();
  REQUIRE(table.ok());
  Lookup done("key10001", kMaxSequence);
  done.state = Lookup::State::kDeleted;
  std::vector<Lookup*> batch = {&done};
  SearchTable({}, **table, batch);
  CHECK(done.state == Lookup::State::kDeleted);
  CHECK(done.operands.empty());
}

TEST_CASE("SearchTable: with cache_only an uncached block fails its own keys as busy") {
  TableHarness harness;
  REQUIRE(harness.Build({}, Versions()).ok());
  const auto table = harness.Open({.cache = std::make_shared<ClockCache>(1 << 20)});
  REQUIRE(table.ok());
  Lookup lookup("key10001", kMaxSequence);
  std::vector<Lookup*> batch = {&lookup};
  ReadOptions options;
  options.cache_only = true;
  SearchTable(options, **table, batch);
  CHECK(lookup.state == Lookup::State::kFailed);
  CHECK(lookup.status.code() == Code::kBusy);
}

}  // namespace
}  // namespace varve
