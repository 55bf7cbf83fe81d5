// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_splitter.h"

#include <doctest/doctest.h>

#include "core/format/internal_key.h"

namespace varve {
namespace {

FilePtr Table(std::string_view smallest, std::string_view largest, uint64_t size) {
  FileDescription d;
  d.size = size;
  d.smallest = EncodeInternalKey({smallest, 1, ValueType::kValue});
  d.largest = EncodeInternalKey({largest, 1, ValueType::kValue});
  return std::make_shared<FileMetadata>(std::move(d));
}

// Adds the entries, each of `entry_size` bytes; shows the tables they end up in.
std::string Split(OutputSplitter splitter, const std::vector<std::string>& keys,
                  uint64_t entry_size) {
  std::string out, last;
  uint64_t size = 0;
  for (const std::string& key : keys) {
    if (key != last && splitter.ShouldSplitBefore(key, size)) {
      out += "| ";
      size = 0;
    }
    out += key + " ";
    size += entry_size;
    last = key;
  }
  return out;
}

TEST_CASE("OutputSplitter: tables end at their target size") {
  CHECK_EQ(
      Split({*BytewiseComparator(), {.target_file_size = 20}, {}}, {"a", "b", "c", "d", "e"}, 10),
      "a b | c d | e ");
}

TEST_CASE("OutputSplitter: the versions of a key stay together, however many they are") {
  CHECK_EQ(Split({*BytewiseComparator(), {.target_file_size = 20}, {}},
                 {"a", "b", "b", "b", "b", "c", "d"}, 10),
           "a b b b b | c d ");
}

TEST_CASE("OutputSplitter: a table that overlaps too many grandparents ends") {
  const OutputSplitter splitter(*BytewiseComparator(),
                                {.target_file_size = 1000, .max_grandparent_bytes = 150},
                                {Table("a", "b", 100), Table("c", "d", 100), Table("e", "f", 100)});
  CHECK_EQ(Split(splitter, {"a", "c", "e", "f", "g"}, 10), "a c | e f g ");
}

TEST_CASE("OutputSplitter: a nearly full table ends where a grandparent does") {
  const OutputSplitter splitter(*BytewiseComparator(), {.target_file_size = 100},
                                {Table("a", "c", 1), Table("d", "f", 1)});
  CHECK_EQ(Split(splitter, {"a", "b", "c", "d", "e"}, 30), "a b c | d e ");
  CHECK_EQ(Split(splitter, {"a", "b", "c", "d", "e"}, 10), "a b c d e ");
}

}  // namespace
}  // namespace varve
