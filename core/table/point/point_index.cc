// SPDX-License-Identifier: Apache-2.0
#include "core/table/point/point_index.h"

#include <utility>

namespace varve {

PointIndex::PointIndex(const PointPlaces& places)
    // Rounded down, so that the last entry's guess is a block.
    : blocks_per_entry_((uint64_t{places.blocks.size()} << 32) / places.entries),
      keys_(places.keys) {
  CHECK(!places.blocks.empty());
  blocks_.reserve(places.blocks.size() + 1);
  uint32_t first = 0;
  for (const PointPlaces::DataBlock& block : places.blocks) {
    blocks_.push_back({block.handle.offset, static_cast<uint32_t>(block.handle.size), first});
    first += block.entries;
  }
  CHECK_OP(first, ==, places.entries);
  blocks_.push_back({0, 0, first});
  repeats_.reserve(places.repeats.size());
  uint32_t before = 0;
  for (const PointPlaces::Repeat& repeat : places.repeats) {
    repeats_.push_back({repeat.rank, before, repeat.more});
    before += repeat.more;
  }
}

PointIndex::PointIndex(HashIndex&& index) : PointIndex(static_cast<const PointPlaces&>(index)) {
  hash_ = HashLines(std::move(index));
}

PointIndex::PointIndex(IntegerIndex&& index) : PointIndex(static_cast<const PointPlaces&>(index)) {
  form_ = index.form;
  key_size_ = index.key_size;
  smallest_ = index.smallest;
  span_ = index.span;
  prefix_ = std::move(index.prefix);
  if (form_ == IntegerIndex::Form::kDense) {
    lines_.resize(index.bits.size() / Line::kWords + 1);
    uint32_t rank = 0;
    for (size_t i = 0; i < index.bits.size(); ++i) {
      Line& line = lines_[i / Line::kWords];
      const size_t word = i % Line::kWords;
      if (word == 0) line.rank = rank;
      line.before[word] = static_cast<uint16_t>(rank - line.rank);
      line.bits[word] = index.bits[i];
      rank += static_cast<uint32_t>(std::popcount(index.bits[i]));
    }
  }
  if (form_ == IntegerIndex::Form::kPiecewise) {
    const std::vector<uint64_t> offsets = *index.NumberOffsets();
    std::vector<uint64_t> firsts;
    firsts.reserve(index.segments.size());
    segments_.reserve(index.segments.size());
    for (size_t i = 0; i < index.segments.size(); ++i) {
      const IntegerIndex::Segment& segment = index.segments[i];
      const bool last = i + 1 == index.segments.size();
      const uint32_t count = keys_ - (static_cast<uint32_t>(i) << IntegerIndex::kSegmentShift);
      const uint64_t gap = last ? GapOfLast(span_ - segment.first, count)
                                : index.segments[i + 1].first - segment.first;
      segments_.push_back({segment.first, gap, offsets[i], segment.bias & ((uint64_t{1} << 56) - 1),
                           segment.width});
      firsts.push_back(segment.first);
    }
    firsts_ = SortedHeads(std::move(firsts));
    numbers_ = std::move(index.bits);
  }
}

std::optional<PointIndex::Place> PointIndex::FindEntry(std::string_view user_key,
                                                       uint32_t entry) const {
  if (!is_hash() || !hash_.LeadsTo(Xxph3_64(user_key), entry)) return Find(user_key);
  return PlaceOfEntry(entry, MoreAt(entry));
}

bool PointIndex::FindInSegments(uint64_t at, uint32_t* rank) const {
  size_t found = firsts_.LowerBound(at);
  if (found == firsts_.size() || firsts_[found] != at) --found;  // The first one is 0.
  const Segment& segment = segments_[found];
  const auto start = static_cast<uint32_t>(found << IntegerIndex::kSegmentShift);
  uint32_t begin = 0, end = std::min(keys_ - start, IntegerIndex::kSegmentKeys);
  const auto distance = static_cast<double>(at - segment.first);
  const double guess =
      segment.gap == 0 ? 0
                       : distance * IntegerIndex::kSegmentKeys / static_cast<double>(segment.gap);
  auto i = static_cast<uint32_t>(std::min(guess, static_cast<double>(end - 1)));
  // Keys ascend: steps away from the guess, until it is clear or too far, then halves.
  constexpr uint32_t kSteps = 8;
  for (uint32_t step = 0; begin < end; ++step) {
    const uint64_t key = KeyOf(segment, i);
    if (key == at) {
      *rank = start + i;
      return true;
    }
    if (key < at) {
      begin = i + 1;
    } else {
      end = i;
    }
    if (step >= kSteps) {
      i = begin + (end - begin) / 2;
    } else {
      i = key < at ? begin : end - 1;
    }
  }
  return false;
}

void PointIndex::AddRepeats(uint32_t rank, uint32_t* entry, uint32_t* more) const {
  const auto next = std::upper_bound(repeats_.begin(), repeats_.end(), rank,
                                     [](uint32_t r, const Repeat& at) { return r < at.rank; });
  if (next == repeats_.begin()) return;
  const Repeat& last = *std::prev(next);
  *entry += last.before;
  if (last.rank == rank) {
    *more = last.more;
  } else {
    *entry += last.more;
  }
}

uint32_t PointIndex::MoreAt(uint32_t entry) const {
  const auto at = std::lower_bound(repeats_.begin(), repeats_.end(), entry,
                                   [](const Repeat& r, uint32_t e) { return r.entry() < e; });
  return at != repeats_.end() && at->entry() == entry ? at->more : 0;
}

uint32_t PointIndex::SearchBlockOf(uint32_t entry) const {
  const auto next =
      std::upper_bound(blocks_.begin(), blocks_.end(), entry,
                       [](uint32_t e, const BlockAt& at) { return e < at.first_entry; });
  return static_cast<uint32_t>(next - blocks_.begin()) - 1;
}

}  // namespace varve
