// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/hash.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/hash/crc32c.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

struct Vector {
  std::string input;
  uint32_t hash_397;
  uint32_t hash_bc9f1d34;
};

// sst-format 14.2: computed by RocksDB itself.
const std::vector<Vector> kVectors = {
    {"", 0x0000018d, 0xbc9f1d34},
    {"a", 0x5c8473b1, 0x286e9db0},
    {"abc", 0x1d9aa392, 0x855d012f},
    {"key000001", 0x29753add, 0x12360a7d},
    {"hello world", 0x63740019, 0x008dfddb},
    {"\xff\xfe\xfd", 0xfc8b11b5, 0x644d6f00},
    {"\x80", 0xc5cd2b7f, 0x91b755f4},
    {VectorInput(3), 0x0d10cfa3, 0x74d32dbd},
    {VectorInput(4), 0x3f7d288b, 0xecd6d7dd},
    {VectorInput(8), 0x9103f9b7, 0xcc4dd15a},
    {VectorInput(9), 0x33ed7a13, 0x0f2f1e9b},
    {VectorInput(16), 0x897424e6, 0x52a6c7f1},
    {VectorInput(17), 0x74200152, 0x011d1c6b},
    {VectorInput(33), 0x0763e908, 0xaea09519},
    {VectorInput(65), 0xc786e012, 0x1d45b135},
    {VectorInput(97), 0xbe30e7c4, 0x607bd105},
    {VectorInput(128), 0x9b176f66, 0x379362a7},
    {VectorInput(129), 0x09d0359d, 0x7820d46b},
    {VectorInput(144), 0x7361ffb1, 0xfdfe8289},
    {VectorInput(240), 0x3e025336, 0x67e865d4},
    {VectorInput(241), 0xe2d2129c, 0xf3892cc3},
    {VectorInput(512), 0x3b27f5c2, 0xba37dea8},
    {VectorInput(1024), 0x5f90c49a, 0x6d571c35},
    {VectorInput(1025), 0xa1def55e, 0x2962381e},
    {VectorInput(10000), 0x5a6cf8a1, 0x54be0349},
};

TEST_CASE("Hash32: agrees with RocksDB in every length class") {
  for (const Vector& vector : kVectors) {
    CAPTURE(vector.input.size());
    CHECK_EQ(Hash32(vector.input, 397), vector.hash_397);
    CHECK_EQ(Hash32(vector.input, 0xbc9f1d34), vector.hash_bc9f1d34);
  }
}

TEST_CASE("Hash32: LevelDB's differs only in tail bytes of 80 and more") {
  CHECK_EQ(Hash32LevelDb("key000001", 397), Hash32("key000001", 397));
  CHECK_EQ(Hash32LevelDb("\xff\xff\xff\xff", 397), Hash32("\xff\xff\xff\xff", 397));
  CHECK_NE(Hash32LevelDb("\x80", 397), Hash32("\x80", 397));
}

struct BlockVector {
  size_t size;
  char type;
  uint32_t crc32c, xxh32, xxh64, xxh3;
};

TEST_CASE("Block checksums: agree with RocksDB for every kind") {
  const std::vector<BlockVector> vectors = {
      {0, 0, 0x49258fd2, 0xcf65b03e, 0xdb052768, 0x38d394c2},
      {0, 1, 0x43282b05, 0x3892f731, 0x1b21e730, 0x5343171b},
      {16, 1, 0x123ecf50, 0x10fa5619, 0x21c448ca, 0x8421b5b4},
      {129, 4, 0xb95706bb, 0xbcba0514, 0x394dc41a, 0xe6c07e41},
      {300, 7, 0x4a46ac7d, 0x2202269c, 0xb42b667b, 0x88f3b507},
      {4096, 1, 0x356889d1, 0xbec937f1, 0xe525390e, 0x82a9973c},
  };
  for (const BlockVector& vector : vectors) {
    const std::string data = VectorInput(vector.size);
    const std::string block = data + vector.type;
    CAPTURE(vector.size);
    CHECK_EQ(Mask(ComputeCrc32c(block)).value, vector.crc32c);
    CHECK_EQ(Xxh32(block), vector.xxh32);
    CHECK_EQ(static_cast<uint32_t>(Xxh64(block)), vector.xxh64);
    const uint32_t type_hash = static_cast<uint32_t>(vector.type) * 0x6b9083d9u;
    CHECK_EQ(static_cast<uint32_t>(Xxh3_64(data)) ^ type_hash, vector.xxh3);
  }
}

TEST_CASE("Xxh3_128: its low half is not Xxh3_64 and its seed matters") {
  const Hash128 hash = Xxh3_128("abc", 0);
  CHECK_EQ(hash.high, 0x06b05ab6733a6185);
  CHECK_EQ(hash.low, 0x78af5f94892f3950);
  CHECK_NE(Xxh3_128("abc", 1).low, hash.low);
}

}  // namespace
}  // namespace varve
