// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/records.h"

#include <algorithm>

#include "cli/commands/bench/random.h"

namespace varve::cli::bench {

uint64_t KeyBuffer::NumberOf(std::string_view key) {
  uint64_t number = 0;
  for (const char c : key.substr(0, 8)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

ValueSource::ValueSource(uint64_t seed, size_t value_size) : size_(value_size) {
  constexpr size_t kPiece = 50, kBufferBytes = 1 << 20;
  RandomSource random(seed);
  while (data_.size() < std::max(kBufferBytes, value_size)) {
    std::string piece(kPiece, '\0');
    for (char& c : piece) c = static_cast<char>(' ' + random.Below(95));
    data_ += piece + piece;
  }
}

}  // namespace varve::cli::bench
