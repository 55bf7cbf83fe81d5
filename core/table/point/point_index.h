// SPDX-License-Identifier: Apache-2.0
// PointIndex answers for any user key whether the table has it, and in which data block and at
// which entry of it its newest version is: an IntegerIndex (format/table/integer_index.h), unpacked
// for lookups, or a HashIndex (format/table/hash_index.h). A table with one is asked for no filter:
// the first is exact, and the second says of few keys that they may be there when they are not.
// Both are advisory: whoever finds another key at that place searches as if there were none.
//
//   key -> integer -> rank -> entry -> block, slot
//   key -> hash -> line -> fingerprint -> entry -> block, slot
//
//   hash        hash_lines.h
//   all-one     rank = integer - smallest
//   dense       lines of 384 bits, with the number of bits before each word: one cache line
//   piecewise   segment by SortedHeads, place in it from its line, then the keys around that place
//
// Immutable, thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/prefetch.h"
#include "core/format/table/integer_index.h"
#include "core/iterator/lookup.h"
#include "core/iterator/sorted_heads.h"
#include "core/table/point/hash_lines.h"

namespace varve {

class PointIndex {
 public:
  struct Place {
    uint32_t block = 0;
    uint32_t slot = 0;  // Of the newest version, among the block's entries.
    uint32_t more = 0;  // Versions behind it, possibly in the next blocks.
  };

  explicit PointIndex(IntegerIndex&& index);
  explicit PointIndex(HashIndex&& index);

  // nullopt: the table does not have the key. A place may have another key.
  std::optional<Place> Find(std::string_view user_key) const {
    return is_hash() ? FindByHash(Xxph3_64(user_key)) : FindByInteger(user_key);
  }
  std::optional<Place> Find(Lookup* lookup) const {
    return is_hash() ? FindByHash(lookup->KeyHash()) : FindByInteger(lookup->user_key);
  }
  // Find(), but if the index takes several keys for the same, the place of this entry of the table.
  std::optional<Place> FindEntry(std::string_view user_key, uint32_t entry) const;
  // Prefetches what Find() reads first, if that is known.
  void Prefetch(Lookup* lookup) const {
    if (is_hash()) return hash_.Prefetch(lookup->KeyHash());
    uint64_t at;
    if (form_ == IntegerIndex::Form::kAllOne || !Parse(lookup->user_key, &at)) return;
    if (form_ == IntegerIndex::Form::kDense) PrefetchLine(&lines_[at / 64 / Line::kWords]);
  }

  bool is_hash() const { return !hash_.empty(); }
  IntegerIndex::Form form() const {
    DCHECK(!is_hash());
    return form_;
  }
  std::string_view form_name() const { return is_hash() ? kHashFormName : IntegerFormName(form_); }
  uint32_t keys() const { return keys_; }
  uint32_t entries() const { return blocks_.back().first_entry; }
  uint32_t blocks() const { return static_cast<uint32_t>(blocks_.size() - 1); }
  BlockHandle handle(uint32_t block) const {
    DCHECK_OP(block, <, blocks());
    return {blocks_[block].offset, blocks_[block].size};
  }
  // Of a block, the number of its first entry.
  uint32_t first_entry(uint32_t block) const {
    DCHECK_OP(block, <, blocks());
    return blocks_[block].first_entry;
  }
  uint32_t entries_of(uint32_t block) const {
    DCHECK_OP(block, <, blocks());
    return blocks_[block + 1].first_entry - blocks_[block].first_entry;
  }
  uint64_t memory_bytes() const {
    return sizeof(*this) + blocks_.capacity() * sizeof(BlockAt) + lines_.capacity() * sizeof(Line) +
           segments_.capacity() * sizeof(Segment) + numbers_.capacity() * sizeof(uint64_t) +
           repeats_.capacity() * sizeof(Repeat) + firsts_.memory_bytes() + prefix_.capacity() +
           hash_.memory_bytes();
  }

 private:
  struct BlockAt {
    uint64_t offset;
    uint32_t size;
    uint32_t first_entry;
  };
  struct alignas(64) Line {
    static constexpr uint32_t kWords = 6;
    uint32_t rank;                        // Bits set before the line
    std::array<uint16_t, kWords> before;  // and, within it, before each word.
    std::array<uint64_t, kWords> bits;
  };
  static_assert(sizeof(Line) == 64);
  struct Segment {
    uint64_t first;
    uint64_t gap;
    uint64_t offset;  // Of its numbers, in bits.
    uint64_t bias : 56;
    uint64_t width : 8;
  };
  struct Repeat {
    uint32_t rank;
    uint32_t before;  // Entries besides the first of all keys before this one.
    uint32_t more;

