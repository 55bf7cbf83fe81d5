// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/crc32c.h"

#include <array>
#include <bit>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#define VARVE_CRC32C_X86 1
#endif

namespace varve {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // Castagnoli, reflected: bit 31 is x^0.
constexpr uint32_t kMaskDelta = 0xa282ead8;

using ByteTable = std::array<uint32_t, 256>;

// tables[k][b]: the CRC of byte b followed by k zero bytes, so that eight bytes can be looked up
// independently.
constexpr std::array<ByteTable, 8> MakeSliceTables() {
  std::array<ByteTable, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t previous = tables[k - 1][byte];
      tables[k][byte] = (previous >> 8) ^ tables[0][previous & 0xff];
    }
  }
  return tables;
}
constexpr std::array<ByteTable, 8> kSlice = MakeSliceTables();

// The Extend* functions below work on the register itself; callers invert it before and after.
uint32_t ExtendPortable(uint32_t crc, const char* next, size_t size) {
  for (; size >= 8; next += 8, size -= 8) {
    const uint32_t low = LoadFixed32(next) ^ crc;
    const uint32_t high = LoadFixed32(next + 4);
    crc = kSlice[7][low & 0xff] ^ kSlice[6][(low >> 8) & 0xff] ^ kSlice[5][(low >> 16) & 0xff] ^
          kSlice[4][low >> 24] ^ kSlice[3][high & 0xff] ^ kSlice[2][(high >> 8) & 0xff] ^
          kSlice[1][(high >> 16) & 0xff] ^ kSlice[0][high >> 24];
  }
  for (; size > 0; ++next, --size) {
    crc = (crc >> 8) ^ kSlice[0][(crc ^ static_cast<uint8_t>(*next)) & 0xff];
  }
  return crc;
}

#if VARVE_CRC32C_X86

constexpr uint32_t MultiplyModulo(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = uint32_t{1} << 31; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

// Advances a register over a fixed number of zero bytes: combines the CRC of a stream with those of
// the streams behind it.
class ZeroShift {
 public:
  explicit constexpr ZeroShift(uint64_t bytes) {
    uint32_t factor = uint32_t{1} << 31;  // x^0
    uint32_t power = uint32_t{1} << 30;   // x^1
    for (uint64_t n = 8 * bytes; n != 0; n >>= 1) {
      if ((n & 1) != 0) factor = MultiplyModulo(power, factor);
      power = MultiplyModulo(power, power);
    }
    for (size_t k = 0; k < 4; ++k) {
      for (size_t bit = 0; bit < 8; ++bit) {
        const uint32_t image = MultiplyModulo(factor, uint32_t{1} << (8 * k + bit));
        for (size_t byte = 0; byte < 256; ++byte) {
          if ((byte >> bit & 1) != 0) tables_[k][byte] ^= image;  // Shifting is linear.
        }
      }
    }
  }

  uint32_t operator()(uint32_t crc) const {
    return tables_[0][crc & 0xff] ^ tables_[1][(crc >> 8) & 0xff] ^ tables_[2][(crc >> 16) & 0xff] ^
           tables_[3][crc >> 24];
  }

 private:
  std::array<ByteTable, 4> tables_{};
};

constexpr size_t kLongStream = 4096;
constexpr size_t kShortStream = 256;
constexpr ZeroShift kShiftLong{kLongStream};
constexpr ZeroShift kShiftShort{kShortStream};

// The crc32 instruction has a latency of three cycles and a throughput of one: three streams at
// once.
__attribute__((target("sse4.2"))) uint32_t ExtendThreeStreams(uint32_t crc, const char* next,
                                                              size_t stream,
                                                              const ZeroShift& shift) {
  DCHECK_OP(stream % 8, ==, 0);
  uint64_t first = crc;
  uint64_t second = 0;
  uint64_t third = 0;
  for (size_t i = 0; i < stream; i += 8) {
    first = _mm_crc32_u64(first, LoadFixed64(next + i));
    second = _mm_crc32_u64(second, LoadFixed64(next + stream + i));
    third = _mm_crc32_u64(third, LoadFixed64(next + 2 * stream + i));
  }
  const uint32_t two = shift(static_cast<uint32_t>(first)) ^ static_cast<uint32_t>(second);
  return shift(two) ^ static_cast<uint32_t>(third);
}

__attribute__((target("sse4.2"))) uint32_t ExtendSse42(uint32_t crc, const char* next,
                                                       size_t size) {
  for (; size >= 3 * kLongStream; next += 3 * kLongStream, size -= 3 * kLongStream) {
    crc = ExtendThreeStreams(crc, next, kLongStream, kShiftLong);
  }
  for (; size >= 3 * kShortStream; next += 3 * kShortStream, size -= 3 * kShortStream) {
    crc = ExtendThreeStreams(crc, next, kShortStream, kShiftShort);
  }
  uint64_t wide = crc;
  for (; size >= 8; next += 8, size -= 8) wide = _mm_crc32_u64(wide, LoadFixed64(next));
  crc = static_cast<uint32_t>(wide);
  for (; size > 0; ++next, --size) crc = _mm_crc32_u8(crc, static_cast<uint8_t>(*next));
  return crc;
}

#endif

using Extend = uint32_t (*)(uint32_t crc, const char* next, size_t size);

Extend FastestExtend() {
#if VARVE_CRC32C_X86
  __builtin_cpu_init();  // Static initialisers of others may run before libgcc's.
  if (__builtin_cpu_supports("sse4.2")) return ExtendSse42;
#endif
  return ExtendPortable;
}

}  // namespace

Crc32c ExtendCrc32c(Crc32c crc, std::string_view bytes) {
  static const Extend extend = FastestExtend();
  return {~extend(~crc.value, bytes.data(), bytes.size())};
}

Crc32c ComputeCrc32c(std::string_view bytes) { return ExtendCrc32c({}, bytes); }

MaskedCrc Mask(Crc32c crc) { return {std::rotr(crc.value, 15) + kMaskDelta}; }

}  // namespace varve
