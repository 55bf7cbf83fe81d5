// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/sha256.h"

#include <doctest/doctest.h>

#include <string>

namespace varve {
namespace {

std::string DigestInPieces(const std::string& bytes, size_t piece) {
  Sha256 digest;
  for (size_t at = 0; at < bytes.size(); at += piece) digest.Add(bytes.substr(at, piece));
  return digest.HexDigest();
}

TEST_CASE("Sha256: the published digests, of pieces of any size") {
  // FIPS 180-2, appendix B.
  const std::pair<std::string, std::string> kPublished[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& [bytes, digest] : kPublished) {
    for (const size_t piece : {1, 3, 63, 64, 65, 1000, 1 << 20}) {
      CAPTURE(piece);
      CHECK(DigestInPieces(bytes, piece) == digest);
    }
    CHECK(Sha256Of(bytes) == digest);
    CHECK(IsSha256(digest));
    CHECK_FALSE(IsSha256(digest + "0"));
    CHECK_FALSE(IsSha256(digest.substr(1)));
    CHECK_FALSE(IsSha256("E" + digest.substr(1)));
    CHECK_FALSE(IsSha256("g" + digest.substr(1)));
  }
}

}  // namespace
}  // namespace varve
