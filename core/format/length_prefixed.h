// SPDX-License-Identifier: Apache-2.0
// The length-prefixed byte strings of the database formats ("lp"): the length is a 32-bit varint,
// so a length of more than five bytes is corruption even if its value would fit.
//
//   | length, varint32 | bytes |
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/bytes/byte_reader.h"

namespace varve {

inline bool ReadLengthPrefixed32(ByteReader& in, std::string_view* out) {
  uint32_t size = 0;
  return in.ReadVarint32(&size) && in.ReadBytes(size, out);
}

}  // namespace varve
