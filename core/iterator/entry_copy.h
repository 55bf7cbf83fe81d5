// SPDX-License-Identifier: Apache-2.0
// EntryCopy is a copy of a key and a value, for iterators that check others: an entry that was
// shown is poisoned (base/poison.h) when the iterator moves on, and freed at the move after that,
// so that a use after the move is detected.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "core/base/poison.h"

namespace varve {

class EntryCopy {
 public:
  EntryCopy() = default;
  EntryCopy(std::string_view key, std::string_view value)
      : size_(key.size() + value.size()),
        bytes_(std::make_unique_for_overwrite<char[]>(size_)),
        key_(bytes_.get(), key.size()),
        value_(bytes_.get() + key.size(), value.size()) {
    if (!key.empty()) std::memcpy(bytes_.get(), key.data(), key.size());
    if (!value.empty()) std::memcpy(bytes_.get() + key.size(), value.data(), value.size());
  }

  std::string_view key() const { return key_; }
  std::string_view value() const { return value_; }
  // Neither may be read any more.
  void Release() { Poison(bytes_.get(), size_); }

 private:
  size_t size_ = 0;
  std::unique_ptr<char[]> bytes_;
  std::string_view key_, value_;
};

}  // namespace varve
