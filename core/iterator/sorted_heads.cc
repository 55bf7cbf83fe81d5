// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/sorted_heads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/prefetch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VARVE_HEADS_X86 1
#endif

namespace varve {
namespace {

constexpr size_t kLane = 8;       // Heads compared at once.
constexpr size_t kWholeMax = 32;  // Up to this many are all compared, lane by lane.
constexpr size_t kGroup = 32;     // Searches of a batch in flight.
constexpr uint64_t kPadding = std::numeric_limits<uint64_t>::max();

// Each counts how many of the eight ascending heads at `lane` are below `head`.
struct PortableLane {
  static size_t Below(const uint64_t* lane, uint64_t head) {
    size_t below = 0;
    for (size_t i = 0; i < kLane; ++i) below += lane[i] < head ? 1 : 0;
    return below;
  }
};

#if VARVE_HEADS_X86

struct Avx2Lane {
  __attribute__((target("avx2,popcnt"))) static size_t Below(const uint64_t* lane, uint64_t head) {
    // The only comparison is signed: flip the sign bits.
    const __m256i flip = _mm256_set1_epi64x(std::numeric_limits<int64_t>::min());
    const __m256i sought = _mm256_xor_si256(_mm256_set1_epi64x(static_cast<int64_t>(head)), flip);
    const auto* at = reinterpret_cast<const __m256i*>(lane);
    const __m256i low = _mm256_xor_si256(_mm256_loadu_si256(at), flip);
    const __m256i high = _mm256_xor_si256(_mm256_loadu_si256(at + 1), flip);
    const int low_mask = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(sought, low)));
    const int high_mask = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(sought, high)));
    return static_cast<size_t>(
        __builtin_popcount(static_cast<unsigned>(low_mask | high_mask << 4)));
  }
};

struct Avx512Lane {
  __attribute__((target("avx512f,popcnt"))) static size_t Below(const uint64_t* lane,
                                                                uint64_t head) {
    const __mmask8 mask = _mm512_cmplt_epu64_mask(_mm512_loadu_si512(lane),
                                                  _mm512_set1_epi64(static_cast<int64_t>(head)));
    return static_cast<size_t>(__builtin_popcount(mask));
  }
};

#endif  // VARVE_HEADS_X86

}  // namespace

// The searches, as templates over the lane type.
struct SortedHeadsSearch {
  // The lower bound of `head`, known to be in [begin, end].
  template <typename Lane>
  __attribute__((always_inline)) static size_t Within(const uint64_t* heads, size_t begin,
                                                      size_t end, uint64_t head) {
    while (end - begin > kLane) {  // Crowded: bisect without branches.
      const size_t half = (end - begin) / 2;
      const bool right = heads[begin + half - 1] < head;
      begin = right ? begin + half : begin;
      end = right ? end : begin + half;
    }
    // Heads at and after `end` are not below `head`, so looking at eight is harmless.
    return begin + Lane::Below(heads + begin, head);
  }

  template <typename Lane>
  __attribute__((always_inline)) static size_t Whole(const SortedHeads& in, uint64_t head) {
    size_t begin = 0;
    while (begin < in.size_) {
      const size_t below = Lane::Below(in.heads_.data() + begin, head);
      begin += below;
      if (below < kLane) break;
    }
    return begin;
  }

  static size_t LinePlace(const SortedHeads& in, uint64_t head) {
    const double place = static_cast<double>(head - in.first_) * in.slope_;
    return static_cast<size_t>(std::min(place, static_cast<double>(in.size_ - 1)));
  }

  template <typename Lane>
  __attribute__((always_inline)) static size_t Line(const SortedHeads& in, uint64_t head) {
    if (head <= in.first_) return 0;
    const size_t place = LinePlace(in, head);
    const size_t begin = place - std::min<size_t>(place, SortedHeads::kLineError);
    const size_t below = Lane::Below(in.heads_.data() + begin, head);
    if (below < kLane) return begin + below;
    return begin + kLane + Lane::Below(in.heads_.data() + begin + kLane, head);
  }

  template <typename Lane>
  __attribute__((always_inline)) static size_t Radix(const SortedHeads& in, uint64_t head) {
    if (head <= in.first_) return 0;
    const uint64_t bucket = (head - in.first_) >> in.shift_;
    if (bucket >= in.starts_.size() - 1) return in.size_;
    return Within<Lane>(in.heads_.data(), in.starts_[bucket], in.starts_[bucket + 1], head);
  }

  template <typename Lane>
  __attribute__((always_inline)) static size_t Any(const SortedHeads& in, uint64_t head) {
    switch (in.kind_) {
      case SortedHeads::Kind::kLine:
        return Line<Lane>(in, head);
      case SortedHeads::Kind::kRadix:
        return Radix<Lane>(in, head);
      case SortedHeads::Kind::kWhole:
        break;
    }
    return Whole<Lane>(in, head);
  }

