// SPDX-License-Identifier: Apache-2.0
// KeyRange is a range of user keys: [from, to), or the keys with a prefix, in the order of a
// comparator.
//
//   bytewise          prefix "ab":  ["ab", "ac")    with lower closed, upper open
//   reverse bytewise  prefix "ab":  ("ac", "ab"]    with lower open, upper closed
//
// In other orders the keys of a prefix may not be contiguous, so a prefix is rejected. Immutable.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "varve/comparator.h"
#include "varve/result.h"

namespace varve {

// A copy of a bound.
inline std::optional<std::string> OwnedBound(const std::optional<std::string_view>& bound) {
  return bound ? std::optional<std::string>(*bound) : std::nullopt;
}

class KeyRange {
 public:
  KeyRange() = default;  // All keys.
  KeyRange(std::optional<std::string> from, std::optional<std::string> to)
      : lower_(std::move(from)), upper_(std::move(to)) {}
  // InvalidArgument for orders that do not keep the keys of a prefix together.
  static Result<KeyRange> OfPrefix(const Comparator& comparator, std::string_view prefix);

  template <typename Order>
  bool IsBefore(Order order, std::string_view key) const {
    if (!lower_.has_value()) return false;
    const int c = order(key, *lower_);
    return c < 0 || (c == 0 && lower_open_);
  }
  template <typename Order>
  bool IsBehind(Order order, std::string_view key) const {
    if (!upper_.has_value()) return false;
    const int c = order(key, *upper_);
    return c > 0 || (c == 0 && !upper_closed_);
  }

  // No key before it is within the range; the key itself only if !lower_open().
  const std::optional<std::string>& lower() const { return lower_; }
  bool lower_open() const { return lower_open_; }
  // No key behind it is within the range; the key itself only if upper_closed().
  const std::optional<std::string>& upper() const { return upper_; }
  bool upper_closed() const { return upper_closed_; }

 private:
  std::optional<std::string> lower_;
  std::optional<std::string> upper_;
  bool lower_open_ = false;
  bool upper_closed_ = false;  // Only for a prefix that is not empty, in reverse order.
};

}  // namespace varve
