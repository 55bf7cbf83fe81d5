// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_walker.h"

#include <doctest/doctest.h>

#include "core/base/bytes/byte_writer.h"
#include "core/format/table/block_builder.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

Status WalkStatus(const std::string& block) {
  const ExactBytes exact(block);
  const auto view = ParseBlock(exact.view());
  if (!view.ok()) return view.status();
  BlockWalker walker(*view);
  while (walker.Next()) {
  }
  CHECK_FALSE(walker.Next());  // Stays at the end or failed.
  return walker.status();
}

std::string Block(std::string_view entries, std::vector<uint32_t> restarts) {
  std::string out(entries);
  for (const uint32_t restart : restarts) AppendFixed32(&out, restart);
  AppendFixed32(&out, static_cast<uint32_t>(restarts.size()));
  return out;
}

}  // namespace

TEST_CASE("BlockWalker: every fixture's entries are found, in order and whole") {
  const std::pair<const char*, size_t> tables[] = {
      {"r78_tiny.sst", 3},
      {"r119_sepkv.sst", 400},
      {"r119_data_hash_index.sst", 400},
      {"r119_index_firstkey_fv3.sst", 400},
      {"r78_index_firstkey.sst", 400},
      {"r78_index_restart8_fv5.sst", 400},
      {"ldb123_bloom.ldb", 800},
      {"ldb123_binary_keys.ldb", 301},
      {"r119_cksum_none_fv6.sst", 400},
      {"r119_cksum_xxhash64_fv7.sst", 400},
      {"r119_cksum_xxhash.sst", 400},
      {"r78_part_filter_fv5.sst", 800},
      {"r119_part_filter_fv3_decoupled.sst", 800},
      {"r119_part_filter_fv7_decoupled.sst", 800},
      {"r78_filter_ribbon_bpk10_n5000.sst", 5000},
  };
  for (const auto& [name, count] : tables) {
    const TableFile table(name);
    const auto entries = table.Entries();
    CHECK_MESSAGE(entries.size() == count, std::string(name));
    for (size_t i = 1; i < entries.size(); ++i) {
      const auto a = DecodeInternalKey(entries[i - 1].key), b = DecodeInternalKey(entries[i].key);
      REQUIRE(a.has_value());
      REQUIRE(b.has_value());
      CHECK(std::pair(a->user_key, ~a->packed()) < std::pair(b->user_key, ~b->packed()));
      CHECK(IsDataBlockType(static_cast<uint8_t>(b->type)));
    }
  }
}

TEST_CASE("BlockWalker: first keys of an index are the first keys of its blocks") {
  const TableFile table("r78_index_firstkey.sst");
  for (const auto& block : table.DataBlocks()) {
    const std::string raw = table.Block(block.handle);
    const BlockView view = Must(ParseBlock(raw));
    BlockWalker walker(view);
    REQUIRE(walker.Next());
    CHECK(walker.key() == block.first_key);
  }
}

TEST_CASE("BlockWalker: broken entries are corruption") {
  CHECK(WalkStatus(Block(std::string("\0\1\1kv\1\1\0x", 9), {0})).ok());
  CHECK_FALSE(WalkStatus(Block(std::string("\0\1\1kv\2\1\0x", 9), {0})).ok());  // Shares too much.
  CHECK_FALSE(WalkStatus(Block(std::string("\1\1\1kv", 5), {0})).ok());         // As a restart.
  CHECK_FALSE(WalkStatus(Block(std::string("\0\1\1kv\1\1\0x", 9), {0, 5})).ok());  // As a restart.
  CHECK_FALSE(WalkStatus(Block(std::string("\0\1\1kv\0\1\0x", 9), {0, 6})).ok());  // Across one.
  CHECK_FALSE(WalkStatus(Block(std::string("\0\1\1kv\0\1\0x", 9), {0, 8})).ok());
  CHECK_FALSE(WalkStatus(Block(std::string("\0\1\x7Fkv", 5), {0})).ok());
}

TEST_CASE("BlockWalker: no flip of a real index block reads beyond it") {
  const TableFile table("r78_index_firstkey.sst");
  const std::string whole = table.Block(table.index());
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x7F, 0x80}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      const ExactBytes exact(damaged);
      const auto view = ParseBlock(exact.view());
      if (!view.ok()) continue;
      for (const bool delta : {false, true}) {
        IndexWalker walker(*view, {.delta_encoded = delta, .has_first_key = true});
        size_t entries = 0;
        while (walker.Next()) ++entries;
        CHECK(entries <= whole.size() / 2);
      }
    }
  }
}

}  // namespace varve
