// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_trailer.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/append_block_trailer.h"
#include "tests/test_bytes.h"
#include "tests/unit/format/table_file.h"

namespace varve {

TEST_CASE("BlockTrailer: checksums of every type agree with the vectors") {
  std::istringstream in(ReadFixture("db/vectors/block_checksums.txt"));
  std::string line;
  int rows = 0;
  while (std::getline(in, line)) {
    if (line.starts_with("#")) continue;
    std::istringstream fields(line);
    size_t n = 0;
    int type_byte = 0;
    fields >> n >> type_byte;
    const std::string payload = VectorInput(n);
    for (int type = 0; type <= 4; ++type) {
      std::string hex;
      fields >> hex;
      const auto want = static_cast<uint32_t>(std::stoul(hex, nullptr, 16));
      const auto checksum = static_cast<ChecksumType>(type);
      const auto byte = static_cast<uint8_t>(type_byte);
      CHECK(ComputeBlockChecksum(checksum, payload, byte, 0, 0) == want);
      CHECK(ComputeStringChecksum(checksum, payload + static_cast<char>(byte), 0, 0) == want);
    }
    ++rows;
  }
  CHECK(rows == 70);
}

TEST_CASE("BlockTrailer: the context modifier depends on base and both halves of the offset") {
  CHECK(ChecksumModifier(0x3f062031, 0x26c5) == 0x3f0606f4);
  CHECK(ChecksumModifier(0x12345679, 0x500000003) == 0x12345671);
  CHECK(ChecksumModifier(0, 12345) == 0);
}

TEST_CASE("BlockTrailer: splitting gives back what was appended, for every checksum type") {
  for (int type = 0; type <= 4; ++type) {
    const auto checksum = static_cast<ChecksumType>(type);
    for (const uint32_t base : {0u, 0x3f062031u}) {
      std::string block = "some payload";
      AppendBlockTrailer(&block, CompressionType::kZstd, checksum, base, 4096);
      const StoredBlock split = Must(SplitTrailer(block, checksum, base, 4096));
      CHECK(split.payload == "some payload");
      CHECK(split.compression == 7);
      CHECK(SplitTrailer(block, checksum, base, 4097).ok() == (base == 0));
    }
  }
}

TEST_CASE("BlockTrailer: a flipped bit anywhere is found and both checksums are named") {
  std::string block = "some payload";
  AppendBlockTrailer(&block, CompressionType::kNone, ChecksumType::kCrc32c, 0, 0);
  for (size_t bit = 0; bit < 8 * block.size(); ++bit) {
    std::string damaged = block;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const auto split = SplitTrailer(damaged, ChecksumType::kCrc32c, 0, 0);
    REQUIRE_FALSE(split.ok());
    CHECK(split.status().code() == Code::kCorruption);
    CHECK(split.status().message().find("its trailer says") != std::string_view::npos);
  }
}

TEST_CASE("BlockTrailer: fewer bytes than a trailer are corruption") {
  for (size_t size = 0; size < kBlockTrailerSize; ++size) {
    const ExactBytes bytes(std::string(size, '\0'));
    CHECK(SplitTrailer(bytes.view(), ChecksumType::kNone, 0, 0).status().code() ==
          Code::kCorruption);
    CHECK_FALSE(SplitTrailerUnverified(bytes.view()).ok());
  }
  CHECK(SplitTrailer(std::string(5, '\0'), ChecksumType::kNone, 0, 0).ok());
}

TEST_CASE("BlockTrailer: type 2 under LevelDB's magic is zstd exactly by its first bytes") {
  const StoredBlock zstd{"\x28\xB5\x2F\xFD rest", 2}, zlib{"\x4b rest", 2};
  CHECK(Must(CodecOf(zstd, true)) == CompressionType::kZstd);
  CHECK(Must(CodecOf(zlib, true)) == CompressionType::kZlib);
  CHECK(Must(CodecOf(zstd, false)) == CompressionType::kZlib);
}

TEST_CASE("BlockTrailer: unknown compression types are refused by number") {
  CHECK(Must(CodecOf({"", 0x40}, false)) == CompressionType::kZstd);
  for (const int type : {8, 0x3F, 0x41, 0x80, 0xFE, 0xFF}) {
    const auto codec = CodecOf({"", static_cast<uint8_t>(type)}, false);
    REQUIRE_FALSE(codec.ok());
    CHECK(codec.status().code() == Code::kNotSupported);
  }
}

}  // namespace varve
