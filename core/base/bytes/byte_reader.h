// SPDX-License-Identifier: Apache-2.0
// ByteReader is the only way to parse untrusted bytes.
//
// It never reads past its input and never trusts a length: if something does not fit, a Read*
// returns false and the reader stays failed. Check ok() once, after the last field.
// base/byte_writer.h describes the encodings. One thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/bytes/byte_writer.h"

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
  bool ReadFixed32(uint32_t* out) { return ReadFixed(out); }
  bool ReadFixed64(uint64_t* out) { return ReadFixed(out); }

  bool ReadVarint64(uint64_t* out) {
    uint8_t byte = 0;
    if (!ReadSmall(&byte)) return ReadLongVarint64(out);
    *out = byte;
    return true;
  }

  // Fails on values of more than 32 bits and on more bytes than a 32-bit varint can have.
  bool ReadVarint32(uint32_t* out) {
    uint8_t byte = 0;
    if (!ReadSmall(&byte)) return ReadLongVarint32(out);
    *out = byte;
    return true;
  }

  // Compares in 64 bits: `size` may be any value.
  bool ReadBytes(uint64_t size, std::string_view* out) {
    if (!ok_ || size > rest_.size()) return Fail();
    *out = {rest_.data(), static_cast<size_t>(size)};
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

  // A varint of one byte, as nearly every length and count is: in place, the others are calls.
  bool ReadSmall(uint8_t* out) {
    if (rest_.empty() || static_cast<uint8_t>(rest_.front()) >= 0x80) return false;
    *out = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return true;
  }
  bool ReadLongVarint64(uint64_t* out);
  bool ReadLongVarint32(uint32_t* out);

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
