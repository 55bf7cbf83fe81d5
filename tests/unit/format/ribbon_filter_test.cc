// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/ribbon_filter.h"

#include <doctest/doctest.h>

#include "core/base/hash/hash.h"
#include "core/format/table/filter.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

std::vector<uint64_t> HashesOf(const std::vector<std::string>& keys) {
  std::vector<uint64_t> hashes;
  for (const std::string& key : keys) hashes.push_back(Xxph3_64(key));
  return hashes;
}

std::vector<uint64_t> SomeHashes(size_t count) {
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < count; ++i) hashes.push_back(Xxph3_64("key" + std::to_string(i)));
  return hashes;
}

}  // namespace

TEST_CASE("RibbonFilter: the vector of two blocks answers as RocksDB's reader does") {
  const std::string filter =
      FromHex("0040000000000000000080000000000000000000000000000000000000000000fe00020000");
  const std::string answers = "yyynnyy";  // a, b, c, d, e, f, g.
  const FilterProbe probe = FilterProbe::Parse(filter);
  REQUIRE(probe.kind() == FilterProbe::Kind::kRibbon);
  for (char c = 'a'; c <= 'g'; ++c) {
    CHECK(probe.MayMatch(probe.Hash({&c, 1})) == (answers[static_cast<size_t>(c - 'a')] == 'y'));
  }
}

TEST_CASE("RibbonFilter: RocksDB 7.8's filters come out byte for byte") {
  struct Row {
    const char* table;
    double bits_per_key;
  };
  for (const Row& row : {Row{"r78_filter_ribbon_bpk10_n200.sst", 10},
                         {"r78_filter_ribbon_bpk10_n1000.sst", 10},
                         {"r78_filter_ribbon_bpk10_n1300.sst", 10},
                         {"r78_filter_ribbon_bpk10_n5000.sst", 10},
                         {"r78_filter_ribbon_bpk3_n3000.sst", 3},
                         {"r78_filter_ribbon_bpk6_n3000.sst", 6},
                         {"r78_filter_ribbon_bpk30_n2000.sst", 30},
                         {"r78_filter_ribbon_binary_keys.sst", 10}}) {
    const TableFile table(row.table);
    FilterBuilder builder({.kind = FilterKind::kRibbon, .bits_per_key = row.bits_per_key});
    for (const std::string& key : table.UserKeys()) builder.AddKey(key);
    CHECK(builder.EstimatedSize() <= table.Filter().size() + 16);
    CHECK_MESSAGE(builder.Finish() == table.Filter(), std::string(row.table));
  }
}

TEST_CASE("RibbonFilter: it never forgets a key and lets few others pass") {
  for (const size_t count : {300, 1000, 20000}) {
    const std::vector<uint64_t> hashes = SomeHashes(count);
    const auto filter = BuildRibbon(hashes, 10);
    REQUIRE(filter.has_value());
    const FilterProbe probe = FilterProbe::Parse(*filter);
    size_t forgotten = 0, passed = 0;
    for (const uint64_t hash : hashes) forgotten += probe.MayMatch(hash) ? 0 : 1;
    for (int i = 0; i < 10000; ++i) {
      passed += probe.MayMatch(Xxph3_64("absent" + std::to_string(i))) ? 1 : 0;
    }
    CHECK(forgotten == 0);
    CHECK(passed < 200);  // About 1 %.
  }
}

TEST_CASE("RibbonFilter: sets so small that a Bloom filter is smaller get one") {
  const std::vector<uint64_t> three = HashesOf({"a", "b", "c"});
  CHECK_FALSE(BuildRibbon(three, 10).has_value());
  CHECK_FALSE(BuildRibbon({}, 10).has_value());
}

TEST_CASE("RibbonFilter: a key added twice apart does no harm") {
  std::vector<uint64_t> hashes = SomeHashes(1000);
  hashes.push_back(hashes.front());
  const auto filter = BuildRibbon(hashes, 10);
  REQUIRE(filter.has_value());
  CHECK(FilterProbe::Parse(*filter).MayMatch(hashes.front()));
}

TEST_CASE("RibbonFilter: any number of blocks and segments stays within the bytes") {
  const std::vector<uint64_t> hashes = SomeHashes(200);
  for (const uint32_t blocks : {0u, 1u, 2u, 3u, 17u, 1000u, 0xFFFFFFu}) {
    for (size_t size = 0; size < 16 * 40; size += 5) {
      const ExactBytes segments(std::string(size, '\x5A'));
      const auto filter = RibbonFilter::Parse(segments.view(), 7, blocks);
      CHECK(filter.has_value() == (blocks >= 2));
      if (!filter.has_value()) continue;
      size_t passed = 0;
      for (const uint64_t hash : hashes) {
        filter->Prefetch(hash);
        passed += filter->MayMatch(hash) ? 1 : 0;
      }
      if (size < 16) CHECK(passed == hashes.size());  // No columns: nothing is known.
    }
  }
}

TEST_CASE("RibbonFilter: more columns than results are ignored") {
  const ExactBytes segments(std::string(16 * 2 * 40, '\x5A'));
  const auto filter = RibbonFilter::Parse(segments.view(), 0, 2);
  REQUIRE(filter.has_value());
  CHECK(filter->upper_columns == 32);
  CHECK(filter->first_upper == 0);
}

}  // namespace varve
