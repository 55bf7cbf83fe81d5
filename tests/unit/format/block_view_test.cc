// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_view.h"

#include <doctest/doctest.h>

#include "core/base/bytes/byte_writer.h"
#include "core/format/table/block_builder.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

// Entries, restarts and last word, of which only the outline matters here.
std::string Outline(std::string_view entries, std::vector<uint32_t> restarts, uint32_t flags = 0) {
  std::string out(entries);
  for (const uint32_t restart : restarts) AppendFixed32(&out, restart);
  AppendFixed32(&out, static_cast<uint32_t>(restarts.size()) | flags);
  return out;
}

Code Refusal(const std::string& block) {
  const ExactBytes exact(block);
  return ParseBlock(exact.view()).status().code();
}

}  // namespace

TEST_CASE("BlockView: a block without entries is empty, with one restart or none") {
  CHECK(Must(ParseBlock(Outline("", {0}))).empty());
  CHECK(Must(ParseBlock(Outline("", {0}))).num_restarts == 0);
  CHECK(Must(ParseBlock(Outline("", {}))).empty());
  CHECK(Must(ParseBlock(Outline("ignored", {}))).empty());
}

TEST_CASE("BlockView: restarts must begin at 0, ascend and stay within the entries") {
  const std::string block = Outline("0123456789", {0, 4, 9});
  const BlockView view = Must(ParseBlock(block));
  CHECK(view.num_restarts == 3);
  CHECK(view.entries == "0123456789");
  CHECK(view.restart_offset(2) == 9);
  for (const std::vector<uint32_t>& bad :
       std::vector<std::vector<uint32_t>>{{1}, {0, 10}, {0, 4, 4}, {0, 5, 4}, {0, 0xFFFFFFFF}}) {
    CHECK(Refusal(Outline("0123456789", bad)) == Code::kCorruption);
  }
  CHECK(Refusal(Outline("", {0, 0})) == Code::kCorruption);
}

TEST_CASE("BlockView: more restarts than the block has bytes are corruption") {
  for (const uint32_t count : {2u, 3u, 1000u, (1u << 28) - 1}) {
    std::string block("0123");
    AppendFixed32(&block, count);
    CHECK(Refusal(block) == Code::kCorruption);
  }
  for (size_t size = 0; size < 4; ++size) CHECK(Refusal(std::string(size, 0)) == Code::kCorruption);
}

TEST_CASE("BlockView: an unknown bit of the last word is unsupported") {
  CHECK(Refusal(Outline("0123", {0}, 1u << 30)) == Code::kNotSupported);
  CHECK(Must(ParseBlock(Outline("0123", {0}, 1u << 29))).evenly_spaced);
}

TEST_CASE("BlockView: a hash index is found, and refused where it cannot be") {
  BlockBuilder builder({.hash_index_ratio = 0.75});
  for (int i = 0; i < 100; ++i) {
    builder.Add(InternalKey{"key" + std::to_string(1000 + i), 1, ValueType::kValue}, "value");
  }
  const std::string block(builder.Finish());
  const BlockView view = Must(ParseBlock(block));
  CHECK(view.num_buckets == (static_cast<uint32_t>(100 / 0.75) | 1));
  CHECK(view.num_restarts == 7);

  std::string bad("0123");
  AppendFixed32(&bad, 0);       // Restart.
  AppendFixed16(&bad, 0xFFFF);  // Buckets that are not there.
  AppendFixed32(&bad, 1 | 1u << 31);
  CHECK(Refusal(bad) == Code::kCorruption);
  CHECK(Refusal(Outline(std::string(70000, 'x'), {0}, 1u << 31)) == Code::kCorruption);
}

TEST_CASE("BlockView: separated keys and values are cut where the block says") {
  std::string block("keysVALUES");
  AppendFixed32(&block, 0);
  AppendFixed32(&block, 4);
  AppendFixed32(&block, 1 | 1u << 28);
  const BlockView view = Must(ParseBlock(block));
  CHECK(view.separated);
  CHECK(view.entries == "keys");
  CHECK(view.values == "VALUES");
  StoreFixed32(block.data() + block.size() - 8, 11);
  CHECK(Refusal(block) == Code::kCorruption);
}

TEST_CASE("BlockView: no cut or flip of a real block reads beyond it") {
  const TableFile table("r119_sepkv.sst");
  const std::string whole = table.Block(table.DataBlocks().front().handle);
  const auto walk = [](const std::string& block) {
    const ExactBytes exact(block);
    const auto view = ParseBlock(exact.view());
    if (!view.ok()) return;
    BlockWalker walker(*view);
    uint64_t bytes = 0;
    while (walker.Next()) {
      for (const char c : walker.value()) bytes += static_cast<uint8_t>(c);
    }
    CHECK(bytes < uint64_t{1} << 40);
  };
  for (size_t size = 0; size < whole.size(); ++size) walk(whole.substr(0, size));
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      walk(damaged);
    }
  }
}

}  // namespace varve
