// SPDX-License-Identifier: Apache-2.0
// IndexHeads is an index block decoded for searching. The separators of one table mostly share a
// prefix; of the rest, 8 bytes of each restart key are stored as a number, with the handle of the
// data block if every entry of the block is a restart point:
//
//   separators   user:0000017        user:0000042       user:0000108 ...
//   prefix       user:0000
//   entries      "017\0..", handle | "042\0..", handle | "108\0..", handle     16 bytes each
//   starts       where the entries of each 1/2^k of the range of heads begin   4 bytes each
//
// A search reads a start and, if keys are spread evenly, one or two cache lines of entries; the
// block itself is only read if the head of the target equals a separator's. For the bytewise order
// only. Immutable, thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/prefetch.h"
#include "core/format/table/block_entry.h"
#include "core/format/table/block_handle.h"
#include "core/iterator/key_head.h"
#include "core/table/block/block.h"

namespace varve {

class IndexHeads {
 public:
  // A range of restart points, both ends included.
  struct Range {
    uint32_t left = 0;
    uint32_t right = 0;
  };
  enum class Found : uint8_t {
    kHandle,   // The first separator not before the key sorts after all its versions.
    kPastEnd,  // All separators are before the key.
    kTie,      // The block must be searched, in Narrow()'s range.
  };

  IndexHeads() = default;  // Empty: Narrow() must not be called.
  // Stays empty if the block is tiny or its keys are malformed, which readers of the block report.
  IndexHeads(const Block& block, bool user_keys, IndexValueFormat values);

  bool empty() const { return entries_.empty(); }
  bool has_handles() const { return has_handles_; }
  uint64_t memory_bytes() const {
    return entries_.capacity() * sizeof(Entry) + starts_.capacity() * sizeof(uint32_t) +
           prefix_.capacity();
  }

  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }
  // Requires has_handles().
  BlockHandle handle(uint32_t entry) const {
    DCHECK(has_handles_ && entry < size());
    const uint64_t packed = entries_[entry].handle;
    return {packed >> kSizeBits, packed & kSizeMax};
  }

  // Entries, `end` exclusive: those before the range sort before `user_key`, those from `end` on
  // after all its versions; those within have the same head and must be compared. Requires
  // !empty().
  struct Ties {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Ties Search(std::string_view user_key) const {
    DCHECK(!empty());
    if (const int c = ComparePrefix(user_key); c != 0) {
      return c < 0 ? Ties{0, 0} : Ties{size(), size()};
    }
    const uint64_t head = HeadOf(user_key);
    const uint32_t begin = FirstNotBelow(head);
    uint32_t end = begin;  // Linear: entries with equal heads are few.
    while (end < size() && entries_[end].head == head) ++end;
    return {begin, end};
  }

  // A range that contains the last restart key before `user_key`, or the first one if there is
  // none. Requires !empty().
  Range Narrow(std::string_view user_key) const {
    const Ties ties = Search(user_key);
    return {ties.begin == 0 ? 0 : ties.begin - 1, ties.end == 0 ? 0 : ties.end - 1};
  }

  // Finds the data block that may have versions of `user_key`. Requires has_handles().
  Found Locate(std::string_view user_key, BlockHandle* handle) const {
    DCHECK(has_handles_ && !empty());
    uint32_t first = 0;
    if (const int c = ComparePrefix(user_key); c > 0) {
      return Found::kPastEnd;
    } else if (c == 0) {
      const uint64_t head = HeadOf(user_key);
      first = FirstNotBelow(head);
      if (first == size()) return Found::kPastEnd;
      if (entries_[first].head == head) return Found::kTie;
    }
    *handle = this->handle(first);
    return Found::kHandle;
  }

  // Two steps that prefetch what Locate() reads, so that searches of many keys overlap.
  void PrefetchStart(std::string_view user_key) const {
    if (!starts_.empty()) PrefetchLine(&starts_[BucketOf(HeadOf(user_key))]);
  }
  void PrefetchEntries(std::string_view user_key) const {
    if (!starts_.empty()) PrefetchLine(&entries_[starts_[BucketOf(HeadOf(user_key))]]);
  }

 private:
  struct Entry {
    uint64_t head;
    uint64_t handle;  // Offset and size, packed.
  };
  static constexpr uint32_t kSizeBits = 24;  // Larger blocks, or files above 1 TiB, get no handles.
  static constexpr uint64_t kSizeMax = (uint64_t{1} << kSizeBits) - 1;
  static constexpr uint32_t kScanned = 8;

  bool Read(const Block& block, bool user_keys, IndexValueFormat values);
  void MakeStarts();

  // Compares the beginning of `user_key` with the prefix.
  int ComparePrefix(std::string_view user_key) const {
    return user_key.substr(0, prefix_.size()).compare(prefix_);
  }
  uint64_t HeadOf(std::string_view user_key) const {
    return KeyHead(BytewiseOrder{}, user_key.size() < prefix_.size()
                                        ? std::string_view()
                                        : user_key.substr(prefix_.size()));
  }
  // Exact for heads up to that of the last entry; the last bucket for larger ones.
  size_t BucketOf(uint64_t head) const {
    const uint64_t first = entries_.front().head;
    const uint64_t bucket = head <= first ? 0 : (head - first) >> shift_;
    return std::min<uint64_t>(bucket, starts_.size() - 2);
  }
  // The first entry with a head >= `head`.
  uint32_t FirstNotBelow(uint64_t head) const {
    uint32_t begin = 0, end = static_cast<uint32_t>(entries_.size());
    if (!starts_.empty()) {
      const size_t bucket = BucketOf(head);
      begin = starts_[bucket];
      end = starts_[bucket + 1];
      DCHECK(begin <= end && end <= size());
    }
    while (end - begin > kScanned) {
      const uint32_t middle = begin + (end - begin) / 2;
      (entries_[middle].head < head ? begin : end) = middle;
    }
    while (begin < end && entries_[begin].head < head) ++begin;
    return begin;
  }

  std::string prefix_;
  std::vector<Entry> entries_;
  // starts_[b]: the first entry in bucket b or behind it; one extra element at the end. Empty if
  // `entries_` is small.
  std::vector<uint32_t> starts_;
  uint32_t shift_ = 0;
  bool has_handles_ = false;
};

}  // namespace varve
