// SPDX-License-Identifier: Apache-2.0
// The two parts of a stored key whose comparator says that keys have timestamps:
//
//   | key (n) | timestamp (size) |      "a"@9, "a"@4, "b"@7: by key, and the newest first
//
// A key that is shorter than its timestamp is damaged; it counts as an empty key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "varve/comparator.h"

namespace varve {

inline std::string_view WithoutTimestamp(std::string_view stored, size_t size) {
  return stored.substr(0, stored.size() - std::min(stored.size(), size));
}
inline std::string_view TimestampOf(std::string_view stored, size_t size) {
  return stored.substr(stored.size() - std::min(stored.size(), size));
}

// The stored keys with the newest and with the oldest timestamp of all.
inline std::string BeforeTimestamps(std::string_view key, size_t size) {
  return std::string(key).append(size, '\xff');
}
inline std::string BehindTimestamps(std::string_view key, size_t size) {
  return std::string(key).append(size, '\0');
}

// The first stored key that a version of the key can have; with size 0, the key.
inline std::string BeforeVersionsOf(std::string_view stored, size_t size) {
  return BeforeTimestamps(WithoutTimestamp(stored, size), size);
}

// Compares stored keys without their timestamps; without any, as Compare() does.
inline int CompareIgnoringTimestamps(const Comparator& order, std::string_view a,
                                     std::string_view b) {
  const size_t size = order.timestamp_size();
  if (size == 0) return order.Compare(a, b);
  return order.CompareWithoutTimestamps(WithoutTimestamp(a, size), WithoutTimestamp(b, size));
}

// What a program says of a range of keys, as a range of stored keys: with timestamps, it begins
// before all versions of `begin`, and ends before or behind all those of `end`.
class StoredRange {
 public:
  enum class End { kExcluded, kIncluded };

  // Without timestamps it points to what it is given.
  StoredRange(const Comparator& order, std::optional<std::string_view> begin,
              std::optional<std::string_view> end, End which) {
    const size_t size = order.timestamp_size();
    begin_ = begin;
    end_ = end;
    if (size == 0) return;
    if (begin) begin_ = first_ = BeforeTimestamps(*begin, size);
    if (!end) return;
    end_ = last_ =
        which == End::kIncluded ? BehindTimestamps(*end, size) : BeforeTimestamps(*end, size);
  }
  StoredRange(const StoredRange&) = delete;

  std::optional<std::string_view> begin() const { return begin_; }
  std::optional<std::string_view> end() const { return end_; }

 private:
  std::string first_, last_;
  std::optional<std::string_view> begin_, end_;
};

}  // namespace varve
