// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/hdr_encoding.h"

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace varve::cli::bench {
namespace {

constexpr uint32_t kPayloadCookie = 0x1c849313, kCompressedCookie = 0x1c849314;
constexpr uint32_t kDigits = 2;

template <typename T>
void PutBigEndian(T value, std::string* out) {
  for (size_t i = sizeof(T); i-- > 0;) out->push_back(static_cast<char>(value >> (8 * i)));
}

// At most nine bytes: the last one has all its eight bits.
void PutZigZag(int64_t value, std::string* out) {
  uint64_t bits = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  for (int i = 0; i < 8; ++i, bits >>= 7) {
    if (bits < 0x80) return out->push_back(static_cast<char>(bits));
    out->push_back(static_cast<char>(bits | 0x80));
  }
  out->push_back(static_cast<char>(bits));
}

std::string Base64(const std::string& bytes) {
  constexpr char kDigit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    }
    for (unsigned k = 0; k < 4; ++k) {
      const bool there = i + k <= bytes.size();
      text.push_back(there ? kDigit[group >> (18 - 6 * k) & 63] : '=');
    }
  }
  return text;
}

}  // namespace

std::string HdrPayload(const Histogram& histogram) {
  const std::vector<uint64_t> list = histogram.Counts();
  std::string counts;
  for (size_t i = 0; i < list.size();) {
    size_t end = i;
    while (end < list.size() && list[end] == 0) ++end;
    const size_t zeros = end - i;
    if (zeros > 1) {
      PutZigZag(-static_cast<int64_t>(zeros), &counts);
      i = end;
    } else {
      PutZigZag(static_cast<int64_t>(list[i++]), &counts);
    }
  }
  std::string payload;
  PutBigEndian(kPayloadCookie, &payload);
  PutBigEndian(static_cast<uint32_t>(counts.size()), &payload);
  PutBigEndian(uint32_t{0}, &payload);  // Nothing was shifted.
  PutBigEndian(kDigits, &payload);
  PutBigEndian(uint64_t{1}, &payload);
  // All there are, as a power of two less one; a reader allocates for it.
  const int bits = std::max(9, static_cast<int>(std::bit_width(histogram.max())));
  PutBigEndian(~uint64_t{0} >> (64 - std::min(bits, 63)), &payload);
  PutBigEndian(std::bit_cast<uint64_t>(1.0), &payload);
  return payload + counts;
}

std::string HdrEncoded(const Histogram& histogram) {
  const std::string payload = HdrPayload(histogram);
  uLongf size = compressBound(payload.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(payload.data()), payload.size());
  packed.resize(size);
  std::string framed;
  PutBigEndian(kCompressedCookie, &framed);
  PutBigEndian(static_cast<uint32_t>(packed.size()), &framed);
  return Base64(framed + packed);
}

}  // namespace varve::cli::bench
