// SPDX-License-Identifier: Apache-2.0
// BlockHeads lets a point lookup in a data block find its entry without decoding others. They are
// made from the block's bytes and lie before them in the same allocation:
//
//   | head[n], 4 bytes each | entry offset[n], 2 bytes each | common prefix |
//
//   user keys   user:0017 | user:0042 | user:0108          prefix   user:0
//   heads       "017"       "042"       "108"              the next 4 bytes, big-endian, zero
//   padded
//
// A lookup compares the prefix, counts the heads below its own (a few vector instructions over two
// or three cache lines) and looks at the entries whose heads are equal: mostly one or none. The
// entries stay delta-encoded as they were written: prefix and head usually supply what an entry
// shares with the one before it. Costs 6 bytes an entry.
//
// For the bytewise order only. A view into its block; immutable, thread-safe.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/format/block_view.h"

namespace varve {

class BlockHeads {
 public:
  // Entries, the end excluded.
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  static constexpr size_t kHeadSize = 4;

  BlockHeads() = default;  // Of no entries.
  // The room to set aside for a block's heads if the table has so many entries and data blocks.
  static uint32_t RoomFor(uint64_t entries, uint64_t blocks);

  uint32_t count() const { return count_; }
  uint32_t prefix_size() const { return prefix_size_; }
  uint32_t offset(uint32_t entry) const { return offsets_[entry]; }

  // The entries whose user keys may equal `user_key`: those before sort before it, those from the
  // end on after it.
  Range Search(std::string_view user_key) const {
    const int c = user_key.substr(0, prefix_size_).compare({prefix_, prefix_size_});
    if (c != 0) return c < 0 ? Range{0, 0} : Range{count_, count_};
    const int32_t head = HeadOf(user_key.substr(prefix_size_));
    const uint32_t begin = CountBelow(head);
    uint32_t end = begin;
    while (end < count_ && heads_[end] == head) ++end;
    return {begin, end};
  }

  // Four bytes as a number that orders as they do when compared as signed.
  static int32_t HeadOf(std::string_view bytes) {
    uint32_t head = 0;
    if (bytes.size() >= kHeadSize) [[likely]] {
      std::memcpy(&head, bytes.data(), sizeof(head));
      head = __builtin_bswap32(head);
    } else {
      for (size_t i = 0; i < bytes.size(); ++i) {
        head |= uint32_t{static_cast<uint8_t>(bytes[i])} << (24 - 8 * i);
      }
    }
    static_assert(std::endian::native == std::endian::little);
    return std::bit_cast<int32_t>(head ^ 0x80000000u);
  }

 private:
  friend class BlockHeadsPlan;
  static constexpr uint32_t kLanes = 4;
  static constexpr uint32_t kCounted = 64;  // At most so many heads are counted, not bisected.

  uint32_t CountBelow(int32_t head) const {
    const int32_t* from = heads_;
    uint32_t left = (count_ + kLanes - 1) / kLanes * kLanes;  // Padded with the largest.
    while (left > kCounted) {
      const uint32_t half = left / 2 / kLanes * kLanes;
      from = from[half - 1] < head ? from + half : from;
      left -= half;
    }
    using Lanes = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));
    const Lanes wanted = {head, head, head, head};
    Lanes below = {0, 0, 0, 0};
    for (uint32_t i = 0; i < left; i += kLanes) {
      Lanes some;
      std::memcpy(&some, from + i, sizeof(some));
      below -= some < wanted;  // -1 where true.
    }
    return static_cast<uint32_t>(from - heads_) +
           static_cast<uint32_t>(below[0] + below[1] + below[2] + below[3]);
  }

  uint32_t count_ = 0;
  uint32_t prefix_size_ = 0;
  const char* prefix_ = nullptr;
  const int32_t* heads_ = nullptr;
  const uint16_t* offsets_ = nullptr;
};

// What the heads of a block will be; decides whether it can have any.
class BlockHeadsPlan {
 public:
  // Reads all entries, which are internal keys. Not possible() if a key is not what it should be
  // (whoever walks the block reports that), in the separated form, or for very large blocks.
  explicit BlockHeadsPlan(const BlockView& block);

  bool possible() const { return !offsets_.empty(); }
  size_t bytes() const;
  // Writes them to `to`, which has bytes() and the alignment of a head.
  BlockHeads WriteTo(char* to) const;

 private:
  bool Read(const BlockView& block);

  std::string prefix_;
  std::vector<int32_t> heads_;
  std::vector<uint16_t> offsets_;
};

}  // namespace varve
