// SPDX-License-Identifier: Apache-2.0
// IndexBlockCursor walks one index block: a block index, a partition of one, the top level of
// either, or the index over filter partitions (sst-format 7.2-7.4, 10.6).
//
//   normal   | shared | unshared | value size | key suffix | handle [first key lp] |
//   delta    | shared | unshared | key suffix | handle, or size difference if shared > 0 | [...] |
//
// Index blocks mostly have a restart at every entry, so a seek is one binary search. Going
// backwards parses the entries of a restart interval once (interval_list.h) and then walks the
// list. Moves return whether the cursor is on an entry; if not, damaged() distinguishes the end of
// the block from invalid bytes. One thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_entry.h"
#include "core/format/table/block_handle.h"
#include "core/table/block/block.h"
#include "core/table/block/interval_list.h"
#include "core/table/block/key_buffer.h"
#include "core/table/index/index_heads.h"

namespace varve {

// How the index blocks of a table are encoded; from its properties.
struct IndexEncoding {
  bool user_keys = false;  // Separators are bare user keys.
  IndexValueFormat values;
};

// Compares a stored separator with a target: < 0, 0, > 0. Requires a valid key: at least a packed
// part (sequence and type), unless separators are bare user keys.
template <typename Order>
int CompareSeparator(Order order, std::string_view stored, bool user_keys,
                     const InternalKey& target) {
  if (user_keys) return order(stored, target.user_key);
  DCHECK_OP(stored.size(), >=, kPackedSize);
  const size_t user_size = stored.size() - kPackedSize;
  if (const int c = order(stored.substr(0, user_size), target.user_key); c != 0) return c;
  uint64_t packed;
  std::memcpy(&packed, stored.data() + user_size, sizeof(packed));
  const uint64_t wanted = target.packed();
  return packed > wanted ? -1 : (packed < wanted ? 1 : 0);
}

class IndexBlockCursor {
 public:
  void Attach(const Block& block, IndexEncoding encoding) {
    block_ = &block;
    encoding_ = encoding;
    Leave();
  }

  void Detach() { Leave(); }

  bool valid() const { return valid_; }
  bool damaged() const { return damaged_; }
  uint64_t offset() const { return offset_; }
  std::string_view key() const {  // The separator as stored. Requires valid().
    DCHECK(valid_);
    return key_;
  }
  const BlockHandle& handle() const {  // Requires valid().
    DCHECK(valid_);
    return value_.handle;
  }
  std::string_view first_key() const { return value_.first_key; }  // Index kind 3 only.

  bool SeekToFirst() { return view().empty() ? Leave() : DecodeRestart(0); }
  bool SeekToLast() { return StepBackFrom(static_cast<uint32_t>(view().entries.size())); }
  bool Next() {
    DCHECK(valid_);
    interval_.Clear();
    return next_ >= view().entries.size() ? Leave() : Decode(next_);
  }
  bool Prev() {
    DCHECK(valid_);
    if (interval_.size() > 1) {
      interval_.PopBack();
      return ShowBackward();
    }
    return StepBackFrom(offset_);
  }

  // Moves to the first separator >= target.
  template <typename Order>
  bool Seek(Order order, const InternalKey& target) {
    if (view().empty()) return Leave();
    return SeekFrom(order, target, {0, view().num_restarts - 1});
  }
  // The same if the last restart key before the target is known to be in `range`.
  template <typename Order>
  bool SeekFrom(Order order, const InternalKey& target, IndexHeads::Range range) {
    auto [left, right] = range;
    DCHECK(left <= right && right < view().num_restarts);
    while (left < right) {
      const uint32_t middle = left + (right - left + 1) / 2;
      if (!DecodeRestart(middle)) return false;
      const int c = Compare(order, target);
      if (damaged_) return false;
      if (c < 0) {
        left = middle;
      } else {
        right = middle - 1;
      }
    }
    if (!DecodeRestart(left)) return false;
    while (true) {
      const int c = Compare(order, target);
      if (damaged_) return false;
      if (c >= 0) return true;
      if (!Next()) return false;
    }
  }

 private:
  bool Leave() {
    interval_.Clear();
    valid_ = damaged_ = false;
    return false;
  }
  bool Damaged(uint64_t offset) {
    interval_.Clear();
    valid_ = false;
    damaged_ = true;
    offset_ = static_cast<uint32_t>(offset);
    return false;
  }

  // Compares the current separator with the target; sets damaged_ if it is too short to be a key.
  template <typename Order>
  int Compare(Order order, const InternalKey& target) {
    if (!encoding_.user_keys && key_.size() < kPackedSize) [[unlikely]] {
      Damaged(offset_);
      return 0;
    }
    return CompareSeparator(order, key_, encoding_.user_keys, target);
  }

  const BlockView& view() const {
    DCHECK(block_ != nullptr, "Attach() was called");
    return block_->view();
  }
  bool DecodeRestart(uint32_t index) {
    interval_.Clear();
    key_ = {};
    return Decode(view().restart_offset(index));
  }
  // Where the entry at `offset` ends; nullopt if it is invalid. `previous` is the handle of the
  // previous entry.
  std::optional<uint32_t> Parse(uint32_t offset, const BlockHandle& previous, BlockEntry* entry,
                                IndexValue* value) const;
  bool Decode(uint32_t offset);
  bool StepBackFrom(uint32_t end);
  bool ShowBackward();

  const Block* block_ = nullptr;
  IndexEncoding encoding_;
  std::string_view key_;
  IndexValue value_;
  uint32_t offset_ = 0;
  uint32_t next_ = 0;
  bool valid_ = false;
  bool damaged_ = false;
  uint8_t buffer_ = 0;        // The one that holds key_, unless that is in the block.
  KeyBuffer<16> buffers_[2];  // Rarely used: most indexes have a restart point at each entry.
  IntervalList<IndexValue> interval_;  // Entries for Prev().
};

}  // namespace varve
