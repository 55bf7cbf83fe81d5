// SPDX-License-Identifier: Apache-2.0
#include "core/table/index_block_cursor.h"

namespace varve {

bool IndexBlockCursor::Decode(uint32_t offset) {
  const char* const start = view().entries.data();
  const char* const limit = view().limit();
  BlockEntry entry;
  const bool fits = encoding_.values.delta_encoded
                        ? ParseKeyOnlyEntry(start + offset, limit, &entry)
                        : ParseBlockEntry(start + offset, limit, &entry);
  if (!fits || entry.shared > key_.size()) return Damaged(offset);
  // With a value size the value ends there; without, where its own fields end.
  const char* const value_limit = encoding_.values.delta_encoded ? limit : entry.end();
  IndexValue value;
  const char* const end = ParseIndexValue(entry.after_key(), value_limit, encoding_.values,
                                          entry.shared, value_.handle, &value);
  if (end == nullptr) return Damaged(offset);
  value_ = value;
  next_ = static_cast<uint32_t>((encoding_.values.delta_encoded ? end : entry.end()) - start);
  if (entry.shared == 0) {
    key_ = entry.suffix();
  } else {
    buffer_ ^= 1;
    const size_t size = size_t{entry.shared} + entry.non_shared;
    char* const to = buffers_[buffer_].Reserve(size);
    std::memcpy(to, key_.data(), entry.shared);
    std::memcpy(to + entry.shared, entry.key_suffix, entry.non_shared);
    key_ = {to, size};
  }
  offset_ = offset;
  valid_ = true;
  damaged_ = false;
  return true;
}

bool IndexBlockCursor::StepBackFrom(uint32_t end) {
  if (end == 0) return Leave();
  uint32_t left = 0, right = view().num_restarts - 1;
  while (left < right) {  // The last restart below `end`.
    const uint32_t middle = left + (right - left + 1) / 2;
    if (view().restart_offset(middle) < end) {
      left = middle;
    } else {
      right = middle - 1;
    }
  }
  if (view().restart_offset(left) >= end) return Damaged(end);
  if (!DecodeRestart(left)) return false;
  while (next_ < end) {
    if (!Decode(next_)) return false;
  }
  return next_ == end || Damaged(offset_);
}

}  // namespace varve
