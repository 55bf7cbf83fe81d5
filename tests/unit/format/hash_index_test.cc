// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/hash_index.h"

#include <doctest/doctest.h>

#include <cstring>

namespace varve {
namespace {

void SetSlot(HashIndex::Line* line, uint32_t i, uint32_t slot) {
  std::memcpy(line->bytes.data() + HashIndex::kEndsSize + 4 * i, &slot, sizeof(slot));
}
void SetEnds(HashIndex::Line* line, uint32_t ends) {
  std::memcpy(line->bytes.data(), &ends, sizeof(ends));
}

// Two blocks of 3 entries; the key of rank 1 has two more versions. Its four keys: two in group 0
// of the first line, one in its group 7, one in group 3 of the second.
HashIndex Small() {
  HashIndex index;
  index.entries = 6;
  index.keys = 4;
  index.blocks = {{{0, 50}, 3}, {{55, 70}, 3}};
  index.repeats = {{1, 2}};
  index.homes = 2;
  index.lines.resize(2);
  SetEnds(&index.lines[0], 0x32222222);
  SetSlot(&index.lines[0], 0, 0xabcd << 3 | 0);
  SetSlot(&index.lines[0], 1, 0x1234 << 3 | 1);
  SetSlot(&index.lines[0], 2, 0xffff << 3 | 4);
  SetEnds(&index.lines[1], 0x11111000);
  SetSlot(&index.lines[1], 0, 0 << 3 | 5);
  return index;
}

using Change = void (*)(HashIndex*);

TEST_CASE("HashIndex: it is read as it was written") {
  HashIndex index = Small();
  auto decoded = DecodeHashIndex(EncodeHashIndex(index));
  REQUIRE_MESSAGE(decoded.ok(), decoded.status().ToString());
  CHECK(*decoded == index);
  index.slot_size = 5;
  for (HashIndex::Line& line : index.lines) line = {};
  SetEnds(&index.lines[0], 0x44444440);
  index.lines[0].bytes[4 + 5 + 4] = 1;  // The highest byte of slot 1: fingerprints end before it.
  CHECK(!DecodeHashIndex(EncodeHashIndex(index)).ok());
  index.lines[0].bytes[4 + 5 + 4] = 0;
  index.lines[0].bytes[4 + 5] = 1;
  decoded = DecodeHashIndex(EncodeHashIndex(index));
  REQUIRE_MESSAGE(decoded.ok(), decoded.status().ToString());
  CHECK(*decoded == index);
}

TEST_CASE("HashIndex: the bytes are those of the comment") {
  const std::string bytes = EncodeHashIndex(Small());
  using namespace std::string_literals;
  const std::string head =
      "\x01\x04\x06\x04\x02\x02"s               // Version, slot size, entries, keys, homes, lines;
      "\x02\x03\x00\x32\x03\x00\x46"s           // blocks;
      "\x01\x01\x02"s                           // repeats;
      "\x22\x22\x22\x32\x68\x5e\x05\x00\xa1"s;  // ends, 0xabcd << 3, the first byte of the next.
  CHECK(bytes.substr(0, head.size()) == head);
  CHECK(bytes.size() == 16 + 2 * 64);
}

TEST_CASE("HashIndex: slots and groups of a line") {
  const HashIndex index = Small();
  const HashIndex::Line& line = index.lines[0];
  CHECK(line.begin(0) == 0);
  CHECK(line.end(0) == 2);
  CHECK(line.begin(3) == 2);
  CHECK(line.end(3) == 2);
  CHECK(line.begin(7) == 2);
  CHECK(line.end(7) == 3);
  CHECK(line.used() == 3);
  CHECK(line.slot(2, 4) == (0xffff << 3 | 4));
  HashIndex::Line whole;
  for (size_t i = 0; i < whole.bytes.size(); ++i) whole.bytes[i] = static_cast<char>(i);
  CHECK(whole.slot(0, 4) == 0x07060504);
  CHECK(whole.slot(14, 4) == 0x3f3e3d3c);
  CHECK(whole.slot(0, 5) == 0x0807060504);
  CHECK(whole.slot(11, 5) == 0x3f3e3d3c3b);
}

TEST_CASE("HashIndex: what contradicts itself is refused") {
  const Change changes[] = {
      [](HashIndex* index) { index->slot_size = 3; },
      [](HashIndex* index) { index->keys = 0; },
      [](HashIndex* index) { index->keys = 3; },
      [](HashIndex* index) { index->entries = 7; },
      [](HashIndex* index) { index->homes = 0; },
      [](HashIndex* index) { index->homes = 3; },
      [](HashIndex* index) { index->lines.resize(2 + HashIndex::kFullRunMax + 1); },
      [](HashIndex* index) { ++index->blocks[0].entries; },
      [](HashIndex* index) { index->blocks.clear(); },
      [](HashIndex* index) { index->repeats[0].rank = 4; },
      [](HashIndex* index) { SetEnds(&index->lines[0], 0x32122222); },   // It descends.
      [](HashIndex* index) { SetEnds(&index->lines[0], 0x42222222); },   // Too many keys.
      [](HashIndex* index) { SetEnds(&index->lines[0], 0x22222222); },   // Bytes in a free slot.
      [](HashIndex* index) { SetSlot(&index->lines[0], 0, 6); },         // An entry that is none.
      [](HashIndex* index) { SetSlot(&index->lines[0], 0, 1u << 19); },  // More than a fingerprint.
  };
  for (const Change change : changes) {
    CAPTURE(&change - changes);
    HashIndex index = Small();
    change(&index);
    const auto decoded = DecodeHashIndex(EncodeHashIndex(index));
    REQUIRE(!decoded.ok());
    CHECK(decoded.status().code() == Code::kCorruption);
    CHECK(decoded.status().message().find("hash index, byte ") != std::string_view::npos);
  }
}

// `count` lines that are full, and one that is empty.
HashIndex Full(uint32_t count) {
  HashIndex index;
  index.keys = index.entries = 15 * count;
  index.blocks = {{{0, 50}, index.entries}};
  index.homes = 1;
  index.lines.resize(count + 1);
  for (uint32_t i = 0; i < count; ++i) SetEnds(&index.lines[i], 0xffffffff);
  return index;
}

TEST_CASE("HashIndex: searches end, and soon") {
  constexpr uint32_t kMax = HashIndex::kFullRunMax;
  CHECK(DecodeHashIndex(EncodeHashIndex(Full(kMax))).ok());
  HashIndex index = Full(kMax + 1);
  index.homes = 2;
  CHECK(DecodeHashIndex(EncodeHashIndex(index))
            .status()
            .message()
            .ends_with("too many lines in a row are full"));
  index = Full(3);
  index.lines.pop_back();
  CHECK(DecodeHashIndex(EncodeHashIndex(index))
            .status()
            .message()
            .ends_with("its last line is full"));
}

TEST_CASE("HashIndex: another version is not damage") {
  std::string bytes = EncodeHashIndex(Small());
  bytes[0] = 2;
  CHECK(DecodeHashIndex(bytes).status().code() == Code::kNotSupported);
}

TEST_CASE("HashIndex: cut short anywhere, it is refused; a byte changed, refused or consistent") {
  const std::string whole = EncodeHashIndex(Small());
  for (size_t size = 0; size < whole.size(); ++size) {
    CHECK(!DecodeHashIndex(std::string_view(whole).substr(0, size)).ok());
  }
  CHECK(!DecodeHashIndex(whole + '\0').ok());
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {1, 0x10, 0x80, 0xff}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const auto decoded = DecodeHashIndex(changed);
      if (!decoded.ok()) continue;
      const auto again = DecodeHashIndex(EncodeHashIndex(*decoded));
      REQUIRE(again.ok());
      CHECK(*again == *decoded);
    }
  }
}

TEST_CASE("HashIndex: counts that its bytes cannot hold allocate nothing") {
  using namespace std::string_literals;
  const std::string huge = "\xff\xff\xff\xff\x0f"s;
  CHECK(!DecodeHashIndex("\x01\x04"s + huge + huge + huge + huge + huge).ok());
  CHECK(!DecodeHashIndex("\x01\x04\x01\x01"s + huge + huge + "\x01\x01\x00\x01\x00"s).ok());
  CHECK(!DecodeHashIndex("\x01\x04\x01\x01\x01\x01"s + huge).ok());
}

}  // namespace
}  // namespace varve
