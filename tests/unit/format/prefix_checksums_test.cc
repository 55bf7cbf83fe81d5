// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/prefix_checksums.h"

#include <doctest/doctest.h>

#include <string>

#include "core/format/table/block_trailer.h"

namespace varve {
namespace {

TEST_CASE("PrefixChecksums: every prefix has the checksum that a block of it has") {
  std::string bytes;
  uint64_t random = 7;
  for (int i = 0; i < 3000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    bytes.push_back(static_cast<char>(random >> 33));
  }
  for (const ChecksumType type : {ChecksumType::kNone, ChecksumType::kCrc32c, ChecksumType::kXxh32,
                                  ChecksumType::kXxh64, ChecksumType::kXxh3}) {
    CAPTURE(ChecksumName(type));
    PrefixChecksums checksums(type);
    for (const size_t step : {1, 2, 37, 241, 1024}) {
      checksums.Begin(bytes);
      for (size_t payload = step; payload < bytes.size(); payload += step) {
        const std::string_view whole = std::string_view(bytes).substr(0, payload + 1);
        REQUIRE(checksums.Of(payload) == ComputeStringChecksum(type, whole, 0, 0));
      }
    }
  }
}

}  // namespace
}  // namespace varve
