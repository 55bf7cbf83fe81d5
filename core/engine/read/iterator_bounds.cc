// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/iterator_bounds.h"

#include "core/base/check.h"

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

Result<IteratorBounds> IteratorBounds::Create(const Comparator& comparator,
                                              const ReadOptions& options) {
  IteratorBounds bounds;
  if (!options.prefix.has_value()) {
    if (options.lower_bound.has_value()) bounds.lower_ = std::string(*options.lower_bound);
    if (options.upper_bound.has_value()) bounds.upper_ = std::string(*options.upper_bound);
    return bounds;
  }
  const std::string_view prefix = *options.prefix;
  if (prefix.empty()) return bounds;
  switch (comparator.kind()) {
    case Comparator::Kind::kBytewise:
      bounds.lower_ = std::string(prefix);
      bounds.upper_ = BehindPrefix(prefix);
      return bounds;
    case Comparator::Kind::kReverseBytewise:
      bounds.lower_ = BehindPrefix(prefix);
      bounds.lower_open_ = true;
      bounds.upper_ = std::string(prefix);
      bounds.upper_closed_ = true;
      bounds.open_upper_ = std::string(prefix.substr(0, prefix.size() - 1));
      return bounds;
    case Comparator::Kind::kOther:
      break;
  }
  return Status::InvalidArgument("prefix: the order \"" + std::string(comparator.name()) +
                                 "\" does not keep the keys of a prefix together; use bounds");
}

KeyBounds IteratorBounds::Superset() const {
  CHECK(!upper_closed_ || open_upper_.has_value());
  KeyBounds bounds;
  if (lower_.has_value()) bounds.lower = *lower_;
  if (upper_.has_value()) bounds.upper = upper_closed_ ? *open_upper_ : *upper_;
  return bounds;
}

}  // namespace varve