  // One per lane type, compiled as a whole for processors that support it.
  static size_t Portable(const SortedHeads& in, uint64_t head) {
    return Any<PortableLane>(in, head);
  }
#if VARVE_HEADS_X86
  __attribute__((target("avx2,popcnt"))) static size_t Avx2(const SortedHeads& in, uint64_t head) {
    return Any<Avx2Lane>(in, head);
  }
  __attribute__((target("avx512f,popcnt"))) static size_t Avx512(const SortedHeads& in,
                                                                 uint64_t head) {
    return Any<Avx512Lane>(in, head);
  }
#endif

  static SortedHeads::Search ForThisProcessor() {
#if VARVE_HEADS_X86
    if (__builtin_cpu_supports("avx512f")) return Avx512;
    if (__builtin_cpu_supports("avx2")) return Avx2;
#endif
    return Portable;
  }
};

SortedHeads::SortedHeads() : search_(SortedHeadsSearch::ForThisProcessor()) {}

SortedHeads::SortedHeads(std::vector<uint64_t> ascending)
    : heads_(std::move(ascending)),
      size_(static_cast<uint32_t>(heads_.size())),
      search_(SortedHeadsSearch::ForThisProcessor()) {
  CHECK_OP(heads_.size(), <=, std::numeric_limits<uint32_t>::max());
  DCHECK(std::is_sorted(heads_.begin(), heads_.end()));
  if (size_ > 0) first_ = heads_.front();
  heads_.reserve(size_ + 2 * kLane);
  heads_.resize(size_ + 2 * kLane, kPadding);
  if (size_ > kWholeMax && !BuildLine()) BuildRadix();
}

// Fits a line through the first and last head; false if a head is off by more than kLineError.
bool SortedHeads::BuildLine() {
  const uint64_t span = heads_[size_ - 1] - first_;
  if (span == 0) return false;
  slope_ = static_cast<double>(size_ - 1) / static_cast<double>(span);
  for (size_t i = 0; i < size_; ++i) {
    // The position of a head between two stored ones is between theirs, because the line ascends.
    const auto place = static_cast<int64_t>(SortedHeadsSearch::LinePlace(*this, heads_[i]));
    // One less in either direction: the lower bound of a head just above is one further.
    if (std::abs(place - static_cast<int64_t>(i)) > int64_t{kLineError} - 1) return false;
  }
  kind_ = Kind::kLine;
  return true;
}

void SortedHeads::BuildRadix() {
  const uint64_t span = heads_[size_ - 1] - first_;
  const int bits_wanted = std::bit_width(uint64_t{size_});  // One to two buckets per head.
  const int bits = std::bit_width(span);
  shift_ = static_cast<uint8_t>(std::max(0, bits - bits_wanted));
  const uint64_t buckets = (span >> shift_) + 1;
  starts_.assign(buckets + 1, 0);
  for (size_t i = 0; i < size_; ++i) starts_[((heads_[i] - first_) >> shift_) + 1]++;
  for (size_t b = 1; b <= buckets; ++b) starts_[b] += starts_[b - 1];
  kind_ = Kind::kRadix;
}

void SortedHeads::LowerBound(std::span<const uint64_t> heads, uint32_t* found) const {
  // Three rounds per group: prefetch the bucket's bounds, prefetch its heads, search.
  for (size_t done = 0; done < heads.size(); done += kGroup) {
    const std::span<const uint64_t> group =
        heads.subspan(done, std::min(kGroup, heads.size() - done));
    if (kind_ == Kind::kRadix) {
      std::array<size_t, kGroup> bucket;
      for (size_t i = 0; i < group.size(); ++i) {
        const uint64_t offset = group[i] > first_ ? group[i] - first_ : 0;
        bucket[i] = std::min<uint64_t>(offset >> shift_, starts_.size() - 2);
        PrefetchLine(&starts_[bucket[i]]);
      }
      for (size_t i = 0; i < group.size(); ++i) PrefetchLine(&heads_[starts_[bucket[i]]]);
    } else if (kind_ == Kind::kLine) {
      for (const uint64_t head : group) {
        const size_t place = head > first_ ? SortedHeadsSearch::LinePlace(*this, head) : 0;
        PrefetchLine(&heads_[place - std::min<size_t>(place, kLineError)]);
        PrefetchLine(&heads_[place]);
      }
    }
    for (size_t i = 0; i < group.size(); ++i) {
      found[done + i] = static_cast<uint32_t>(LowerBound(group[i]));
    }
  }
}

}  // namespace varve
