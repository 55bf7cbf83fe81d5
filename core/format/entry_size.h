// SPDX-License-Identifier: Apache-2.0
// Size limits of entries to be written: see limits.h. Checked on input, before anything is logged,
// so that a flush never meets a larger entry.
#pragma once

#include <cstdint>
#include <string>

#include "core/format/limits.h"
#include "varve/status.h"

namespace varve {

// Whether the entry fits into a block.
constexpr bool FitsBlock(uint64_t key_size, uint64_t value_size) {
  return key_size <= kWrittenEntrySizeMax && value_size <= kWrittenEntrySizeMax - key_size;
}

// InvalidArgument naming size and limit. The value of a range deletion is its end.
inline Status CheckEntrySize(uint64_t key_size, uint64_t value_size) {
  if (FitsBlock(key_size, value_size)) return Status::Ok();
  return Status::InvalidArgument("an entry with a key of " + std::to_string(key_size) +
                                 " and a value of " + std::to_string(value_size) +
                                 " bytes: together they may have " +
                                 std::to_string(kWrittenEntrySizeMax));
}

inline Status CheckKeySize(uint64_t size) {
  if (size <= kWrittenKeySizeMax) return Status::Ok();
  return Status::InvalidArgument("a key of " + std::to_string(size) + " bytes is larger than " +
                                 std::to_string(kWrittenKeySizeMax));
}

}  // namespace varve
