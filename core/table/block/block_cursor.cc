// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_cursor.h"

#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/table/block/neighbours.h"

namespace varve {

// Separated keys and values (sst-format 6.4): a restart entry says where its value starts, every
// other value starts where the previous one ended.
bool BlockCursor::ParseSeparated(uint32_t offset, BlockEntry* entry) {
  const BlockView& block = view();
  if (!at_restart_ && restart_ + 1 < block.num_restarts &&
      offset == block.restart_offset(restart_ + 1)) {
    ++restart_;
    at_restart_ = true;
  }
  uint64_t value_offset = 0;
  if (!at_restart_) {
    value_offset = static_cast<uint64_t>(value_.data() + value_.size() - block.values.data());
  }
  const char* const start = block.entries.data();
  if (!ParseSeparatedEntry(start + offset, block.limit(), at_restart_, block.values.size(),
                           &value_offset, entry)) {
    return false;
  }
  at_restart_ = false;
  value_ = block.values.substr(value_offset, entry->value_size);
  next_ = static_cast<uint32_t>(entry->after_key() - start);
  return true;
}

size_t BlockCursor::ReadRun(const RunLimits& limits, bool pinned, RecordRun* run) {
  DCHECK(valid_ && HasRuns());
  const char* const entries = view().entries.data();
  const char* const limit = view().limit();
  const uint64_t newest = PackSequenceAndType(limits.at, ValueType::kValue);
  const size_t at_first = run->size();
  std::string_view before = key_;
  const char* at = entries + next_;  // The entry to read; `last` and last_at: the one before it.
  const char* last_at = nullptr;
  BlockEntry entry, last;
  while (at < limit && !run->full() && ParseBlockEntry(at, limit, &entry)) {
    PrefetchAheadOf(at);
    const size_t size = size_t{entry.shared} + entry.non_shared;
    if (entry.shared > before.size() || size < kPackedSize) [[unlikely]]
      break;
    const char* key = entry.key_suffix;
    if (entry.shared > 0 || !pinned) {
      char* const to = run->Allocate(size);
      CopyShort(to, before.data(), entry.shared);
      CopyShort(to + entry.shared, entry.key_suffix, entry.non_shared);
      key = to;
    }
    const std::string_view user_key(key, size - kPackedSize);
    const uint64_t packed = LoadFixed64(user_key.data() + user_key.size());
    if (packed > newest || static_cast<ValueType>(packed & 0xff) != ValueType::kValue) break;
    const std::string_view user_key_before = before.substr(0, before.size() - kPackedSize);
    if (CompareBehind(entry.shared, user_key_before, user_key) >= 0) break;
    if (limits.before && user_key >= *limits.before) break;
    run->Append(user_key, pinned ? entry.value() : run->Copy(entry.value()));
    before = {key, size};
    last = entry;
    last_at = at;
    at = entry.end();
  }
  if (last_at == nullptr) return 0;
  interval_.Clear();
  buffer_ ^= 1;
  char* const own = buffers_[buffer_].Reserve(before.size());
  CopyShort(own, before.data(), before.size());
  key_ = {own, before.size()};
  value_ = last.value();
  shared_ = last.shared;
  offset_ = static_cast<uint32_t>(last_at - entries);
  next_ = static_cast<uint32_t>(at - entries);
  return run->size() - at_first;
}

bool BlockCursor::SeekToOffset(uint32_t offset) {
  if (view().empty()) return Leave();
  if (!DecodeRestart(view().RestartBelow(offset + 1))) return false;
  while (offset_ < offset) {
    if (!Next()) return false;
  }
  return true;
}

bool BlockCursor::SeekToSlot(uint32_t slot, uint64_t interval) {
  if (interval == 0 || slot / interval >= view().num_restarts || view().empty()) return Leave();
  const auto restart = static_cast<uint32_t>(slot / interval);
  block_->PrefetchInterval(restart);
  if (!DecodeRestart(restart)) return false;
  for (uint64_t steps = slot % interval; steps > 0; --steps) {
    if (!Next()) return false;
  }
  return true;
}

bool BlockCursor::SeekToEntry(const BlockHeads& heads, uint32_t entry) {
  DCHECK_OP(entry, <=, heads.count());
  if (entry == heads.count()) return Leave();
  const uint32_t offset = heads.offset(entry);
  const uint32_t known = heads.prefix_size() + BlockHeads::kHeadSize;
  // The known bytes of the key supply what it shares with the previous key, unless it shares more
  // or the shared part extends beyond the user key.
  BlockEntry parsed;
  if (!ParseBlockEntry(heads.entry(entry), heads.limit(), &parsed) || parsed.shared > known ||
      parsed.non_shared < kPackedSize) [[unlikely]] {
    return SeekToOffset(offset);
  }
  interval_.Clear();
  char* const start = buffers_[buffer_].Reserve(known);
  heads.CopyStart(entry, start);
  key_ = {start, known};
  return Decode(offset);
}

// From the entry at offset_ (or the end) to the previous one, which may be in the previous
// interval.
bool BlockCursor::StepBack() {
  const uint32_t end = offset_;
  if (end == 0) return Leave();
  const uint32_t left = view().RestartBelow(end);
  const uint32_t begin = view().restart_offset(left);
  if (begin >= end) return Damaged(end);
  const auto parse = [&](uint32_t at, BlockEntry* entry, std::string_view* value, uint32_t* next) {
    if (at == begin) {
      restart_ = left;
      at_restart_ = true;
    }
    if (!Parse(at, entry)) return false;
    *value = value_;
    *next = next_;
    return true;
  };
  uint32_t broken = 0;
  if (!interval_.Fill(begin, end, parse, &broken)) return Damaged(broken);
  return ShowBackward();
}

bool BlockCursor::ShowBackward() {
  const auto& entry = interval_.back();
  offset_ = entry.offset;
  next_ = entry.next;
  value_ = entry.value;
  key_ = interval_.key();
  valid_ = true;
  return true;
}

}  // namespace varve
