// SPDX-License-Identifier: Apache-2.0
// ByteReader is the only way to take bytes that came from outside apart.
//
// It never reads past its input and never trusts a length: every Read* returns false and leaves
// the reader failed once something does not fit. Check ok() once, after the last field.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace varve {

class ByteReader {
 public:
  explicit ByteReader(std::string_view input) : rest_(input) {}

  bool ok() const { return ok_; }
  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool ReadFixed32(uint32_t* out) {
    std::string_view bytes;
    if (!ReadBytes(sizeof(*out), &bytes)) return false;
    std::memcpy(out, bytes.data(), sizeof(*out));  // Little-endian; see base/port.h.
    return true;
  }

  bool ReadVarint64(uint64_t* out) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;  // Would not fit in 64 bits.
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) {
        *out = value;
        return true;
      }
    }
    return Fail();
  }

  // Compares in 64 bits: `size` may be any value an attacker can encode.
  bool ReadBytes(uint64_t size, std::string_view* out) {
    if (!ok_ || size > rest_.size()) return Fail();
    *out = rest_.substr(0, static_cast<size_t>(size));
    rest_.remove_prefix(static_cast<size_t>(size));
    return true;
  }

  bool ReadLengthPrefixed(std::string_view* out) {
    uint64_t size = 0;
    return ReadVarint64(&size) && ReadBytes(size, out);
  }

 private:
  bool Fail() {
    ok_ = false;
    rest_ = {};
    return false;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace varve
