// SPDX-License-Identifier: Apache-2.0
// HashIndex is the point index of a table of any keys: a hash table from keys to the number of
// their newest entry, in which a key is a fingerprint. A meta block of its own, not compressed;
// readers that do not know it skip it.
//
//   | version (1) | slot size (1) | entries (v) | keys (v) | homes (v) | lines (v) |
//   | blocks and repeats: format/table/point_places.h                              |
//   | lines, of 64 bytes |                                              v: varint
//
// A line is a cache line. Its slots are in eight groups, one after the other:
//
//   | ends (4)    four bits for each group, low bits first: the number of slots in it and before |
//   | slots       15 of 4 bytes, or 12 of 5: fingerprint << entry_bits | entry; free ones are 0  |
//
// `entry_bits` is what the largest number of an entry takes; a fingerprint has the bits that are
// left, 16 at most. Of a key's hash, Xxph3_64() as in filters, the upper half gives its home line
// (as a fraction of the `homes`), bits 0..2 its group, the bits from 3 on its fingerprint.
//
// What does not fit into a line goes on to the next, whose number is one higher: of the keys that
// want to be in a line, those of the highest groups. There a key's group is kHop higher, modulo 8.
// So a search ends in the first line where the slots of the key's group do not reach to the end of
// the line. Lines behind the homes take what the last home cannot. The last line is not full, and
// no more than kFullRunMax in a row are.
//
// Limits: 2^28 entries. Slots have 4 bytes up to 2^20 entries, which is 4.74 bytes a key at the
// load that the writer aims at (90 %), and 5 bytes beyond: 5.93 bytes a key; all that besides about
// 4 bytes a data block and 2 a key with several entries. An absent key meets 2.5 fingerprints: one
// in 1,600 leads to an entry, or fewer.
//
// Written by: table/point/hash_index_builder.cc. Read by: table/point/hash_lines.h,
// inspect/table/hash_index_layout.cc.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/format/table/point_places.h"
#include "varve/result.h"

namespace varve {

// Its name in the metaindex; why it is that of a filter, kMetaIntegerIndex says.
inline constexpr std::string_view kMetaHashIndex = "filter.varve.hash";
inline constexpr std::string_view kHashFormName = "hash";

struct HashIndex : PointPlaces {
  static constexpr uint8_t kVersion = 1;
  static constexpr uint32_t kGroups = 8;
  static constexpr uint32_t kGroupBits = 3;
  static constexpr uint32_t kHop = 5;
  static constexpr uint32_t kLineSize = 64;
  static constexpr uint32_t kEndsSize = 4;
  static constexpr uint32_t kFullRunMax = 1024;
  static constexpr uint32_t kEntriesMax = 1u << 28;
  static constexpr uint32_t kFingerprintBitsMax = 16;

  struct alignas(kLineSize) Line {
    std::array<char, kLineSize> bytes = {};

    // Of the slots of a group: the first, and the first behind it.
    uint32_t begin(uint32_t group) const {
      return static_cast<uint32_t>(uint64_t{ends()} << 4 >> 4 * group) & 15;
    }
    uint32_t end(uint32_t group) const { return ends() >> 4 * group & 15; }
    uint32_t used() const { return ends() >> 28; }
    uint32_t ends() const { return LoadFixed32(bytes.data()); }
    // With one load, which ends where the slot does.
    uint64_t slot(uint32_t i, uint32_t slot_size) const {
      return LoadFixed64(bytes.data() + kEndsSize + (i + 1) * slot_size - sizeof(uint64_t)) >>
             (64 - 8 * slot_size);
    }
    bool operator==(const Line&) const = default;
  };
  static_assert(sizeof(Line) == kLineSize);

  uint8_t slot_size = 4;  // Or 5.
  uint32_t homes = 0;     // Lines that are the home of keys.
  std::vector<Line> lines;

  static constexpr uint32_t CapacityOf(uint32_t slot_size) {
    return (kLineSize - kEndsSize) / slot_size;
  }
  uint32_t capacity() const { return CapacityOf(slot_size); }
  uint32_t entry_bits() const { return static_cast<uint32_t>(std::bit_width(entries - 1)); }
  uint32_t fingerprint_bits() const {
    return std::min(8 * slot_size - entry_bits(), kFingerprintBitsMax);
  }

  static uint32_t HomeOf(uint64_t hash, uint32_t homes) {
    return static_cast<uint32_t>((hash >> 32) * homes >> 32);
  }
  static uint32_t GroupOf(uint64_t hash) { return static_cast<uint32_t>(hash) % kGroups; }
  static uint32_t NextGroup(uint32_t group) { return (group + kHop) % kGroups; }
  static uint32_t FingerprintOf(uint64_t hash, uint32_t bits) {
    return static_cast<uint32_t>(hash >> kGroupBits) & ((1u << bits) - 1);
  }

  bool operator==(const HashIndex&) const = default;
};

std::string EncodeHashIndex(const HashIndex& index);
// Corruption: anything that contradicts itself. Needs memory in proportion to `bytes`. What it
// cannot know is whether the keys are those of the table. NotSupported: another version.
Result<HashIndex> DecodeHashIndex(std::string_view bytes);

}  // namespace varve
