// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_splitter.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"

namespace varve {
namespace {

// From 7/8 of its target size on, a table ends where a grandparent file ends.
constexpr uint64_t AlignFrom(uint64_t target_size) { return target_size - target_size / 8; }

}  // namespace

OutputSplitter::OutputSplitter(const Comparator& comparator, const Limits& limits,
                               std::vector<FilePtr> grandparents)
    : comparator_(&comparator), limits_(limits), grandparents_(std::move(grandparents)) {
  CHECK_OP(limits_.target_file_size, >, 0);
  DCHECK(std::adjacent_find(
             grandparents_.begin(), grandparents_.end(), [&](const FilePtr& a, const FilePtr& b) {
               return CompareInternalKeys(VirtualOrder{comparator_}, a->largest, b->smallest) >= 0;
             }) == grandparents_.end());
}

bool OutputSplitter::PassGrandparents(std::string_view user_key) {
  const size_t before = next_grandparent_;
  while (next_grandparent_ < grandparents_.size() &&
         comparator_->Compare(grandparents_[next_grandparent_]->largest.user_key, user_key) < 0) {
    overlapped_bytes_ += grandparents_[next_grandparent_]->size();
    ++next_grandparent_;
  }
  return next_grandparent_ != before;
}

bool OutputSplitter::ShouldSplitBefore(std::string_view user_key, uint64_t file_size) {
  const bool at_boundary = PassGrandparents(user_key);
  if (file_size == 0) {
    overlapped_bytes_ = 0;  // Grandparents before a table's first key do not count.
    return false;
  }
  const bool too_wide =
      limits_.max_grandparent_bytes > 0 && overlapped_bytes_ > limits_.max_grandparent_bytes;
  const bool full = file_size >= limits_.target_file_size;
  const bool aligned = at_boundary && file_size >= AlignFrom(limits_.target_file_size);
  if (!too_wide && !full && !aligned) return false;
  overlapped_bytes_ = 0;
  return true;
}

}  // namespace varve
