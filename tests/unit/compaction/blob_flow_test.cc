// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/blob_flow.h"

#include <doctest/doctest.h>

#include "core/format/value/blob_record.h"
#include "tests/unit/iterator/vector_iterator.h"

namespace varve {
namespace {

using enum ValueType;

std::string At(FileNumber file, uint64_t size) {
  std::string index;
  AppendBlobIndex({.file = file, .offset = 1000, .size = size}, &index);
  return index;
}

std::string Show(const std::vector<BlobFileGarbage>& garbage) {
  std::string text;
  for (const BlobFileGarbage& one : garbage) {
    text += std::to_string(one.number) + ":" + std::to_string(one.blobs) + "/" +
            std::to_string(one.bytes) + " ";
  }
  return text;
}

TEST_CASE("BlobFlow: what was read and is not kept is garbage, by file") {
  BlobFlow read, kept;
  CHECK(read.empty());
  for (const char* key : {"a", "b", "c"}) REQUIRE(read.Add(key, At(5, 10)).ok());
  REQUIRE(read.Add("d", At(6, 20)).ok());
  REQUIRE(read.Add("e", At(7, 30)).ok());
  REQUIRE(kept.Add("b", At(5, 10)).ok());
  REQUIRE(kept.Add("d", At(6, 20)).ok());
  CHECK_EQ(Show(read.Without(kept)), "5:2/86 7:1/63 ");
  BlobFlow more;
  REQUIRE(more.Add("f", At(5, 1)).ok());
  read.Add(more);
  CHECK_EQ(Show(read.Without(kept)), "5:3/120 7:1/63 ");
  CHECK(read.Add("a", "?").code() == Code::kCorruption);
  // Sums of such would overflow.
  CHECK(read.Add("a", At(5, ~uint64_t{0} - 100)).code() == Code::kCorruption);
}

TEST_CASE("BlobCountingIterator: counts each blob in front of the end, and changes nothing") {
  std::vector<TestEntry> entries = {{"a", 9, kBlobIndex, At(5, 10)},
                                    {"a", 3, kBlobIndex, At(6, 10)},
                                    {"b", 4, kValue, "x"},
                                    {"c", 2, kBlobIndex, At(5, 10)}};
  BlobFlow flow;
  const auto it =
      NewBlobCountingIterator(std::make_unique<VectorIterator>(*BytewiseComparator(), entries),
                              *BytewiseComparator(), "c", &flow);
  size_t shown = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    CHECK_EQ(it->value(), entries.at(shown++).value);
  }
  CHECK(it->status().ok());
  CHECK_EQ(shown, entries.size());
  CHECK_EQ(Show(flow.Without({})), "5:1/43 6:1/43 ");
}

TEST_CASE("BlobCountingIterator: an index that is none fails") {
  BlobFlow flow;
  const auto it = NewBlobCountingIterator(
      std::make_unique<VectorIterator>(*BytewiseComparator(),
                                       std::vector<TestEntry>{{"a", 9, kBlobIndex, "?"}}),
      *BytewiseComparator(), std::nullopt, &flow);
  it->SeekToFirst();
  CHECK(!it->Valid());
  CHECK(it->status().code() == Code::kCorruption);
}

}  // namespace
}  // namespace varve
