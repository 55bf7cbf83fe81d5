// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_builder.h"

#include <doctest/doctest.h>

#include <utility>

#include "core/base/hash/hash.h"
#include "core/format/entry_size.h"
#include "core/format/table/block_walker.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

TEST_CASE("BlockBuilder: the largest entry that is written fits a block, whatever its key") {
  for (const double hash_index_ratio : {0.0, 0.75}) {
    const BlockBuilder block({.hash_index_ratio = hash_index_ratio});
    for (const uint64_t key_size : {uint64_t{0}, kWrittenKeySizeMax, kWrittenEntrySizeMax}) {
      const uint64_t value_size = kWrittenEntrySizeMax - key_size;
      CHECK(CheckEntrySize(key_size, value_size).ok());
      CHECK(block.EstimateSizeAfter(key_size + kPackedSize, value_size) <= kBlockRawSizeMax);
      CHECK(CheckEntrySize(key_size, value_size + 1).code() == Code::kInvalidArgument);
      CHECK(CheckEntrySize(key_size + 1, value_size).code() == Code::kInvalidArgument);
    }
  }
  CHECK_FALSE(FitsBlock(~uint64_t{0}, 2));
  CHECK_FALSE(FitsBlock(2, ~uint64_t{0}));
}

using Entries = std::vector<std::pair<std::string, std::string>>;

Entries SomeEntries(int count) {
  Entries entries;
  for (int i = 0; i < count; ++i) {
    entries.emplace_back("key" + std::to_string(100000 + i * 7), std::string(i % 300, 'v'));
  }
  return entries;
}

Entries Walk(std::string_view block) {
  const BlockView view = Must(ParseBlock(block));
  Entries entries;
  BlockWalker walker(view);
  while (walker.Next()) entries.emplace_back(walker.key(), walker.value());
  REQUIRE_MESSAGE(walker.status().ok(), walker.status().ToString());
  return entries;
}

}  // namespace

TEST_CASE("BlockBuilder: a block of no entries is one restart and the last word") {
  BlockBuilder builder;
  CHECK(builder.CurrentSizeEstimate() == 8);
  CHECK(builder.Finish() == std::string_view("\0\0\0\0\1\0\0\0", 8));
}

TEST_CASE("BlockBuilder: RocksDB's first data block comes out byte for byte") {
  const TableFile table("r78_tiny.sst");
  BlockBuilder builder;
  builder.Add(InternalKey{"apple", 1, ValueType::kValue}, "red");
  builder.Add(InternalKey{"apricot", 2, ValueType::kValue}, "orange");
  builder.Add(InternalKey{"banana", 3, ValueType::kDeletion}, "");
  CHECK(builder.Finish() == table.bytes().substr(0, 66));
}

TEST_CASE("BlockBuilder: a walk gives the added entries, at any restart interval") {
  for (const uint32_t interval : {1u, 2u, 16u, 1000u}) {
    BlockBuilder builder({.restart_interval = interval});
    for (int round = 0; round < 2; ++round) {  // The second after Reset().
      const Entries entries = SomeEntries(500);
      for (const auto& [key, value] : entries) {
        CHECK(builder.CurrentSizeEstimate() <= builder.EstimateSizeAfter(key.size(), value.size()));
        builder.Add(key, value);
      }
      const uint64_t estimate = builder.CurrentSizeEstimate();
      const std::string block(builder.Finish());
      CHECK(block.size() == estimate);
      CHECK(Walk(block) == entries);
      CHECK(Must(ParseBlock(block)).num_restarts == (500 + interval - 1) / interval);
      builder.Reset();
    }
  }
}

TEST_CASE("BlockBuilder: keys that are prefixes of one another, empty and binary keys survive") {
  const Entries entries = {
      {"", "a"},         {std::string("\0", 1), "b"}, {std::string("\0\0", 2), ""},
      {"aaaaaaaa", "c"}, {"aaaaaaaab", "d"},          {"aaaaaaaabaaaaaaaac", "e"},
      {"\xFF\xFF", "f"}};
  BlockBuilder builder;
  for (const auto& [key, value] : entries) builder.Add(key, value);
  CHECK(Walk(builder.Finish()) == entries);
}

TEST_CASE("BlockBuilder: keys that differ in one bit, wherever it is") {
  const std::string lower(20, '\0');
  for (size_t bit = 0; bit < 8 * lower.size(); ++bit) {
    CAPTURE(bit);
    std::string upper = lower;
    upper[bit / 8] = static_cast<char>(1u << (bit % 8));
    const Entries entries = {{lower, "a"}, {upper, "b"}};
    BlockBuilder builder;
    for (const auto& [key, value] : entries) builder.Add(key, value);
    CHECK(Walk(builder.Finish()) == entries);
  }
}

