// SPDX-License-Identifier: Apache-2.0
// BlockCursor walks the entries of one data block in both directions (sst-format 6).
//
//   entry = | shared | unshared | value size | key suffix | value |        all sizes varint32
//   restart points: entries with shared == 0, found by binary search
//
// This is the innermost loop of every scan: format/table/block_entry.h checks each entry's sizes
// once against the end of the entry area. A key that shares nothing is returned in place; others
// are assembled in one of two alternating buffers, so the previous key stays readable during the
// step to the next. Going backwards parses the entries of a restart interval once (interval_list.h)
// and then walks the list.
//
// Moves return whether the cursor is on an entry; if not, damaged() distinguishes the end of the
// block from invalid bytes at offset(). One thread. The block must outlive the cursor's position.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/bytes/short_copy.h"
#include "core/base/check.h"
#include "core/base/prefetch.h"
#include "core/format/table/block_entry.h"
#include "core/iterator/record_run.h"
#include "core/table/block/block.h"
#include "core/table/block/interval_list.h"
#include "core/table/block/key_buffer.h"

namespace varve {

class BlockCursor {
 public:
  BlockCursor() = default;
  explicit BlockCursor(const Block& block) { Attach(block); }

  // Not positioned until the next Seek*.
  void Attach(const Block& block) {
    block_ = &block;
    Leave();
  }
  void Detach() {
    block_ = nullptr;
    Leave();
  }

  bool valid() const { return valid_; }
  bool damaged() const { return damaged_; }
  uint64_t offset() const { return offset_; }  // Of the current (or broken) entry.
  std::string_view key() const {               // As stored. Requires valid().
    DCHECK(valid_);
    return key_;
  }
  std::string_view value() const {  // In the block. Requires valid().
    DCHECK(valid_);
    return value_;
  }
  // How many bytes of key() are known to equal those of the previous entry in the block. Requires
  // that the last move was Next().
  uint32_t shared() const {
    DCHECK(valid_);
    return shared_;
  }

  bool SeekToFirst() { return view().empty() ? Leave() : DecodeRestart(0); }
  bool SeekToLast() {
    Leave();
    offset_ = static_cast<uint32_t>(view().entries.size());
    return StepBack();
  }

  // Moves to the entry that starts at `offset`, or the first one behind it.
  bool SeekToOffset(uint32_t offset);

  // Moves to entry number `slot` of a block with a restart point at every `interval` entries.
  // Stands on nothing if the block has no such entry, on another one if its interval is different.
  bool SeekToSlot(uint32_t slot, uint64_t interval);

  // Moves to entry number `entry` of the block's heads, or behind the last one.
  bool SeekToEntry(const BlockHeads& heads, uint32_t entry);

  bool Next() {
    DCHECK(valid_);
    interval_.Clear();
    if (next_ >= view().entries.size()) return Leave();
    return Decode(next_);
  }

  // Whether ReadRun() works in this block.
  bool HasRuns() const { return !view().separated; }
  // Moves over the entries behind the current one and appends them to `run`, as
  // InternalIterator::ReadRun() does; requires valid(), HasRuns(), internal keys in bytewise order
  // and, if `limits.before` is there, that it is not before the current key. `pinned`: the run pins
  // the block, and its records may point into it. What does not belong in the run, is damaged or
  // out of order ends it, for Next() to deal with. Invalidates what key() returned before.
  size_t ReadRun(const RunLimits& limits, bool pinned, RecordRun* run);

  // For scans of cold memory: prefetches the lines some entries ahead, assuming steps of the usual
  // length. Requires valid().
  void PrefetchAhead() const {
    DCHECK(valid_);
    const BlockView& block = view();
    if (block.block.size() - next_ <= kAhead + kLine) return;
    PrefetchAheadOf(block.entries.data() + next_);
  }

  bool Prev() {
    DCHECK(valid_);
    if (interval_.size() > 1) {
      interval_.PopBack();
      return ShowBackward();
    }
    return StepBack();
  }

  // Leaves the cursor on no entry, with damaged() true.
  bool Refuse() { return Damaged(0); }

