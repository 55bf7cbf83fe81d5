// SPDX-License-Identifier: Apache-2.0
// Keys and values in the form of RocksDB's db_bench: each can read the databases of the other.
//
//   key    the number as 8 bytes big-endian (fewer if the key is shorter), then '0'
//   value  a piece of a buffer whose every second 50 bytes repeat the 50 before: half is entropy
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/bench/random.h"

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

// The sizes of values, as db_bench's --value_size_distribution_type: fixed, uniform within a range,
// or normal around the middle of the range with a sixth of the range as standard deviation.
struct ValueSizes {
  enum class Kind : uint8_t { kFixed, kUniform, kNormal };
  Kind kind = Kind::kFixed;
  uint64_t size = 100;               // kFixed.
  uint64_t min = 100, max = 102400;  // Of the others.

  uint64_t largest() const { return kind == Kind::kFixed ? size : max; }
  uint64_t Draw(RandomSource& random) const;
};
std::optional<ValueSizes::Kind> ParseValueSizes(std::string_view name);
inline constexpr std::array<std::string_view, 3> kValueSizesNames = {"fixed", "uniform", "normal"};
constexpr std::string_view ValueSizesName(ValueSizes::Kind kind) {
  return kValueSizesNames.at(static_cast<size_t>(kind));
}

class ValueSource {
 public:
  ValueSource(uint64_t seed, const ValueSizes& sizes);
  std::string_view Next() {
    const size_t size =
        sizes_.kind == ValueSizes::Kind::kFixed ? sizes_.size : sizes_.Draw(random_);
    if (at_ + size > data_.size()) at_ = 0;
    at_ += size;
    return std::string_view(data_).substr(at_ - size, size);
  }

 private:
  std::string data_;
  const ValueSizes sizes_;
  RandomSource random_;
  size_t at_ = 0;
};

}  // namespace varve::cli::bench
