// SPDX-License-Identifier: Apache-2.0
// ByteReader is the only way to parse untrusted bytes.
//
// It never reads past its input and never trusts a length: if something does not fit, a Read*
// returns false and the reader stays failed. Check ok() once, after the last field.
// base/byte_writer.h describes the encodings. One thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "core/base/byte_writer.h"

namespace varve {

class ByteReader {
 public:
  explicit ByteReader(std::string_view input) : rest_(input), input_size_(input.size()) {}

  bool ok() const { return ok_; }
  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  // Bytes read so far. After a failure: the offset where the field that did not fit ended, for
  // messages.
  uint64_t offset() const { return ok_ ? input_size_ - rest_.size() : failed_at_; }

  bool ReadByte(uint8_t* out) { return ReadFixed(out); }
  bool ReadFixed16(uint16_t* out) { return ReadFixed(out); }
  bool ReadFixed32(uint32_t* out) { return ReadFixed(out); }
  bool ReadFixed64(uint64_t* out) { return ReadFixed(out); }

  bool ReadVarint64(uint64_t* out) {
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

  // Fails on values of more than 32 bits and on more bytes than a 32-bit varint can have.
  bool ReadVarint32(uint32_t* out) {
    const size_t before = rest_.size();
    const ByteReader start = *this;
    uint64_t value = 0;
    if (!ReadVarint64(&value)) return false;
    if (value > std::numeric_limits<uint32_t>::max() || before - rest_.size() > kMaxVarint32Size) {
      *this = start;
      return Fail();
    }
    *out = static_cast<uint32_t>(value);
    return true;
  }

  // ZigZag, see AppendSignedVarint64.
  bool ReadSignedVarint64(int64_t* out) {
    uint64_t value = 0;
    if (!ReadVarint64(&value)) return false;
    *out = ZigZagDecode(value);
    return true;
  }

  // Compares in 64 bits: `size` may be any value.
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
  template <typename T>
  bool ReadFixed(T* out) {
    if (rest_.size() < sizeof(T)) return Fail();  // A failed reader has nothing left.
    std::memcpy(out, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return true;
  }

  bool Fail() {
    if (ok_) failed_at_ = input_size_ - rest_.size();
    ok_ = false;
    rest_ = {};
    return false;
  }

  std::string_view rest_;
  uint64_t input_size_;
  uint64_t failed_at_ = 0;
  bool ok_ = true;
};

}  // namespace varve
