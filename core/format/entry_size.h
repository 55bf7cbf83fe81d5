// SPDX-License-Identifier: Apache-2.0
// Size limits of entries to be written: see limits.h. Checked on input, before anything is logged,
// so that a flush never meets a larger entry.
#pragma once

#include <cstdint>

#include "core/format/limits.h"
#include "varve/status.h"

namespace varve {

// Whether the entry fits into a block.
constexpr bool FitsBlock(uint64_t key_size, uint64_t value_size) {
  return key_size <= kWrittenEntrySizeMax && value_size <= kWrittenEntrySizeMax - key_size;
}

// The errors of the two checks below, which every write passes.
Status EntryTooLarge(uint64_t key_size, uint64_t value_size);
Status KeyTooLarge(uint64_t size);

// InvalidArgument naming size and limit. The value of a range deletion is its end.
inline Status CheckEntrySize(uint64_t key_size, uint64_t value_size) {
  return FitsBlock(key_size, value_size) ? Status::Ok() : EntryTooLarge(key_size, value_size);
}

inline Status CheckKeySize(uint64_t size) {
  return size <= kWrittenKeySizeMax ? Status::Ok() : KeyTooLarge(size);
}

}  // namespace varve