  // Moves to the first entry with `compare(key) >= 0`; compare(stored key) < 0 means "before the
  // target".
  template <typename CompareToTarget>
  bool Seek(const CompareToTarget& compare) {
    if (view().empty()) return Leave();
    return SeekFrom(compare, {0, view().num_restarts - 1});
  }
  // The same if the last restart key before the target is known to be in `range`.
  template <typename CompareToTarget>
  bool SeekFrom(const CompareToTarget& compare, RestartHints::Range range) {
    auto [left, right] = range;
    DCHECK(left <= right && right < view().num_restarts);
    while (left < right) {  // The last restart before the target is in [left, right].
      const uint32_t middle = left + (right - left + 1) / 2;
      if (!DecodeRestart(middle)) return false;
      if (compare(key_) < 0) {
        left = middle;
      } else {
        right = middle - 1;
      }
    }
    block_->PrefetchInterval(left);
    if (!DecodeRestart(left)) return false;
    while (compare(key_) < 0) {
      if (!Next()) return false;
    }
    return true;
  }

 private:
  static constexpr uint32_t kLine = 64, kAhead = 512;  // Bytes.

  // The address may be behind the block: nothing is read.
  static void PrefetchAheadOf(const char* entry) {
    const uintptr_t ahead = reinterpret_cast<uintptr_t>(entry) + kAhead;
    PrefetchLine(reinterpret_cast<const char*>(ahead));
    PrefetchLine(reinterpret_cast<const char*>(ahead + kLine));
  }

  bool Leave() {
    valid_ = damaged_ = false;
    interval_.Clear();
    key_ = {};
    return false;
  }
  bool Damaged(uint64_t offset) {
    Leave();
    damaged_ = true;
    offset_ = static_cast<uint32_t>(offset);
    return false;
  }

  bool DecodeRestart(uint32_t index) {
    interval_.Clear();
    key_ = {};
    restart_ = index;
    at_restart_ = true;
    return Decode(block_->restart_offset(index));
  }

  // Sets value_ and next_. Requires that `offset` is within the entries.
  bool Parse(uint32_t offset, BlockEntry* entry) {
    DCHECK_OP(offset, <, view().entries.size());
    if (view().separated) [[unlikely]]
      return ParseSeparated(offset, entry);
    const char* const start = view().entries.data();
    if (!ParseBlockEntry(start + offset, view().limit(), entry)) [[unlikely]]
      return false;
    value_ = entry->value();
    next_ = static_cast<uint32_t>(entry->end() - start);
    return true;
  }

  bool Decode(uint32_t offset) {
    BlockEntry entry;
    if (!Parse(offset, &entry)) [[unlikely]]
      return Damaged(offset);
    if (entry.shared == 0) {
      key_ = entry.suffix();
    } else {
      if (entry.shared > key_.size()) [[unlikely]]
        return Damaged(offset);
      AssembleKey(entry);
    }
    shared_ = entry.shared;
    offset_ = offset;
    valid_ = true;
    return true;
  }

  void AssembleKey(const BlockEntry& entry) {
    buffer_ ^= 1;
    const size_t size = size_t{entry.shared} + entry.non_shared;
    char* const to = buffers_[buffer_].Reserve(size);
    CopyShort(to, key_.data(), entry.shared);
    CopyShort(to + entry.shared, entry.key_suffix, entry.non_shared);
    key_ = {to, size};
  }

  const BlockView& view() const {
    DCHECK(block_ != nullptr, "Attach() was called");
    return block_->view();
  }
  bool ParseSeparated(uint32_t offset, BlockEntry* entry);
  bool StepBack();
  bool ShowBackward();

  const Block* block_ = nullptr;
  std::string_view key_;
  std::string_view value_;
  uint32_t offset_ = 0;
  uint32_t next_ = 0;  // Where the following entry starts.
  uint32_t shared_ = 0;
  uint32_t restart_ = 0;  // Separated values only: the interval the cursor is in.
  bool at_restart_ = false;
  bool valid_ = false;
  bool damaged_ = false;
  // The one that holds key_, unless that is in the block.
  uint8_t buffer_ = 0;
  IntervalList<std::string_view> interval_;  // Entries for Prev(), each with its value.
  KeyBuffer<112> buffers_[2];                // Nearly every key is shorter.
};

}  // namespace varve
