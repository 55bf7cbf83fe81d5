// SPDX-License-Identifier: Apache-2.0
#include "core/version/file_index.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/bytes/common_prefix.h"
#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/format/limits.h"
#include "core/iterator/key_head.h"

namespace varve {
namespace {

constexpr size_t kBatch = 32;  // Targets whose heads are computed together.

// The built-in orders compare bytes, ascending or descending.
constexpr bool Ascending(BytewiseOrder) { return true; }
constexpr bool Ascending(ReverseBytewiseOrder) { return false; }
constexpr bool Ascending(VirtualOrder) { return true; }

template <typename Order>
[[maybe_unused]] bool AreDisjoint(Order order, const std::vector<FilePtr>& files) {
  return std::adjacent_find(files.begin(), files.end(), [&](const FilePtr& a, const FilePtr& b) {
           return CompareInternalKeys(order, a->largest, b->smallest) >= 0;
         }) == files.end();
}

}  // namespace

FileIndex::FileIndex(const Comparator& comparator, std::vector<FilePtr> files, FileSearch search)
    : comparator_(&comparator), files_(std::move(files)), search_(search) {
  if (comparator.kind() == Comparator::Kind::kOther) search_ = FileSearch::kComparator;
  if (files_.empty() || search_ == FileSearch::kComparator) return;
  WithKeyOrder(comparator, [this](auto order) { BuildHeads(order); });
}

template <typename Order>
void FileIndex::BuildHeads(Order order) {
  DCHECK(AreDisjoint(order, files_));
  size_t skip = 0;
  if (search_ == FileSearch::kHeads) {
    // Keys are sorted: what the first and last share, all share.
    const std::string_view first = files_.front()->largest.user_key;
    skip = CommonPrefixSize(first, files_.back()->largest.user_key);
    common_prefix_ = first.substr(0, skip);
  }
  std::vector<uint64_t> heads;
  heads.reserve(files_.size());
  for (const FilePtr& file : files_) {
    heads.push_back(KeyHead(order, file->largest.user_key.substr(skip)));
  }
  if (search_ == FileSearch::kHeads) {
    heads_ = SortedHeads(std::move(heads));
  } else {
    prefixes_ = std::move(heads);
  }
}

uint64_t FileIndex::memory_bytes() const {
  return heads_.memory_bytes() + prefixes_.capacity() * sizeof(uint64_t) +
         common_prefix_.capacity() + files_.capacity() * sizeof(FilePtr);
}

// --- kComparator, and equal heads ---------------------------------------------------------------

template <typename Order>
size_t FileIndex::SearchKeys(Order order, const InternalKey& target, Range range) const {
  DCHECK(range.begin <= range.end && range.end <= files_.size());
  while (range.begin < range.end) {
    const size_t middle = range.begin + (range.end - range.begin) / 2;
    if (CompareInternalKeys(order, files_[middle]->largest, target) < 0) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return range.begin;
}

// --- kPrefix ------------------------------------------------------------------------------------

template <typename Order>
FileIndex::Range FileIndex::SearchPrefixes(Order order, std::string_view user_key) const {
  const uint64_t sought = KeyHead(order, user_key);
  Range range{0, prefixes_.size()};
  while (range.begin < range.end) {
    const size_t middle = range.begin + (range.end - range.begin) / 2;
    if (prefixes_[middle] < sought) {
      range.begin = middle + 1;
    } else if (prefixes_[middle] > sought) {
      range.end = middle;
    } else {
      break;
    }
  }
  return range;
}

// --- kHeads -------------------------------------------------------------------------------------

template <typename Order>
int FileIndex::ToPrefix(Order order, std::string_view user_key) const {
  // A key that ends within the common prefix sorts bytewise before all keys with that prefix.
  const int c = user_key.substr(0, common_prefix_.size()).compare(common_prefix_);
  return Ascending(order) ? c : -c;
}

FileIndex::Range FileIndex::Ties(size_t begin, uint64_t head) const {
  Range range{begin, begin};
  while (range.end < heads_.size() && heads_[range.end] == head) range.end++;
  return range;
}

template <typename Order>
size_t FileIndex::Search(Order order, const InternalKey& target) const {
  if (search_ == FileSearch::kPrefix) {
    return SearchKeys(order, target, SearchPrefixes(order, target.user_key));
  }
  const int c = ToPrefix(order, target.user_key);
  if (c != 0) return c < 0 ? 0 : files_.size();
  const uint64_t head = KeyHead(order, target.user_key.substr(common_prefix_.size()));
  return SearchKeys(order, target, Ties(heads_.LowerBound(head), head));
}

template <typename Order>
void FileIndex::SearchMany(Order order, std::span<const InternalKey> targets,
                           uint32_t* found) const {
  std::array<uint64_t, kBatch> heads;
  for (; !targets.empty(); found += std::min(kBatch, targets.size()),
                           targets = targets.subspan(std::min(kBatch, targets.size()))) {
    const std::span<const InternalKey> group = targets.subspan(0, std::min(kBatch, targets.size()));
    for (size_t i = 0; i < group.size(); ++i) {
      // Results for keys without the prefix are corrected below.
      const std::string_view user_key = group[i].user_key;
      heads[i] = KeyHead(order, user_key.substr(std::min(common_prefix_.size(), user_key.size())));
    }
    heads_.LowerBound(std::span(heads.data(), group.size()), found);
    for (size_t i = 0; i < group.size(); ++i) {
      const int c = ToPrefix(order, group[i].user_key);
      if (c != 0) {
        found[i] = c < 0 ? 0 : static_cast<uint32_t>(files_.size());
      } else {
        found[i] = static_cast<uint32_t>(SearchKeys(order, group[i], Ties(found[i], heads[i])));
      }
      DCHECK_OP(found[i], ==, SearchKeys(order, group[i], {0, files_.size()}));
    }
  }
}

// --- All ----------------------------------------------------------------------------------------

size_t FileIndex::FirstNotBefore(const InternalKey& target) const {
  if (search_ == FileSearch::kComparator) {
    return SearchKeys(VirtualOrder{comparator_}, target, {0, files_.size()});
  }
  return WithKeyOrder(*comparator_, [&](auto order) {
    const size_t found = Search(order, target);
    DCHECK(found == SearchKeys(order, target, {0, files_.size()}),
           "the heads must not change what is found");
    return found;
  });
}

void FileIndex::FirstNotBefore(std::span<const InternalKey> targets, uint32_t* found) const {
  if (search_ != FileSearch::kHeads) {
    for (size_t i = 0; i < targets.size(); ++i) {
      found[i] = static_cast<uint32_t>(FirstNotBefore(targets[i]));
    }
    return;
  }
  WithKeyOrder(*comparator_, [&](auto order) { SearchMany(order, targets, found); });
}

}  // namespace varve
