// SPDX-License-Identifier: Apache-2.0
#include "core/format/entry_size.h"

#include <string>

namespace varve {

Status EntryTooLarge(uint64_t key_size, uint64_t value_size) {
  return Status::InvalidArgument("an entry with a key of " + std::to_string(key_size) +
                                 " and a value of " + std::to_string(value_size) +
                                 " bytes: together they may have " +
                                 std::to_string(kWrittenEntrySizeMax));
}

Status KeyTooLarge(uint64_t size) {
  return Status::InvalidArgument("a key of " + std::to_string(size) + " bytes is larger than " +
                                 std::to_string(kWrittenKeySizeMax));
}

}  // namespace varve