TEST_CASE("BlockBuilder: RocksDB's index blocks come out byte for byte") {
  const std::pair<const char*, uint32_t> tables[] = {{"r78_tiny.sst", 1},
                                                     {"r78_index_restart8_fv5.sst", 8},
                                                     {"r78_index_firstkey.sst", 4},
                                                     {"r78_filter_bloom5_bpk10.sst", 1}};
  for (const auto& [name, restart_interval] : tables) {
    const TableFile table(name);
    const std::string stored = table.Block(table.index());
    const BlockView view = Must(ParseBlock(stored));
    BlockBuilder builder({.restart_interval = restart_interval,
                          .delta_encode_index_values = table.index_format().delta_encoded});
    IndexWalker walker(view, table.index_format());
    while (walker.Next()) builder.AddIndex(walker.key(), walker.handle(), walker.first_key());
    REQUIRE(walker.status().ok());
    CHECK_MESSAGE(builder.Finish() == stored, std::string(name));
  }
}

TEST_CASE("BlockBuilder: handles that do not touch keep their offsets in the delta form") {
  BlockBuilder builder({.restart_interval = 16, .delta_encode_index_values = true});
  const std::vector<BlockHandle> handles = {{0, 100}, {105, 90}, {4096, 95}, {4196, 200}};
  for (size_t i = 0; i < handles.size(); ++i) {
    builder.AddIndex("key" + std::to_string(i), handles[i]);
  }
  const std::string block(builder.Finish());
  const BlockView view = Must(ParseBlock(block));
  IndexWalker walker(view, {.delta_encoded = true, .has_first_key = false});
  for (const BlockHandle& handle : handles) {
    REQUIRE(walker.Next());
    CHECK(walker.handle() == handle);
  }
  CHECK_FALSE(walker.Next());
}

TEST_CASE("BlockBuilder: RocksDB's hash index comes out byte for byte") {
  const TableFile table("r78_data_hash_index.sst");
  size_t blocks = 0;
  for (const auto& entry : table.DataBlocks()) {
    const std::string stored = table.Block(entry.handle);
    const BlockView view = Must(ParseBlock(stored));
    REQUIRE(view.num_buckets > 0);
    BlockBuilder builder({.restart_interval = 16, .hash_index_ratio = 0.75});
    BlockWalker walker(view);
    while (walker.Next()) builder.Add(*DecodeInternalKey(walker.key()), walker.value());
    CHECK(builder.Finish() == stored);
    ++blocks;
  }
  CHECK(blocks > 1);
}

TEST_CASE("BlockBuilder: the hash index leads to the restart interval of every key") {
  BlockBuilder builder({.hash_index_ratio = 0.75});
  std::vector<std::string> keys;
  for (int i = 0; i < 200; ++i) keys.push_back("key" + std::to_string(1000 + i));
  for (const std::string& key : keys) builder.Add(InternalKey{key, 5, ValueType::kValue}, "v");
  const std::string block(builder.Finish());
  const BlockView view = Must(ParseBlock(block));
  int direct = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint8_t bucket = view.buckets[Hash32(keys[i], kHashIndexSeed) % view.num_buckets];
    CHECK(bucket != kBucketEmpty);
    if (bucket == kBucketCollision) continue;
    CHECK(bucket == i / 16);
    ++direct;
  }
  CHECK(direct > 50);
}

TEST_CASE("BlockBuilder: blocks too large for a hash index go without") {
  BlockBuilder many_restarts({.restart_interval = 1, .hash_index_ratio = 0.75});
  BlockBuilder many_bytes({.hash_index_ratio = 0.75});
  for (int i = 0; i < 255; ++i) {
    const std::string key = "key" + std::to_string(1000 + i);
    many_restarts.Add(InternalKey{key, 1, ValueType::kValue}, "v");
    many_bytes.Add(InternalKey{key, 1, ValueType::kValue}, std::string(300, 'v'));
  }
  const std::string restarts(many_restarts.Finish()), bytes(many_bytes.Finish());
  CHECK(Must(ParseBlock(restarts)).num_buckets == 0);
  CHECK(bytes.size() > 65536);
  CHECK(Must(ParseBlock(bytes)).num_buckets == 0);
}

}  // namespace varve
