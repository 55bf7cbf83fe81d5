// SPDX-License-Identifier: Apache-2.0
#include "core/base/bytes/byte_reader.h"

#include <limits>

#include "core/base/check.h"

namespace varve {

bool ByteReader::ReadLongVarint64(uint64_t* out) {
  uint64_t value = 0;
  size_t size = 0;
  for (int shift = 0; shift < 64 && size < rest_.size(); shift += 7) {
    const auto byte = static_cast<uint8_t>(rest_[size++]);
    if (shift == 63 && byte > 1) break;  // Would not fit in 64 bits.
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) {
      rest_.remove_prefix(size);
      *out = value;
      return true;
    }
  }
  return Fail();
}

bool ByteReader::ReadLongVarint32(uint32_t* out) {
  const ByteReader start = *this;
  uint64_t value = 0;
  if (!ReadLongVarint64(&value)) return false;
  DCHECK_OP(rest_.size(), <, start.rest_.size());
  const size_t size = start.rest_.size() - rest_.size();
  if (value > std::numeric_limits<uint32_t>::max() || size > kMaxVarint32Size) {
    *this = start;
    return Fail();
  }
  *out = static_cast<uint32_t>(value);
  return true;
}

}  // namespace varve
