// SPDX-License-Identifier: Apache-2.0
// EntryCopy is a key and a value in memory of their own, for the iterators that check others: what
// one of them has shown is poisoned (base/poison.h) once it moves on, and stays in memory until it
// moves on again, so that whoever still looks at it is found out.
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
  // Neither may be looked at any more.
  void Release() { Poison(bytes_.get(), size_); }

 private:
  size_t size_ = 0;
  std::unique_ptr<char[]> bytes_;
  std::string_view key_, value_;
};

}  // namespace varve
