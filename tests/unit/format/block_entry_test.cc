// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_entry.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/bytes/byte_writer.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

std::string Entry(uint32_t shared, std::string_view suffix, std::string_view value) {
  std::string out;
  AppendVarint32(&out, shared);
  AppendVarint32(&out, static_cast<uint32_t>(suffix.size()));
  AppendVarint32(&out, static_cast<uint32_t>(value.size()));
  return out.append(suffix).append(value);
}

bool Parse(std::string_view bytes, BlockEntry* entry) {
  return ParseBlockEntry(bytes.data(), bytes.data() + bytes.size(), entry);
}

}  // namespace

TEST_CASE("BlockEntry: one-byte and longer sizes parse alike") {
  for (const size_t suffix : {0, 1, 127, 128, 20000}) {
    for (const size_t value : {0, 1, 127, 128, 70000}) {
      for (const uint32_t shared : {0u, 127u, 128u, 1u << 30}) {
        const std::string s(suffix, 's'), v(value, 'v');
        const ExactBytes bytes(Entry(shared, s, v));
        BlockEntry entry;
        REQUIRE(Parse(bytes.view(), &entry));
        CHECK(entry.shared == shared);
        CHECK(entry.suffix() == s);
        CHECK(entry.value() == v);
        CHECK(entry.end() == bytes.view().data() + bytes.view().size());
      }
    }
  }
}

TEST_CASE("BlockEntry: an entry cut at any length is refused") {
  for (const std::string& whole :
       {Entry(3, "suffix", "value"), Entry(300, std::string(200, 's'), std::string(200, 'v'))}) {
    for (size_t size = 0; size < whole.size(); ++size) {
      const ExactBytes bytes(whole.substr(0, size));
      BlockEntry entry;
      CHECK_FALSE(Parse(bytes.view(), &entry));
    }
  }
}

TEST_CASE("BlockEntry: sizes whose sum wraps 32 bits are refused") {
  std::string bytes;
  AppendVarint32(&bytes, 0);
  AppendVarint32(&bytes, 0xFFFFFFFF);
  AppendVarint32(&bytes, 0x00000005);
  bytes += "abcdefgh";
  BlockEntry entry;
  CHECK_FALSE(Parse(bytes, &entry));
}

TEST_CASE("BlockEntry: a varint of more than 32 or 64 bits is refused") {
  uint32_t narrow = 0;
  uint64_t wide = 0;
  const auto parse32 = [&](std::string_view bytes) {
    return ParseVarint32(bytes.data(), bytes.data() + bytes.size(), &narrow);
  };
  const auto parse64 = [&](std::string_view bytes) {
    return ParseVarint64(bytes.data(), bytes.data() + bytes.size(), &wide);
  };
  CHECK(parse32("\xFF\xFF\xFF\xFF\x0F") != nullptr);
  CHECK(narrow == 0xFFFFFFFF);
  CHECK(parse32("\xFF\xFF\xFF\xFF\x1F") == nullptr);
  CHECK(parse32("\x80\x80\x80\x80\x80") == nullptr);
  CHECK(parse64("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01") != nullptr);
  CHECK(wide == std::numeric_limits<uint64_t>::max());
  CHECK(parse64("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02") == nullptr);
  CHECK(parse64("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x81\x01") == nullptr);
}

TEST_CASE("BlockEntry: separated values follow one another unless a restart says where") {
  std::string keys(
      "\x00\x01\x03\x07"
      "k",
      5);  // Restart: value offset 7.
  BlockEntry entry;
  uint64_t at = 0;
  REQUIRE(ParseSeparatedEntry(keys.data(), keys.data() + keys.size(), true, 10, &at, &entry));
  CHECK(at == 7);
  CHECK(entry.suffix() == "k");
  at = 0;
  CHECK_FALSE(ParseSeparatedEntry(keys.data(), keys.data() + keys.size(), true, 9, &at, &entry));
  CHECK_FALSE(ParseSeparatedEntry(keys.data(), keys.data() + 4, true, 10, &at, &entry));
  keys.erase(3, 1);
  at = 5;
  REQUIRE(ParseSeparatedEntry(keys.data(), keys.data() + keys.size(), false, 8, &at, &entry));
  CHECK(at == 5);
  at = 6;
  CHECK_FALSE(ParseSeparatedEntry(keys.data(), keys.data() + keys.size(), false, 8, &at, &entry));
}

TEST_CASE("BlockEntry: index values are whole handles exactly when nothing is shared") {
  const std::string full("\x64\x28", 2);
  const std::string delta("\x03", 1);  // Zigzag -2.
  const BlockHandle previous{100, 40};
  IndexValue value;
  const IndexValueFormat format{.delta_encoded = true, .has_first_key = false};
  const auto parse = [&](const std::string& bytes, uint32_t shared) {
    return ParseIndexValue(bytes.data(), bytes.data() + bytes.size(), format, shared, previous,
                           &value);
  };
  REQUIRE(parse(full, 0) == full.data() + 2);
  CHECK(value.handle == BlockHandle{100, 40});
  REQUIRE(parse(delta, 1) == delta.data() + 1);
  CHECK(value.handle == BlockHandle{145, 38});
  CHECK(parse(delta, 0) == nullptr);
  CHECK(parse("", 1) == nullptr);
}

TEST_CASE("BlockEntry: a first key longer than its block is refused") {
  IndexValue value;
  const IndexValueFormat format{.delta_encoded = false, .has_first_key = true};
  const std::string bytes(
      "\x00\x05\x03"
      "abc",
      6);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const ExactBytes cut(bytes.substr(0, size));
    CHECK(ParseIndexValue(cut.view().data(), cut.view().data() + size, format, 0, {}, &value) ==
          nullptr);
  }
  REQUIRE(ParseIndexValue(bytes.data(), bytes.data() + bytes.size(), format, 0, {}, &value) !=
          nullptr);
  CHECK(value.first_key == "abc");
}

}  // namespace varve
