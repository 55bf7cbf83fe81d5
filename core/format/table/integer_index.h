// SPDX-License-Identifier: Apache-2.0
// IntegerIndex is the point index of a table whose keys are all of one size and differ in their
// last 8 bytes only: as big-endian integers in key order, it says which of them are there, and
// where. A meta block of its own, not compressed; readers that do not know it skip it.
//
//   | version (1) | form (1) | key size (v) | common prefix | smallest (8) | span (v) |
//   | entries (v) | keys (v) |
//   | blocks and repeats: format/table/point_places.h |
//   | what the form stores |                                             v: varint
//
// `span` is the largest integer minus the smallest. The rank of a key is the number of smaller
// keys; rank, repeats and the blocks' numbers of entries give the place of the key's newest entry.
// Forms, of which the writer takes the smallest:
//
//   all-one    nothing: every integer between the smallest and the largest is there
//   dense      a bit for each of them, | bits (span + 1, in bytes, low bits first) |
//   piecewise  | per segment of 128 keys: distance (v), bias (v), width (1) | numbers (packed) |
//
// Piecewise, a segment is a line from its first key to that of the next segment (the last one's
// ends at the largest key), and each key is a number of `width` bits: its distance from the line,
// plus `bias`. `distance` is that of the segment's first key from the last segment's, for the first
// one from the smallest key, 0.
//
// Written by: table/point/integer_index_builder.cc. Read by: table/point/point_index.cc,
// inspect/table/point_index_layout.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/table/point_places.h"
#include "varve/result.h"

namespace varve {

// Its name in the metaindex: as that of a filter of a policy that nobody has, of the obsolete kind.
// RocksDB looks for filters by the names of policies that it knows and skips others; of names
// without one of its prefixes, builds with assertions (Debian's 7.8.3 is one) believe when they
// verify checksums that they cannot be, and end the process.
inline constexpr std::string_view kMetaIntegerIndex = "filter.varve.integer";

struct IntegerIndex : PointPlaces {
  enum class Form : uint8_t { kAllOne = 0, kDense = 1, kPiecewise = 2 };
  struct Segment {
    uint64_t first = 0;  // Its first key, less the smallest.
    uint64_t bias = 0;
    uint8_t width = 0;  // Bits of a number.
    bool operator==(const Segment&) const = default;
  };
  static constexpr uint8_t kVersion = 1;
  static constexpr size_t kIntegerSize = 8;  // Of keys that have as many bytes.
  static constexpr uint32_t kSegmentShift = 7;
  static constexpr uint32_t kSegmentKeys = 1u << kSegmentShift;
  static constexpr uint8_t kWidthMax = 56;  // A number is read with one load.

  Form form = Form::kAllOne;
  uint32_t key_size = 0;
  std::string prefix;  // Of key_size - kIntegerSize bytes, if that is more than 0.
  uint64_t smallest = 0;
  uint64_t span = 0;
  std::vector<uint64_t> bits;     // Dense; of piecewise, the numbers and one more word.
  std::vector<Segment> segments;  // Piecewise.

  // The integer of a key. Requires key.size() == key_size.
  static uint64_t IntegerOf(std::string_view key) {
    if (key.size() >= kIntegerSize) {
      return __builtin_bswap64(LoadFixed64(key.data() + key.size() - kIntegerSize));
    }
    uint64_t integer = 0;
    for (const char byte : key) integer = integer << 8 | static_cast<uint8_t>(byte);
    return integer;
  }
  // Piecewise: where the numbers of each segment start, in bits; one more at the end. nullopt if
  // they would be more than 2^40.
  std::optional<std::vector<uint64_t>> NumberOffsets() const;

  bool operator==(const IntegerIndex&) const = default;
};

std::string_view IntegerFormName(IntegerIndex::Form form);  // "all_one", "dense", "piecewise".

// Where the line of a segment is at its key number `at`, if the next segment begins `gap` behind
// it: less the segment's first key. Requires at < kSegmentKeys.
constexpr uint64_t PointOnLine(uint64_t gap, uint32_t at) {
  DCHECK_OP(at, <, IntegerIndex::kSegmentKeys);
  return static_cast<uint64_t>((static_cast<unsigned __int128>(gap) * at) >>
                               IntegerIndex::kSegmentShift);
}
// The gap that stands for a line of `keys` keys (1 .. kSegmentKeys) that ends `span` behind its
// beginning.
constexpr uint64_t GapOfLast(uint64_t span, uint32_t keys) {
  DCHECK_OP(keys, <=, IntegerIndex::kSegmentKeys);
  if (keys <= 1) return 0;
  const unsigned __int128 gap =
      (static_cast<unsigned __int128>(span) << IntegerIndex::kSegmentShift) / (keys - 1);
  return gap > ~uint64_t{0} ? ~uint64_t{0} : static_cast<uint64_t>(gap);
}

std::string EncodeIntegerIndex(const IntegerIndex& index);
// Corruption: anything that contradicts itself. Needs memory in proportion to `bytes`. What it
// cannot know is whether the keys are those of the table. NotSupported: another version.
Result<IntegerIndex> DecodeIntegerIndex(std::string_view bytes);

}  // namespace varve
