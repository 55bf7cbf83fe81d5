// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/integer_index.h"

#include <doctest/doctest.h>

#include <bit>

namespace varve {
namespace {

// Two blocks of 3 entries; the key of rank 1 has two more versions.
IntegerIndex AllOne() {
  IntegerIndex index;
  index.key_size = 11;
  index.prefix = "abc";
  index.smallest = 1000;
  index.span = 3;
  index.entries = 6;
  index.keys = 4;
  index.blocks = {{{0, 50}, 3}, {{55, 70}, 3}};
  index.repeats = {{1, 2}};
  return index;
}

IntegerIndex Dense() {
  IntegerIndex index = AllOne();
  index.form = IntegerIndex::Form::kDense;
  index.span = 69;
  index.bits = {0x9, uint64_t{1} << 5 | 1};  // 0, 3, 64, 69.
  return index;
}

// 130 keys, 1000 apart but the second, which is 3 further.
IntegerIndex Piecewise() {
  IntegerIndex index = AllOne();
  index.form = IntegerIndex::Form::kPiecewise;
  index.keys = 130;
  index.entries = 132;
  index.span = 129'000;
  index.blocks = {{{0, 50}, 66}, {{55, 70}, 66}};
  index.segments = {{0, 0, 2}, {128'000, 0, 0}};
  index.bits = {3 << 2, 0, 0, 0, 0};
  return index;
}

// Changes of a valid index, each of which makes it contradict itself.
using Change = void (*)(IntegerIndex*);

void CheckRefused(IntegerIndex index, Change change) {
  change(&index);
  index.bits.resize(index.bits.size() + 200);  // What is encoded may have grown.
  const auto decoded = DecodeIntegerIndex(EncodeIntegerIndex(index));
  REQUIRE(!decoded.ok());
  CHECK(decoded.status().code() == Code::kCorruption);
  CHECK(decoded.status().message().find("integer index, byte ") != std::string_view::npos);
}

TEST_CASE("IntegerIndex: each form is read as it was written") {
  for (const IntegerIndex& index : {AllOne(), Dense(), Piecewise()}) {
    CAPTURE(std::string(IntegerFormName(index.form)));
    const auto decoded = DecodeIntegerIndex(EncodeIntegerIndex(index));
    REQUIRE_MESSAGE(decoded.ok(), decoded.status().ToString());
    CHECK(*decoded == index);
  }
}

TEST_CASE("IntegerIndex: the bytes are those of the comment") {
  IntegerIndex index;
  index.key_size = 2;
  index.smallest = 0x0102;
  index.entries = index.keys = 1;
  index.blocks = {{{0, 300}, 1}};
  using namespace std::string_literals;
  CHECK(EncodeIntegerIndex(index) ==
        "\x01\x00\x02\x02\x01\0\0\0\0\0\0\x00\x01\x01\x01\x01\x00\xac\x02\x00"s);
}

TEST_CASE("IntegerIndex: what contradicts itself is refused") {
  const Change changes[] = {
      [](IntegerIndex* index) { index->keys = 0; },
      [](IntegerIndex* index) { ++index->entries; },
      [](IntegerIndex* index) { index->keys = index->entries + 1; },
      [](IntegerIndex* index) { index->span = 2; },
      [](IntegerIndex* index) { index->smallest = ~uint64_t{0}; },
      [](IntegerIndex* index) { index->blocks.pop_back(); },
      [](IntegerIndex* index) { index->blocks[1].entries = 0; },
      [](IntegerIndex* index) { index->blocks[1].handle.size = 0; },
      [](IntegerIndex* index) { index->repeats.clear(); },
      [](IntegerIndex* index) { index->repeats[0].more = 0; },
      [](IntegerIndex* index) { index->repeats[0].rank = index->keys; },
      [](IntegerIndex* index) { index->repeats = {{1, 1}, {1, 1}}; },
  };
  for (const Change change : changes) {
    CheckRefused(AllOne(), change);
    CheckRefused(Dense(), change);
    CheckRefused(Piecewise(), change);
  }
  CheckRefused(AllOne(), [](IntegerIndex* index) { ++index->span; });
  CheckRefused(Dense(), [](IntegerIndex* index) { index->bits[0] = 0xa; });  // Not the smallest.
  CheckRefused(Dense(), [](IntegerIndex* index) { index->bits[1] = 3; });    // Not the largest.
  CheckRefused(Dense(), [](IntegerIndex* index) { index->bits[0] = 1; });    // Too few.
  CheckRefused(Dense(), [](IntegerIndex* index) { index->bits[1] |= 1 << 6; });  // Behind it.
  CheckRefused(Piecewise(), [](IntegerIndex* index) { index->segments.pop_back(); });
  CheckRefused(Piecewise(), [](IntegerIndex* index) {  // A bit behind the last number.
    index->segments[1].width = 1;
    index->bits[4] = 1 << 2;
  });
  CheckRefused(Piecewise(), [](IntegerIndex* index) { index->segments[0].width = 57; });
  CheckRefused(Piecewise(), [](IntegerIndex* index) { index->segments[0].bias = 1ull << 56; });
  CheckRefused(Piecewise(), [](IntegerIndex* index) { index->segments[1].first = 0; });
  CheckRefused(Piecewise(), [](IntegerIndex* index) { index->segments[1].first = 129'001; });
}

TEST_CASE("IntegerIndex: another version is not damage") {
  std::string bytes = EncodeIntegerIndex(AllOne());
  bytes[0] = 2;
  CHECK(DecodeIntegerIndex(bytes).status().code() == Code::kNotSupported);
}

TEST_CASE(
    "IntegerIndex: cut short anywhere, it is refused; a byte changed, refused or consistent") {
  for (const IntegerIndex& index : {AllOne(), Dense(), Piecewise()}) {
    const std::string whole = EncodeIntegerIndex(index);
    for (size_t size = 0; size < whole.size(); ++size) {
      CHECK(!DecodeIntegerIndex(std::string_view(whole).substr(0, size)).ok());
    }
    CHECK(!DecodeIntegerIndex(whole + '\0').ok());
    for (size_t at = 0; at < whole.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
        const auto decoded = DecodeIntegerIndex(changed);
        if (!decoded.ok()) continue;
        const auto again = DecodeIntegerIndex(EncodeIntegerIndex(*decoded));
        REQUIRE(again.ok());
        CHECK(*again == *decoded);
      }
    }
  }
}

TEST_CASE("IntegerIndex: counts that its bytes cannot hold allocate nothing") {
  const std::string huge = "\xff\xff\xff\xff\x0f";
  const std::string head = std::string("\x01\x00\x08", 3) + std::string(8, '\0');
  // Span, entries, keys; then blocks, or a key size.
  const std::string spans = "\xfe\xff\xff\xff\x0f" + huge + huge;
  CHECK(!DecodeIntegerIndex(head + spans + huge).ok());
  CHECK(!DecodeIntegerIndex(std::string("\x01\x00", 2) + huge + std::string(40, '\0')).ok());
  IntegerIndex dense = Dense();
  dense.span = uint64_t{1} << 40;
  std::string bytes = EncodeIntegerIndex(Dense());
  IntegerIndex without = dense;
  without.form = IntegerIndex::Form::kAllOne;
  bytes = EncodeIntegerIndex(without);
  bytes[1] = static_cast<char>(IntegerIndex::Form::kDense);
  CHECK(!DecodeIntegerIndex(bytes).ok());
}

TEST_CASE("IntegerIndex: keys are integers in the order of their bytes") {
  CHECK(IntegerIndex::IntegerOf("") == 0);
  CHECK(IntegerIndex::IntegerOf("\x01\x02") == 0x0102);
  CHECK(IntegerIndex::IntegerOf("abcdefgh") == 0x6162636465666768);
  CHECK(IntegerIndex::IntegerOf("prefix-abcdefgh") == 0x6162636465666768);
}

}  // namespace
}  // namespace varve
