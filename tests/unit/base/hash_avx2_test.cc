// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/hash_avx2.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "core/base/hash/hash_stream.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

#if defined(__x86_64__)

// Not Xxh3_64: that is Xxh3Avx2 itself for long inputs. A stream is compiled without AVX2.
uint64_t Plain(std::string_view bytes) {
  HashStream stream(HashStream::Kind::kXxh3);
  stream.Add(bytes);
  return stream.Digest();
}

TEST_CASE("Xxh3Avx2: the hash of XXH3, at every length and alignment") {
  if (!__builtin_cpu_supports("avx2")) return;
  const std::string bytes = Noise(5000);
  for (size_t size = 0; size < 1200; ++size) {
    const std::string_view part = std::string_view(bytes).substr(size % 67, size);
    REQUIRE_EQ(Xxh3Avx2(part.data(), part.size()), Plain(part));
  }
  CHECK_EQ(Xxh3Avx2(bytes.data(), bytes.size()), Plain(bytes));
}

TEST_CASE("Xxh3Avx2: reads the bytes that it was given and none behind them") {
  if (!__builtin_cpu_supports("avx2")) return;
  for (const size_t size : {0u, 1u, 16u, 240u, 241u, 255u, 256u, 1023u, 1025u}) {
    const auto exact = std::make_unique<char[]>(size);  // ASan sees an access outside.
    std::string copy(size, '\x5a');
    copy.copy(exact.get(), size);
    CHECK_EQ(Xxh3Avx2(exact.get(), size), Plain(copy));
  }
}

#endif

}  // namespace
}  // namespace varve
