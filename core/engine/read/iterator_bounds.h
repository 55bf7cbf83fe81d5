// SPDX-License-Identifier: Apache-2.0
// IteratorBounds is the range of user keys that an iterator shows: the lower and upper bound of
// ReadOptions, or a prefix turned into both.
//
//   bytewise          prefix "ab":  ["ab", "ac")    with lower closed, upper open
//   reverse bytewise  prefix "ab":  ("ac", "ab"]    with lower open, upper closed
//
// In other orders the keys of a prefix may not be contiguous, so a prefix is rejected. Immutable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/version/version.h"
#include "varve/comparator.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

class IteratorBounds {
 public:
  static Result<IteratorBounds> Create(const Comparator& comparator, const ReadOptions& options);

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

  // No key before it is within the bounds; the key itself only if !lower_open().
  const std::optional<std::string>& lower() const { return lower_; }
  bool lower_open() const { return lower_open_; }
  // No key behind it is within the bounds; the key itself only if upper_closed().
  const std::optional<std::string>& upper() const { return upper_; }
  bool upper_closed() const { return upper_closed_; }

  // A range that contains this one, for skipping tables. Points into this object.
  KeyBounds Superset() const;

 private:
  std::optional<std::string> lower_;
  std::optional<std::string> upper_;
  std::optional<std::string> open_upper_;  // A key behind all keys within, if upper_ is inclusive.
  bool lower_open_ = false;
  bool upper_closed_ = false;
};

}  // namespace varve
