// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/hash/hash.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

struct Vector {
  std::string input;
  uint64_t hash;
};

// sst-format 14.2: computed by RocksDB itself. Each length class of the algorithm, at both ends.
const std::vector<Vector> kVectors = {
    {"", 0x5342c3010fe1dd04},
    {"a", 0x88d868bf607681c7},
    {"abc", 0xd39eeb71bb5342e8},
    {"key000001", 0xa9af31ad42264e63},
    {"hello world", 0xe5f7b82156a07a14},
    {"\xff\xfe\xfd", 0x74a2ee6cdedd0f48},
    {"\x80", 0xe5835ef65b4ab985},
    {VectorInput(3), 0xd30289e3d1524ace},
    {VectorInput(4), 0xc8a21dab78ccb65d},
    {VectorInput(8), 0xff76497852f0e8c9},
    {VectorInput(9), 0xbd3fbd33541a4e2d},
    {VectorInput(16), 0x9d671faeef16b520},
    {VectorInput(17), 0x7fbfbeb36cb00e45},
    {VectorInput(33), 0x384ca14adf9a6370},
    {VectorInput(65), 0x9896d7bb4c42eed0},
    {VectorInput(97), 0x424bf07b5ef9613b},
    {VectorInput(128), 0xd05eda1d545b4ff3},
    {VectorInput(129), 0x39b5fb1ff9bc030c},
    {VectorInput(144), 0xb79a8d050930f586},
    {VectorInput(240), 0xb0f7c1a20cccd697},
    {VectorInput(241), 0xc2d30d6733945ae2},
    {VectorInput(512), 0x3dc3ae6d846346b5},
    {VectorInput(1024), 0xdcb355266eba9961},
    {VectorInput(1025), 0xaa7d04859114be87},
    {VectorInput(10000), 0xf5dfa099e074b331},
};

TEST_CASE("Xxph3_64: agrees with RocksDB in every length class") {
  for (const Vector& vector : kVectors) {
    CAPTURE(vector.input.size());
    CHECK_EQ(Xxph3_64(vector.input), vector.hash);
  }
}

TEST_CASE("Xxph3_64: is not the final XXH3 at any length") {
  for (size_t size = 0; size < 600; ++size) {
    CAPTURE(size);
    CHECK_NE(Xxph3_64(VectorInput(size)), Xxh3_64(VectorInput(size)));
  }
}

// A loop that leaves out a stripe, a lane or the tail leaves out the bytes in it.
TEST_CASE("Xxph3_64: every byte counts, and so does the length") {
  for (const size_t size :
       {1u,  2u,   3u,   4u,   7u,   8u,   9u,   16u,  17u,   31u,   32u,   33u,  96u,
        97u, 128u, 129u, 143u, 144u, 240u, 241u, 256u, 1024u, 1025u, 1088u, 2100u}) {
    CAPTURE(size);
    const std::string bytes = VectorInput(size);
    const uint64_t hash = Xxph3_64(bytes);
    for (size_t i = 0; i < size; ++i) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      REQUIRE_NE(Xxph3_64(changed), hash);
    }
    CHECK_NE(Xxph3_64(bytes + '\0'), hash);
    CHECK_NE(Xxph3_64(bytes.substr(1)), hash);
  }
}

TEST_CASE("Xxph3_64: reads the bytes that it was given, wherever they are, and none beside them") {
  for (const Vector& vector : kVectors) {
    const size_t size = vector.input.size();
    const auto exact = std::make_unique<char[]>(size);  // ASan sees an access outside.
    vector.input.copy(exact.get(), size);
    CHECK_EQ(Xxph3_64({exact.get(), size}), vector.hash);
    for (size_t shift = 1; shift < 9; ++shift) {
      const std::string moved = std::string(shift, 'x') + vector.input + "y";
      CHECK_EQ(Xxph3_64(std::string_view(moved).substr(shift, size)), vector.hash);
    }
  }
}

}  // namespace
}  // namespace varve
