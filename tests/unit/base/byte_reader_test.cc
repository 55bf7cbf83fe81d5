// SPDX-License-Identifier: Apache-2.0
#include "core/base/bytes/byte_reader.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/bytes/byte_writer.h"

namespace varve {
namespace {

using namespace std::string_literals;

TEST_CASE("ByteReader: reads back what was appended") {
  std::string bytes;
  AppendFixed32(&bytes, 0x01020304);
  AppendFixed64(&bytes, 0x1122334455667788);
  AppendVarint32(&bytes, 300);
  AppendLengthPrefixed(&bytes, "key");
  bytes.push_back('\x7e');

  ByteReader in(bytes);
  uint32_t fixed32 = 0;
  uint32_t varint = 0;
  uint64_t fixed64 = 0;
  uint8_t byte = 0;
  std::string_view key;
  CHECK((in.ReadFixed32(&fixed32) && in.ReadFixed64(&fixed64) && in.ReadVarint32(&varint) &&
         in.ReadLengthPrefixed(&key) && in.ReadByte(&byte)));
  CHECK_EQ(fixed32, 0x01020304u);
  CHECK_EQ(fixed64, 0x1122334455667788u);
  CHECK_EQ(varint, 300u);
  CHECK_EQ(key, "key");
  CHECK_EQ(byte, 0x7e);
  CHECK(in.empty());
  CHECK_EQ(in.offset(), bytes.size());
}

TEST_CASE("ByteReader: varints of every width come back and have the size foretold") {
  for (int bits = 0; bits < 64; ++bits) {
    for (const uint64_t value : {uint64_t{1} << bits, (uint64_t{1} << bits) - 1}) {
      std::string bytes;
      AppendVarint64(&bytes, value);
      CHECK_EQ(bytes.size(), VarintSize(value));
      uint64_t back = 0;
      CHECK(ByteReader(bytes).ReadVarint64(&back));
      CHECK_EQ(back, value);
      CHECK_FALSE(ByteReader(bytes.substr(0, bytes.size() - 1)).ReadVarint64(&back));
    }
  }
}

TEST_CASE("ByteReader: a varint that does not fit its type is refused") {
  uint64_t wide = 0;
  uint32_t narrow = 0;
  CHECK(ByteReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s).ReadVarint64(&wide));
  CHECK_EQ(wide, std::numeric_limits<uint64_t>::max());
  CHECK_FALSE(ByteReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"s).ReadVarint64(&wide));
  CHECK_FALSE(ByteReader("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"s).ReadVarint64(&wide));
  CHECK(ByteReader("\xff\xff\xff\xff\x0f"s).ReadVarint32(&narrow));
  CHECK_EQ(narrow, std::numeric_limits<uint32_t>::max());
  CHECK_FALSE(ByteReader("\x80\x80\x80\x80\x10"s).ReadVarint32(&narrow));
  CHECK_FALSE(ByteReader("\x80\x80\x80\x80\x80\x00"s).ReadVarint32(&narrow));
}

TEST_CASE("ByteReader: no length makes it read past its input") {
  std::string bytes;
  AppendVarint64(&bytes, std::numeric_limits<uint64_t>::max());
  bytes += "abc";
  std::string_view out;
  CHECK_FALSE(ByteReader(bytes).ReadLengthPrefixed(&out));
  CHECK_FALSE(ByteReader("abc").ReadBytes(4, &out));
  // Longer than the rest, but not than the input.
  CHECK_FALSE(ByteReader("\x04"
                         "abc")
                  .ReadLengthPrefixed(&out));
}

TEST_CASE("ByteReader: once failed it stays failed and says where") {
  const std::string bytes = "\x05\x01\x02";
  ByteReader in(bytes);
  uint8_t byte = 0;
  uint32_t wide = 0;
  std::string_view none;
  CHECK(in.ReadByte(&byte));
  CHECK_FALSE(in.ReadFixed32(&wide));
  CHECK_FALSE(in.ReadByte(&byte));
  CHECK_FALSE(in.ReadBytes(0, &none));
  CHECK_FALSE(in.ok());
  CHECK_EQ(in.offset(), 1u);
}

TEST_CASE("ZigZag: small magnitudes are small") {
  CHECK_EQ(ZigZagEncode(0), 0u);
  CHECK_EQ(ZigZagEncode(-1), 1u);
  CHECK_EQ(ZigZagEncode(1), 2u);
  for (const int64_t value : {std::numeric_limits<int64_t>::min(), int64_t{-1}, int64_t{7},
                              std::numeric_limits<int64_t>::max()}) {
    CHECK_EQ(ZigZagDecode(ZigZagEncode(value)), value);
  }
}

}  // namespace
}  // namespace varve
