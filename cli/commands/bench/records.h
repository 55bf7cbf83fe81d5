// SPDX-License-Identifier: Apache-2.0
// Keys and values as RocksDB's db_bench makes them, so that either can read what the other wrote.
//
//   key    the number as 8 bytes big-endian (fewer if the key is shorter), then '0'
//   value  a piece of a buffer whose every second 50 bytes repeat the 50 before: half is entropy
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace varve::cli::bench {

class KeyBuffer {
 public:
  explicit KeyBuffer(size_t size) : bytes_(size, '0') {}
  // Valid until the next call.
  std::string_view Of(uint64_t number) {
    const size_t digits = bytes_.size() < 8 ? bytes_.size() : 8;
    for (size_t i = digits; i-- > 0; number >>= 8) bytes_[i] = static_cast<char>(number);
    return bytes_;
  }
  static uint64_t NumberOf(std::string_view key);

 private:
  std::string bytes_;
};

class ValueSource {
 public:
  ValueSource(uint64_t seed, size_t value_size);
  std::string_view Next() {
    if (at_ + size_ > data_.size()) at_ = 0;
    at_ += size_;
    return std::string_view(data_).substr(at_ - size_, size_);
  }

 private:
  std::string data_;
  size_t size_;
  size_t at_ = 0;
};

}  // namespace varve::cli::bench
