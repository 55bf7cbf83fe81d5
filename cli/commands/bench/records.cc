// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/records.h"

#include <algorithm>
#include <cmath>

namespace varve::cli::bench {

uint64_t KeyBuffer::NumberOf(std::string_view key) {
  uint64_t number = 0;
  for (const char c : key.substr(0, 8)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

std::optional<ValueSizes::Kind> ParseValueSizes(std::string_view name) {
  using Kind = ValueSizes::Kind;
  for (const Kind kind : {Kind::kFixed, Kind::kUniform, Kind::kNormal}) {
    if (ValueSizesName(kind) == name) return kind;
  }
  return std::nullopt;
}

uint64_t ValueSizes::Draw(RandomSource& random) const {
  if (kind == Kind::kFixed) return size;
  if (kind == Kind::kUniform) return min + random.Below(max - min + 1);
  // The sum of twelve uniform numbers, less six, is normal enough within three deviations.
  double deviations = -6;
  for (int i = 0; i < 12; ++i) deviations += random.Unit();
  const double low = static_cast<double>(min), high = static_cast<double>(max);
  const double drawn = (low + high) / 2 + deviations * (high - low) / 6;
  return static_cast<uint64_t>(std::lround(std::clamp(drawn, low, high)));
}

ValueSource::ValueSource(uint64_t seed, const ValueSizes& sizes)
    : sizes_(sizes), random_(Mix(seed)) {
  constexpr size_t kPiece = 50, kBufferBytes = 1 << 20;
  RandomSource random(seed);
  while (data_.size() < std::max<size_t>(kBufferBytes, sizes.largest())) {
    std::string piece(kPiece, '\0');
    for (char& c : piece) c = static_cast<char>(' ' + random.Below(95));
    data_ += piece + piece;
  }
}

}  // namespace varve::cli::bench
