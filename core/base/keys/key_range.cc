// SPDX-License-Identifier: Apache-2.0
#include "core/base/keys/key_range.h"

#include <cstdint>

namespace varve {
namespace {

// The smallest key, bytewise, that is larger than all keys with the prefix; nullopt if there is
// none.
std::optional<std::string> BehindPrefix(std::string_view prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xff) prefix.remove_suffix(1);
  if (prefix.empty()) return std::nullopt;
  std::string behind(prefix);
  behind.back() = static_cast<char>(static_cast<uint8_t>(behind.back()) + 1);
  return behind;
}

}  // namespace

Result<KeyRange> KeyRange::OfPrefix(const Comparator& comparator, std::string_view prefix) {
  KeyRange range;
  if (prefix.empty()) return range;
  switch (comparator.kind()) {
    case Comparator::Kind::kBytewise:
      range.lower_ = std::string(prefix);
      range.upper_ = BehindPrefix(prefix);
      return range;
    case Comparator::Kind::kReverseBytewise:
      range.lower_ = BehindPrefix(prefix);
      range.lower_open_ = true;
      range.upper_ = std::string(prefix);
      range.upper_closed_ = true;
      return range;
    case Comparator::Kind::kOther:
      break;
  }
  return Status::InvalidArgument("prefix: the order \"" + std::string(comparator.name()) +
                                 "\" does not keep the keys of a prefix together; use bounds");
}

}  // namespace varve
