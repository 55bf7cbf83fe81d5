// SPDX-License-Identifier: Apache-2.0
#include "core/version/file_index.h"

#include <algorithm>

#include "core/base/key_order.h"

namespace varve {
namespace {

// The first 8 bytes as an integer that orders as they do; a shorter key counts as followed by
// zeros, so equal heads do not mean equal keys.
uint64_t Head(std::string_view bytes) {
  uint64_t head = 0;
  const size_t size = std::min<size_t>(bytes.size(), sizeof(head));
  for (size_t i = 0; i < size; i++) {
    head |= uint64_t{static_cast<uint8_t>(bytes[i])} << (56 - 8 * i);
  }
  return head;
}

size_t CommonPrefix(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t size = 0;
  while (size < limit && a[size] == b[size]) size++;
  return size;
}

}  // namespace

FileIndex::FileIndex(const Comparator& comparator,
                     const std::vector<std::shared_ptr<FileMetadata>>& files)
    : comparator_(&comparator), kind_(comparator.kind()), files_(&files) {
  if (kind_ == Comparator::Kind::kOther || files.empty()) return;
  // Keys are sorted, so what the first and the last share, all share.
  const std::string_view first = files.front()->largest.user_key;
  const size_t common = CommonPrefix(first, files.back()->largest.user_key);
  common_prefix_ = first.substr(0, common);
  heads_.reserve(files.size());
  for (const auto& file : files) {
    const uint64_t head = Head(file->largest.user_key.substr(common));
    heads_.push_back(kind_ == Comparator::Kind::kBytewise ? head : ~head);
  }
}

FileIndex::Range FileIndex::SearchHeads(std::string_view user_key) const {
  const bool ascending = kind_ == Comparator::Kind::kBytewise;
  const size_t all = heads_.size();
  // A key that ends inside the common prefix sorts, by bytes, before all keys that have it.
  const int c = user_key.substr(0, common_prefix_.size()).compare(common_prefix_);
  if (c != 0) return (c < 0) == ascending ? Range{0, 0} : Range{all, all};
  const uint64_t plain = Head(user_key.substr(common_prefix_.size()));
  const uint64_t head = ascending ? plain : ~plain;

  const uint64_t* base = heads_.data();
  for (size_t left = all; left > 0;) {  // Branch-free: the compiler turns the choice into a cmov.
    const size_t half = (left + 1) / 2;
    base = base[half - 1] < head ? base + half : base;
    left -= half;
  }
  Range range;
  range.begin = static_cast<size_t>(base - heads_.data());
  range.end = range.begin;
  if (range.end < all && heads_[range.end] == head) {
    range.end = static_cast<size_t>(
        std::upper_bound(heads_.begin() + static_cast<ptrdiff_t>(range.begin), heads_.end(), head) -
        heads_.begin());
  }
  return range;
}

template <typename Order>
size_t FileIndex::SearchKeys(Order order, const InternalKey& target, Range range) const {
  while (range.begin < range.end) {
    const size_t middle = range.begin + (range.end - range.begin) / 2;
    if (CompareInternalKeys(order, (*files_)[middle]->largest, target) < 0) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return range.begin;
}

size_t FileIndex::FirstNotBefore(const InternalKey& target) const {
  switch (kind_) {
    case Comparator::Kind::kBytewise:
      return SearchKeys(BytewiseOrder{}, target, SearchHeads(target.user_key));
    case Comparator::Kind::kReverseBytewise:
      return SearchKeys(ReverseBytewiseOrder{}, target, SearchHeads(target.user_key));
    case Comparator::Kind::kOther:
      break;
  }
  return SearchKeys(VirtualOrder{comparator_}, target, {0, files_->size()});
}

}  // namespace varve
