// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/content_digest.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/hash.h"
#include "core/base/text/text.h"

namespace varve {
namespace {

struct Record {
  std::string family, key, value;
};

std::string DigestOf(const std::vector<Record>& records) {
  ContentDigest digest;
  for (const Record& record : records) digest.Add(record.family, record.key, record.value);
  CHECK_EQ(digest.count(), records.size());
  CHECK_EQ(digest.hex().size(), 16u);
  return digest.hex();
}

TEST_CASE("ContentDigest: nothing is sixteen zeros") { CHECK_EQ(DigestOf({}), "0000000000000000"); }

TEST_CASE("ContentDigest: the same records give the same digest") {
  const std::vector<Record> records = {{"f", "a", "1"}, {"f", "b", std::string(100'000, 'x')}};
  CHECK_EQ(DigestOf(records), DigestOf(records));
}

// Two of these with one digest would be two databases that `diff` calls equal.
TEST_CASE("ContentDigest: order, number, family and where a field ends all count") {
  const std::vector<std::vector<Record>> different = {
      {},
      {{"", "", ""}},
      {{"", "", ""}, {"", "", ""}},
      {{"f", "ab", "c"}},
      {{"f", "a", "bc"}},
      {{"fa", "b", "c"}},
      {{"", "fab", "c"}},
      {{"f", "abc", ""}},
      {{"g", "ab", "c"}},
      {{"f", "ab", "d"}},
      {{"f", "a", "1"}, {"f", "b", "2"}},
      {{"f", "b", "2"}, {"f", "a", "1"}},
      {{"f", "a", "1"}},
      {{"f", std::string("a\0", 2), "1"}},
  };
  std::set<std::string> digests;
  for (const auto& records : different) CHECK(digests.insert(DigestOf(records)).second);
}

TEST_CASE("ContentDigest: each step is an XXH3 of the last one and the fields with their lengths") {
  uint64_t state = 0;
  ContentDigest digest;
  for (const char* key : {"a", "b", ""}) {
    std::string bytes;
    AppendFixed64(&bytes, state);
    for (const std::string_view field :
         {std::string_view("default"), std::string_view(key), std::string_view("value")}) {
      bytes += static_cast<char>(field.size());
      bytes += field;
    }
    state = Xxh3_64(bytes);
    digest.Add("default", key, "value");
    CHECK_EQ(digest.hex(), Hex(state, 16));
  }
}

}  // namespace
}  // namespace varve
