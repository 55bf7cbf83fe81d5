// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_block_cursor.h"

namespace varve {

std::optional<uint32_t> IndexBlockCursor::Parse(uint32_t offset, const BlockHandle& previous,
                                                BlockEntry* entry, IndexValue* value) const {
  const char* const start = view().entries.data();
  const char* const limit = view().limit();
  const bool delta_encoded = encoding_.values.delta_encoded;
  if (!(delta_encoded ? ParseKeyOnlyEntry(start + offset, limit, entry)
                      : ParseBlockEntry(start + offset, limit, entry))) {
    return std::nullopt;
  }
  // The value ends as its size says; without a size, after its last field.
  const char* const end = ParseIndexValue(entry->after_key(), delta_encoded ? limit : entry->end(),
                                          encoding_.values, entry->shared, previous, value);
  if (end == nullptr) return std::nullopt;
  return static_cast<uint32_t>((delta_encoded ? end : entry->end()) - start);
}

bool IndexBlockCursor::Decode(uint32_t offset) {
  BlockEntry entry;
  IndexValue value;
  const std::optional<uint32_t> next = Parse(offset, value_.handle, &entry, &value);
  if (!next || entry.shared > key_.size()) return Damaged(offset);
  value_ = value;
  next_ = *next;
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
  const uint32_t begin = view().restart_offset(view().RestartBelow(end));
  if (begin >= end) return Damaged(end);
  BlockHandle previous;
  const auto parse = [&](uint32_t at, BlockEntry* entry, IndexValue* value, uint32_t* next) {
    const std::optional<uint32_t> parsed = Parse(at, previous, entry, value);
    if (!parsed) return false;
    previous = value->handle;
    *next = *parsed;
    return true;
  };
  uint32_t broken = 0;
  if (!interval_.Fill(begin, end, parse, &broken)) return Damaged(broken);
  return ShowBackward();
}

bool IndexBlockCursor::ShowBackward() {
  const auto& entry = interval_.back();
  offset_ = entry.offset;
  next_ = entry.next;
  value_ = entry.value;
  key_ = interval_.key();
  valid_ = true;
  damaged_ = false;
  return true;
}

}  // namespace varve
