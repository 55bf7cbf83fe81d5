// SPDX-License-Identifier: Apache-2.0
// SortedHeads finds a head (key_head.h) in an ascending array of heads, reading about two cache
// lines whatever the array's size. The algorithm is selected by the data when it is built:
//
//   kWhole   few heads: all of them are compared, eight at a time
//   kLine    heads almost evenly spaced: the place is computed, wrong by at most kLineError, and
//            the heads around it are compared
//   kRadix   otherwise: the head's leading bits name a bucket, and the bucket's heads are compared;
//            a crowded bucket is first halved until eight remain
//
//     heads   [ 03 07 | 11 1a 1e | | 33 | ... ]      starts_ [0 2 5 5 6 ...]
//               bucket 0   1      2   3
//
// Eight comparisons are one or two vector instructions on processors that have them (AVX-512, AVX2,
// detected at run time). Immutable and thread-safe. Measured in core/decisions/0012.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/check.h"

namespace varve {

class SortedHeads {
 public:
  enum class Kind : uint8_t { kWhole, kLine, kRadix };
  static constexpr uint32_t kLineError = 7;  // Distance between the computed and the real position.

  SortedHeads();
  explicit SortedHeads(std::vector<uint64_t> ascending);  // Fewer than 2^32 heads.

  size_t size() const { return size_; }
  uint64_t operator[](size_t i) const { return heads_[i]; }
  Kind kind() const { return kind_; }
  uint64_t memory_bytes() const {
    return heads_.capacity() * sizeof(uint64_t) + starts_.capacity() * sizeof(uint32_t);
  }

  // The first i with heads[i] >= head; size() if there is none.
  size_t LowerBound(uint64_t head) const {
    const size_t found = search_(*this, head);
    DCHECK(found == size() || heads_[found] >= head);
    DCHECK(found == 0 || heads_[found - 1] < head);
    return found;
  }
  // The same for many, in any order: their cache misses overlap.
  void LowerBound(std::span<const uint64_t> heads, uint32_t* found) const;

 private:
  friend struct SortedHeadsSearch;
  using Search = size_t (*)(const SortedHeads&, uint64_t);

  void BuildRadix();
  bool BuildLine();

  std::vector<uint64_t>
      heads_;  // Padded with two lanes of the largest value, so that whole lanes can be loaded.
  std::vector<uint32_t> starts_;  // kRadix: first head of each bucket, and size() at the end.
  uint64_t first_ = 0;
  double slope_ = 0;  // kLine: heads per unit.
  uint32_t size_ = 0;
  uint8_t shift_ = 0;  // kRadix: the bucket of a head is (head - first head) >> shift_.
  Kind kind_ = Kind::kWhole;
  Search search_;
};

}  // namespace varve
