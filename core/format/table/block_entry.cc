// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_entry.h"

namespace varve {

namespace {

// T with `Bits` bits: the last byte of a varint must not have more.
template <typename T, int Bits>
const char* ParseVarint(const char* p, const char* limit, T* out) {
  T value = 0;
  for (int shift = 0; shift < Bits && p < limit; shift += 7) {
    const auto byte = static_cast<uint8_t>(*p++);
    if (shift + 7 > Bits && (byte >> (Bits - shift)) != 0) return nullptr;
    value |= static_cast<T>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      *out = value;
      return p;
    }
  }
  return nullptr;
}

}  // namespace

const char* ParseVarint32Slow(const char* p, const char* limit, uint32_t* out) {
  return ParseVarint<uint32_t, 32>(p, limit, out);
}

const char* ParseVarint64Slow(const char* p, const char* limit, uint64_t* out) {
  return ParseVarint<uint64_t, 64>(p, limit, out);
}

}  // namespace varve
