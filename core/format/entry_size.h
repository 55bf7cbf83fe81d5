// SPDX-License-Identifier: Apache-2.0
// How large an entry may be that is written: see limits.h. Refused where it comes in, before
// anything is logged, so that no flush has to.
#pragma once

#include <cstdint>
#include <string>

#include "core/format/limits.h"
#include "varve/status.h"

namespace varve {

// Is there a block for it?
constexpr bool FitsBlock(uint64_t key_size, uint64_t value_size) {
  return key_size <= kWrittenEntrySizeMax && value_size <= kWrittenEntrySizeMax - key_size;
}

// InvalidArgument with the size and the bound. A range deletion has its end for a value.
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