    uint32_t entry() const { return rank + before; }  // Its first.
  };

  explicit PointIndex(const PointPlaces& places);

  std::optional<Place> FindByHash(uint64_t hash) const {
    const std::optional<uint32_t> entry = hash_.Find(hash);
    if (!entry) return std::nullopt;
    return PlaceOfEntry(*entry, repeats_.empty() ? 0 : MoreAt(*entry));
  }
  std::optional<Place> FindByInteger(std::string_view user_key) const {
    uint64_t at;
    if (!Parse(user_key, &at)) return std::nullopt;
    uint32_t rank;
    switch (form_) {
      case IntegerIndex::Form::kAllOne:
        rank = static_cast<uint32_t>(at);
        break;
      case IntegerIndex::Form::kDense: {
        const uint64_t word = at / 64;
        const Line& line = lines_[word / Line::kWords];
        const auto in_line = static_cast<uint32_t>(word % Line::kWords);
        const uint64_t bits = line.bits[in_line], bit = uint64_t{1} << at % 64;
        if ((bits & bit) == 0) return std::nullopt;
        rank = line.rank + line.before[in_line] +
               static_cast<uint32_t>(std::popcount(bits & (bit - 1)));
        break;
      }
      case IntegerIndex::Form::kPiecewise:
        if (!FindInSegments(at, &rank)) return std::nullopt;
        break;
      default:
        return std::nullopt;
    }
    return PlaceOf(rank);
  }

  // The key's integer, less the smallest. False if the table does not have the key.
  bool Parse(std::string_view user_key, uint64_t* at) const {
    if (user_key.size() != key_size_) return false;
    if (!prefix_.empty() && std::memcmp(user_key.data(), prefix_.data(), prefix_.size()) != 0) {
      return false;
    }
    *at = IntegerIndex::IntegerOf(user_key) - smallest_;
    return *at <= span_;
  }

  bool FindInSegments(uint64_t at, uint32_t* rank) const;
  // Key number `i` of the segment, less the table's smallest.
  uint64_t KeyOf(const Segment& segment, uint32_t i) const {
    const uint64_t bit = segment.offset + i * segment.width;
    uint64_t number;
    std::memcpy(&number, reinterpret_cast<const char*>(numbers_.data()) + bit / 8, sizeof(number));
    number = number >> bit % 8 & ((uint64_t{1} << segment.width) - 1);
    return segment.first + PointOnLine(segment.gap, i) + number - segment.bias;
  }

  Place PlaceOf(uint32_t rank) const {
    DCHECK_OP(rank, <, keys_);
    uint32_t entry = rank, more = 0;
    if (!repeats_.empty()) AddRepeats(rank, &entry, &more);
    return PlaceOfEntry(entry, more);
  }
  Place PlaceOfEntry(uint32_t entry, uint32_t more) const {
    const uint32_t block = BlockOf(entry);
    return {block, entry - blocks_[block].first_entry, more};
  }
  // The further versions of the key whose newest one the entry is.
  uint32_t MoreAt(uint32_t entry) const;
  void AddRepeats(uint32_t rank, uint32_t* entry, uint32_t* more) const;
  // Blocks mostly have about as many entries as the average: the first guess is right or nearly so.
  uint32_t BlockOf(uint32_t entry) const {
    constexpr int kSteps = 4;
    auto block = static_cast<uint32_t>((entry * blocks_per_entry_) >> 32);
    for (int i = 0; i < kSteps; ++i) {
      if (blocks_[block].first_entry > entry) {
        --block;
      } else if (blocks_[block + 1].first_entry <= entry) {
        ++block;
      } else {
        return block;
      }
    }
    return SearchBlockOf(entry);
  }
  uint32_t SearchBlockOf(uint32_t entry) const;

  IntegerIndex::Form form_ = IntegerIndex::Form::kAllOne;
  uint32_t key_size_ = 0;
  uint64_t smallest_ = 0;
  uint64_t span_ = 0;
  uint64_t blocks_per_entry_;    // In 1 / 2^32; the guess is a block for every entry.
  std::vector<BlockAt> blocks_;  // One more at the end, for its first entry.
  std::vector<Repeat> repeats_;
  std::vector<Line> lines_;
  uint32_t keys_;
  std::string prefix_;
  SortedHeads firsts_;  // Of the segments.
  std::vector<Segment> segments_;
  std::vector<uint64_t> numbers_;
  HashLines hash_;  // If it is a hash index.
};

}  // namespace varve
