// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/metaindex.h"

#include <doctest/doctest.h>

#include "core/format/table/block_builder.h"
#include "tests/unit/format/table_file.h"

namespace varve {

TEST_CASE("Metaindex: RocksDB's own comes out byte for byte") {
  for (const char* name : {"r78_tiny.sst", "r119_cksum_xxhash64_fv7.sst"}) {
    const TableFile table(name);
    CHECK(EncodeMetaindex(table.metaindex()) == table.Block(table.footer().metaindex));
  }
}

TEST_CASE("Metaindex: an empty one is a block without entries") {
  CHECK(Must(DecodeMetaindex(EncodeMetaindex({}), 100)).empty());
}

TEST_CASE("Metaindex: unknown names are kept and the known found") {
  Metaindex entries;
  entries["rocksdb.properties"] = {10, 20};
  entries["someone.else's"] = {40, 2};
  const Metaindex decoded = Must(DecodeMetaindex(EncodeMetaindex(entries), 100));
  CHECK(decoded == entries);
  CHECK(FindProperties(decoded) == BlockHandle{10, 20});
  CHECK_FALSE(FindMeta(decoded, kMetaIndex).has_value());
  CHECK(FindProperties(Metaindex{{"rocksdb.stats", {1, 2}}}) == BlockHandle{1, 2});
}

TEST_CASE("Metaindex: handles outside the file, short handles and disorder are corruption") {
  const auto refused = [](const std::vector<std::pair<std::string, std::string>>& entries) {
    BlockBuilder builder({.restart_interval = 1});
    for (const auto& [name, value] : entries) builder.Add(name, value);
    return DecodeMetaindex(builder.Finish(), 100).status().code() == Code::kCorruption;
  };
  CHECK_FALSE(refused({{"a", "\x0A\x14"}, {"b", "\x0A\x14"}}));
  CHECK(refused({{"a", "\x50\x14"}}));
  CHECK(refused({{"a", "\x0A"}}));
  CHECK(refused({{"a", ""}}));
  CHECK(refused({{"b", "\x0A\x14"}, {"a", "\x0A\x14"}}));
  CHECK(refused({{"a", "\x0A\x14"}, {"a", "\x0A\x14"}}));
}

TEST_CASE("Metaindex: filters are told apart by their names") {
  const auto find = [](const char* name) { return FindFilter(Metaindex{{name, {1, 2}}}); };
  CHECK(find("fullfilter.rocksdb.BuiltinBloomFilter")->kind == FilterEntry::Kind::kFull);
  CHECK(find("partitionedfilter.rocksdb.BuiltinBloomFilter")->kind ==
        FilterEntry::Kind::kPartitioned);
  CHECK(find("filter.leveldb.BuiltinBloomFilter2")->kind == FilterEntry::Kind::kPerBlock);
  CHECK(find("filter.leveldb.BuiltinBloomFilter2")->leveldb_hash);
  CHECK_FALSE(find("filter.rocksdb.BuiltinBloomFilter")->leveldb_hash);
  CHECK_FALSE(find("fullfilter.somebody.Else").has_value());
}

}  // namespace varve
