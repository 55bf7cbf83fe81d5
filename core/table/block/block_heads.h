// SPDX-License-Identifier: Apache-2.0
// BlockHeads lets a point lookup in a data block find its entry without decoding others. They are
// derived from the block's bytes and stored in front of them in the same allocation:
//
//   | head[n], 2 bytes each | entry offset[n], 2 bytes each | common prefix |
//
//   user keys   user:0017 | user:0042 | user:0108    prefix   user:0
//   heads       "01"        "04"        "10"         the next 2 bytes, big-endian, zero-padded
//
// A lookup compares the prefix, counts the heads that are smaller than its own (a few vector
// instructions) and reads the entries with equal heads: mostly one or none. The entries stay
// delta-encoded; prefix and head usually supply what an entry shares with the previous one.
//
// The cost of a lookup is the number of cache lines it touches, which is why heads are short: for a
// block of 34 entries everything together is three lines, with longer heads five.
//
// For the bytewise order only. A view into its block; immutable, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/format/table/block_view.h"

namespace varve {

class BlockHeads {
 public:
  // Entries, `end` exclusive.
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  static constexpr size_t kHeadSize = 2;

  BlockHeads() = default;  // Of no entries.
  // The room to reserve per block in a table with so many entries and data blocks.
  static uint32_t RoomFor(uint64_t entries, uint64_t blocks);

  uint32_t count() const { return count_; }
  uint32_t prefix_size() const { return prefix_size_; }
  uint32_t offset(uint32_t entry) const {
    DCHECK_OP(entry, <, count_);
    return offsets()[entry];
  }
  // The entries of the block; kept here to avoid reading its outline.
  const char* entry(uint32_t entry) const { return entries_ + offset(entry); }
  const char* limit() const { return entries_ + entries_size_; }

  // Whether the entry's user key begins as `user_key` does, as far as prefix and head tell.
  bool Matches(uint32_t entry, std::string_view user_key) const {
    DCHECK_OP(entry, <, count_);
    return user_key.starts_with(prefix()) && heads_[entry] == HeadOf(user_key.substr(prefix_size_));
  }

  // Copies the first prefix_size() + kHeadSize bytes of an entry's user key, zero-padded if it is
  // shorter.
  void CopyStart(uint32_t entry, char* to) const {
    DCHECK_OP(entry, <, count_);
    std::memcpy(to, prefix().data(), prefix_size_);
    const uint16_t head = static_cast<uint16_t>(heads_[entry]) ^ 0x8000u;
    to[prefix_size_] = static_cast<char>(head >> 8);
    to[prefix_size_ + 1] = static_cast<char>(head & 0xff);
  }

  // The entries whose user keys may equal `user_key`: entries before the range sort before it,
  // entries from `end` on sort after it.
  Range Search(std::string_view user_key) const {
    const int c = user_key.substr(0, prefix_size_).compare(prefix());
    if (c != 0) return c < 0 ? Range{0, 0} : Range{count_, count_};
    const int16_t head = HeadOf(user_key.substr(prefix_size_));
    const uint32_t begin = CountBelow(head);
    uint32_t end = begin;
    while (end < count_ && heads_[end] == head) ++end;
    return {begin, end};
  }

  // Two bytes as a number whose signed order is the order of the bytes.
  static int16_t HeadOf(std::string_view bytes) {
    const auto byte = [&](size_t i) {
      return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0u;
    };
    return static_cast<int16_t>((byte(0) << 8 | byte(1)) ^ 0x8000u);
  }

 private:
  friend class BlockHeadsPlan;
  static constexpr uint32_t kLanes = 8;
  // Up to this many heads are counted linearly; more are first bisected.
  static constexpr uint32_t kCounted = 128;

  static constexpr uint32_t Padded(uint32_t count) {
    return (count + kLanes - 1) / kLanes * kLanes;
  }
  const uint16_t* offsets() const {
    return reinterpret_cast<const uint16_t*>(heads_ + Padded(count_));
  }
  std::string_view prefix() const {
    return {reinterpret_cast<const char*>(offsets() + count_), prefix_size_};
  }

  uint32_t CountBelow(int16_t head) const {
    const int16_t* from = heads_;
    uint32_t left = Padded(count_);  // The padding has the largest value.
    while (left > kCounted) {
      const uint32_t half = left / 2 / kLanes * kLanes;
      from = from[half - 1] < head ? from + half : from;
      left -= half;
    }
    using Lanes = int16_t __attribute__((vector_size(kLanes * sizeof(int16_t))));
    const Lanes wanted = Lanes{} + head;
    Lanes below = {};
    for (uint32_t i = 0; i < left; i += kLanes) {
      Lanes some;
      std::memcpy(&some, from + i, sizeof(some));
      below -= some < wanted;  // -1 where true.
    }
    uint32_t sum = static_cast<uint32_t>(from - heads_);
    for (uint32_t lane = 0; lane < kLanes; ++lane) sum += static_cast<uint32_t>(below[lane]);
    return sum;
  }

  uint32_t count_ = 0;
  uint32_t prefix_size_ = 0;
  uint32_t entries_size_ = 0;
  const char* entries_ = nullptr;
  const int16_t* heads_ = nullptr;  // The offsets and the prefix follow in memory.
};

// Computes the heads of a block; decides whether it can have any.
class BlockHeadsPlan {
 public:
  // Reads all entries, which are internal keys. Not possible() if a key is malformed (reported by
  // readers of the block), in the separated form, or for very large blocks.
  explicit BlockHeadsPlan(const BlockView& block);

  bool possible() const { return !offsets_.empty(); }
  size_t bytes() const;
  // Writes them to `to`, which has bytes() and the alignment of a head. The result points there and
  // to the block.
  BlockHeads WriteTo(char* to) const;

 private:
  bool Read(const BlockView& block);

  std::string_view entries_;
  std::string prefix_;
  std::vector<int16_t> heads_;
  std::vector<uint16_t> offsets_;
};

}  // namespace varve
