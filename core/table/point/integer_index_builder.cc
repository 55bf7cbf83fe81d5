// SPDX-License-Identifier: Apache-2.0
#include "core/table/point/integer_index_builder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/format/limits.h"

namespace varve {
namespace {

constexpr uint64_t kImpossible = ~uint64_t{0};
constexpr uint64_t kSegmentBits = 8 * 12;  // What the format stores of one, roughly.
constexpr uint64_t kBitsFree = 512;        // Few keys may need more bits for each.
constexpr uint64_t kEntriesMax = std::numeric_limits<uint32_t>::max();

// The keys of one segment, less its first, against its line.
struct Deviation {
  int64_t below = 0;  // At most 0.
  int64_t above = 0;  // At least 0.
};
Deviation DeviationOf(const uint64_t* keys, uint32_t count, uint64_t gap) {
  Deviation deviation;
  for (uint32_t i = 1; i < count; ++i) {
    const auto off = static_cast<int64_t>(keys[i] - keys[0] - PointOnLine(gap, i));
    deviation.below = std::min(deviation.below, off);
    deviation.above = std::max(deviation.above, off);
  }
  return deviation;
}

}  // namespace

void IntegerIndexBuilder::Begin(std::string_view first) {
  if (first.size() > kEntriesMax) return GiveUp("keys are too large");
  index_.key_size = static_cast<uint32_t>(first.size());
  const size_t shared = first.size() - std::min(first.size(), IntegerIndex::kIntegerSize);
  index_.prefix = first.substr(0, shared);
}

void IntegerIndexBuilder::Refuse(std::string_view user_key) {
  GiveUp("keys of " + std::to_string(index_.key_size) + " and of " +
         std::to_string(user_key.size()) + " bytes");
}

void IntegerIndexBuilder::GiveUp(std::string why) {
  why_not_ = std::move(why);
  index_ = {};
  keys_ = {};
  places_ = {};
}

void IntegerIndexBuilder::EndBlock() {
  if (!why_not_.empty()) return;
  places_.EndBlock();
  if (places_.entries() > kEntriesMax) GiveUp("too many entries");
}

void IntegerIndexBuilder::AddHandle(BlockHandle handle) {
  if (why_not_.empty()) places_.AddHandle(handle);
}

uint64_t IntegerIndexBuilder::EstimatedSize() const {
  constexpr uint64_t kHead = 64;
  if (!why_not_.empty()) return 0;
  const uint64_t bits = std::min<uint64_t>(span(), kBitsPerKeyMax * keys_.size());
  return kHead + index_.prefix.size() + places_.EstimatedSize() + bits / 8;
}

BuiltIndex IntegerIndexBuilder::Finish() {
  if (why_not_.empty() && keys_.empty()) GiveUp("no keys");
  if (why_not_.empty()) {
    static_cast<PointPlaces&>(index_) = places_.Take();
    ChooseForm();
  }
  if (!why_not_.empty()) return {"", "none: " + why_not_};
  std::string bytes = EncodeIntegerIndex(index_);
  if (bytes.size() > kPointIndexSizeMax) return {"", "none: it would be too large"};
  return {std::move(bytes), std::string(IntegerFormName(index_.form))};
}

void IntegerIndexBuilder::ChooseForm() {
  const uint64_t count = keys_.size();
  index_.smallest = keys_.front();
  index_.span = span();
  DCHECK(index_.span >= count - 1);
  if (index_.span == count - 1) return;                           // All-one.
  const uint64_t dense = std::max(index_.span, index_.span + 1);  // Does not overflow.
  const uint64_t piecewise = PlanSegments();
  const uint64_t bits = std::min(dense, piecewise);
  if (bits == kImpossible || bits > kBitsPerKeyMax * count + kBitsFree) {
    index_.segments = {};
    return GiveUp("keys lie too far apart: " +
                  (piecewise == kImpossible ? std::string("no line fits them")
                                            : std::to_string(bits / count) + " bits for each"));
  }
  index_.form = piecewise < dense ? IntegerIndex::Form::kPiecewise : IntegerIndex::Form::kDense;
  if (index_.form == IntegerIndex::Form::kPiecewise) return PackNumbers();
  index_.segments = {};
  SetBits();
}

uint64_t IntegerIndexBuilder::PlanSegments() {
  uint64_t bits = 0;
  for (size_t begin = 0; begin < keys_.size(); begin += IntegerIndex::kSegmentKeys) {
    const uint64_t* const keys = keys_.data() + begin;
    const auto count =
        static_cast<uint32_t>(std::min<size_t>(keys_.size() - begin, IntegerIndex::kSegmentKeys));
    const bool last = begin + count == keys_.size();
    const uint64_t length = (last ? keys[count - 1] : keys[count]) - keys[0];
    // Then deviations might not be signed numbers of 64 bits.
    if (length > uint64_t{std::numeric_limits<int64_t>::max()}) return kImpossible;
    const Deviation off = DeviationOf(keys, count, last ? GapOfLast(length, count) : length);
    const auto bias = static_cast<uint64_t>(-off.below);
    const int width = std::bit_width(bias + static_cast<uint64_t>(off.above));
    if (width > IntegerIndex::kWidthMax) return kImpossible;
    index_.segments.push_back(
        {.first = keys[0] - keys_.front(), .bias = bias, .width = static_cast<uint8_t>(width)});
    bits += kSegmentBits + count * static_cast<uint64_t>(width);
  }
  return bits;
}

void IntegerIndexBuilder::PackNumbers() {
  const std::vector<uint64_t> offsets = *index_.NumberOffsets();
  index_.bits.assign(offsets.back() / 64 + 2, 0);
  for (size_t s = 0; s < index_.segments.size(); ++s) {
    const IntegerIndex::Segment& segment = index_.segments[s];
    const size_t begin = s << IntegerIndex::kSegmentShift;
    const auto count =
        static_cast<uint32_t>(std::min<size_t>(keys_.size() - begin, IntegerIndex::kSegmentKeys));
    const bool last = begin + count == keys_.size();
    const uint64_t* const keys = keys_.data() + begin;
    const uint64_t gap = last ? GapOfLast(keys[count - 1] - keys[0], count) : keys[count] - keys[0];
    uint64_t at = offsets[s];
    for (uint32_t i = 0; i < count; ++i, at += segment.width) {
      const uint64_t number = keys[i] - keys[0] - PointOnLine(gap, i) + segment.bias;
      index_.bits[at / 64] |= number << at % 64;
      if (at % 64 + segment.width > 64) index_.bits[at / 64 + 1] |= number >> (64 - at % 64);
    }
  }
  // As the format has them: the numbers, in whole bytes, and one more word.
  index_.bits.resize((offsets.back() + 63) / 64 + 1);
}

void IntegerIndexBuilder::SetBits() {
  index_.bits.assign(index_.span / 64 + 1, 0);
  for (const uint64_t key : keys_) {
    const uint64_t at = key - keys_.front();
    index_.bits[at / 64] |= uint64_t{1} << at % 64;
  }
}

}  // namespace varve
