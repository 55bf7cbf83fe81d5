// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/hash_stream.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "core/base/hash/hash.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

using Kind = HashStream::Kind;
constexpr Kind kKinds[] = {Kind::kXxh32, Kind::kXxh64, Kind::kXxh3};

uint64_t Whole(Kind kind, std::string_view bytes) {
  if (kind == Kind::kXxh32) return Xxh32(bytes);
  return kind == Kind::kXxh64 ? Xxh64(bytes) : Xxh3_64(bytes);
}

TEST_CASE("HashStream: pieces of every size give the hash of the whole, and of each beginning") {
  const std::string bytes = Noise(5000);
  for (const Kind kind : kKinds) {
    for (const size_t piece : {1u, 3u, 32u, 63u, 64u, 241u, 1024u, 5000u}) {
      HashStream stream(kind);
      CHECK_EQ(stream.Digest(), Whole(kind, ""));
      for (size_t done = 0; done < bytes.size(); done += piece) {
        stream.Add(std::string_view(bytes).substr(done, piece));
        stream.Add("");
        REQUIRE_EQ(stream.Digest(), Whole(kind, std::string_view(bytes).substr(0, done + piece)));
      }
    }
  }
}

TEST_CASE("HashStream: Reset forgets what was added") {
  for (const Kind kind : kKinds) {
    HashStream stream(kind);
    stream.Add(Noise(700));
    stream.Reset();
    CHECK_EQ(stream.Digest(), Whole(kind, ""));
    stream.Add("abc");
    CHECK_EQ(stream.Digest(), Whole(kind, "abc"));
  }
}

TEST_CASE("HashStream: a stream that moved goes on where it was") {
  HashStream first(Kind::kXxh3), second(Kind::kXxh32);
  first.Add("ab");
  second.Add("xy");
  second = std::move(first);
  second.Add("c");
  CHECK_EQ(second.Digest(), Xxh3_64("abc"));  // Kind and bytes.
  const HashStream third(std::move(second));
  CHECK_EQ(third.Digest(), Xxh3_64("abc"));
}

TEST_CASE("HashStream: the 32-bit hash has 32 bits") {
  HashStream stream(Kind::kXxh32);
  for (int i = 0; i < 100; ++i) {
    stream.Add("more");
    CHECK_EQ(stream.Digest() >> 32, 0u);
  }
}

}  // namespace
}  // namespace varve
