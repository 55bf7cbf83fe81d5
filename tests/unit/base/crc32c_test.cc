// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/crc32c.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/test_bytes.h"

namespace varve {
namespace {

// One bit at a time, straight from the definition.
uint32_t SlowCrc32c(std::string_view bytes) {
  uint32_t crc = ~uint32_t{0};
  for (const char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

TEST_CASE("ComputeCrc32c: the standard check value, masked and not") {
  const Crc32c crc = ComputeCrc32c("123456789");
  CHECK_EQ(crc.value, 0xe3069283);
  CHECK_EQ(Mask(crc).value, 0xc78ab0e5);
  CHECK_EQ(ComputeCrc32c("").value, 0u);
}

TEST_CASE("ComputeCrc32c: agrees with the definition at every size and alignment") {
  const std::string bytes = Noise(40000);
  for (size_t size = 0; size < 1700; ++size) {
    const std::string_view part = std::string_view(bytes).substr(size % 9, size);
    CHECK_EQ(ComputeCrc32c(part).value, SlowCrc32c(part));
  }
  for (const size_t size : {12287, 12288, 12289, 24576, 39999}) {
    const std::string_view part = std::string_view(bytes).substr(1, static_cast<size_t>(size));
    CHECK_EQ(ComputeCrc32c(part).value, SlowCrc32c(part));
  }
}

TEST_CASE("ExtendCrc32c: the CRC of two parts is that of the whole") {
  const std::string bytes = Noise(3000);
  const Crc32c whole = ComputeCrc32c(bytes);
  for (size_t cut = 0; cut <= bytes.size(); cut += 37) {
    const std::string_view view = bytes;
    CHECK(ExtendCrc32c(ComputeCrc32c(view.substr(0, cut)), view.substr(cut)) == whole);
  }
}

}  // namespace
}  // namespace varve
