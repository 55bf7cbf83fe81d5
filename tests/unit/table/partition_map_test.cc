// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/partition_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "core/base/keys/key_order.h"
#include "core/table/read/table_state.h"
#include "table_harness.h"
#include "tests/orders.h"

namespace varve {
namespace {

std::string RandomKey(std::mt19937_64& random, const std::string& prefix) {
  std::string key = random() % 8 == 0 ? prefix.substr(0, random() % (prefix.size() + 1)) : prefix;
  for (uint64_t n = 1 + random() % 12; n > 0; n--) key += "\0\1a\x7f\xff"[random() % 5];
  return key;
}

TestTable RandomTable(std::mt19937_64& random, const Comparator& comparator,
                      const std::string& prefix) {
  TestTable contents;
  const uint64_t count = 1 + random() % 600;
  Sequence sequence = 1 << 20;
  for (uint64_t i = 0; i < count; i++) {
    const std::string key = RandomKey(random, prefix);
    // Now and then so many versions that they fill several blocks.
    const uint64_t versions = random() % 50 == 0 ? 40 : 1;
    for (uint64_t v = 0; v < versions; v++) {
      contents.entries.push_back({key, --sequence, ValueType::kValue, std::string(20, 'v')});
    }
  }
  std::sort(contents.entries.begin(), contents.entries.end(), [&](const auto& a, const auto& b) {
    return CompareInternalKeys(VirtualOrder{&comparator}, a.internal_key(), b.internal_key()) < 0;
  });
  return contents;
}

// Where a walk of the encoded top level ends.
BlockHandle Partition(const Comparator& comparator, const Block& top, const IndexEncoding& encoding,
                      const InternalKey& target, bool last_if_none) {
  IndexBlockCursor cursor;
  cursor.Attach(top, encoding);
  if (cursor.Seek(VirtualOrder{&comparator}, target)) return cursor.handle();
  if (!last_if_none) return {};
  REQUIRE(cursor.SeekToLast());
  return cursor.handle();
}

void AgreesWithTheEncodedTopLevels(const Comparator& comparator) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::string prefix = seed % 2 == 0 ? "" : "tenant/0017/table:";
    const TestTable contents = RandomTable(random, comparator, prefix);
    TableOptions options;
    options.block_size = 128;
    options.metadata_block_size = 96;
    options.index_type = IndexType::kTwoLevel;
    options.partition_filters = seed % 5 != 0;
    options.decouple_partitioned_filters = seed % 3 != 0;
    options.format_version = 2 + seed % 6;
    TableHarness harness;
    REQUIRE(harness.Build(options, contents, comparator).ok());
    const auto decoded = harness.Open({.comparator = &comparator});
    const auto encoded = harness.Open(
        {.comparator = &comparator, .grades = {.partition_search = PartitionSearch::kIterate}});
    REQUIRE(decoded.ok());
    REQUIRE(encoded.ok());
    const TableReader::Impl& table = (*encoded)->impl();
    CHECK(table.index.partitions == nullptr);
    const PartitionMap* map = (*decoded)->impl().index.partitions.get();
    REQUIRE(map != nullptr);
    for (int i = 0; i < 300; i++) {
      std::string key = RandomKey(random, prefix);
      Sequence sequence = random() % (1 << 20);
      if (i % 2 == 0) {
        const TableEntry& entry = contents.entries[random() % contents.entries.size()];
        key = entry.key;
        if (i % 4 == 0) sequence = entry.sequence + random() % 3 - 1;
      }
      const InternalKey target = LookupKey(key, sequence);
      const PartitionMap::Place place =
          WithKeyOrder(comparator, [&](auto order) { return map->Find(order, target); });
      const BlockHandle index = place.index < map->index_partitions().size()
                                    ? map->index_partitions()[place.index]
                                    : BlockHandle{};
      REQUIRE_EQ(
          index.offset,
          Partition(comparator, *table.index.top, table.index.encoding, target, false).offset);
      if (options.partition_filters) {
        REQUIRE_EQ(
            map->filter_partitions()[place.filter].offset,
            Partition(comparator, *table.filter.top(), table.index.encoding, target, true).offset);
      } else {
        CHECK(map->filter_partitions().empty());
      }
      Lookup one(key, sequence), other(key, sequence);
      (*decoded)->Get({}, &one);
      (*encoded)->Get({}, &other);
      REQUIRE(one.state == other.state);
    }
    CHECK(ReadForward(**decoded) == contents.entries);
    std::vector<TableEntry> backward = ReadBackward(**decoded);
    std::reverse(backward.begin(), backward.end());
    CHECK(backward == contents.entries);
  }
}

TEST_CASE("PartitionMap: finds what the top levels say, in an order of one's own") {
  AgreesWithTheEncodedTopLevels(ByLength());
}

TEST_CASE("PartitionMap: finds what the top levels say, by bytes") {
  AgreesWithTheEncodedTopLevels(*BytewiseComparator());
}

TEST_CASE("PartitionMap: finds what the top levels say, in reverse") {
  AgreesWithTheEncodedTopLevels(*ReverseBytewiseComparator());
}

// Misses of metadata while data blocks, most of them read once, stream through a small cache.
uint64_t MetadataMisses(TableHarness& harness, const TestTable& contents, bool protect) {
  const auto cache = std::make_shared<ClockCache>(48 << 10);
  const auto table = harness.Open({.cache = cache, .grades = {.protect_metadata = protect}});
  REQUIRE(table.ok());
  const TableReader::Impl& impl = (*table)->impl();
  std::mt19937_64 random(3);
  uint64_t missing = 0;
  for (int i = 0; i < 3000; i++) {
    const TableEntry& entry = contents.entries[random() % contents.entries.size()];
    const PartitionMap::Place place =
        impl.index.partitions->Find(BytewiseOrder{}, entry.internal_key());
    missing +=
        impl.fetcher.IsCached(impl.index.partitions->index_partitions()[place.index]) ? 0 : 1;
    missing +=
        impl.fetcher.IsCached(impl.index.partitions->filter_partitions()[place.filter]) ? 0 : 1;
    Lookup lookup(entry.key, entry.sequence);
    (*table)->Get({}, &lookup);
  }
  return missing;
}

TEST_CASE(
    "Partitions: protected in a small cache, they stay where unprotected ones are pushed out") {
  TestTable contents;
  for (int i = 0; i < 8000; i++) {
    const std::string digits = std::to_string(i);
    contents.entries.push_back({"key" + std::string(6 - digits.size(), '0') + digits, 7,
                                ValueType::kValue, std::string(60, 'v')});
  }
  TableOptions options;
  options.block_size = 1024;
  options.metadata_block_size = 512;
  options.index_type = IndexType::kTwoLevel;
  options.partition_filters = true;
  TableHarness harness;
  REQUIRE(harness.Build(options, contents).ok());
  const uint64_t unprotected = MetadataMisses(harness, contents, false);
  const uint64_t with_protection = MetadataMisses(harness, contents, true);
  CHECK_LT(with_protection * 2, unprotected);
}

}  // namespace
}  // namespace varve
