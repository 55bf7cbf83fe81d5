// SPDX-License-Identifier: Apache-2.0
#include "core/version/file_metadata.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "core/base/keys/key_order.h"
#include "tests/unit/version/version_fixture.h"

namespace varve {
namespace {

FileDescription WithLargest(std::string_view smallest, const InternalKey& largest) {
  FileDescription file = MakeFile(7, smallest, largest.user_key, 1, 9);
  file.largest = EncodeInternalKey(largest);
  return file;
}

TEST_CASE("FileMetadata: decodes the bounds of its own description") {
  auto description = std::make_unique<FileDescription>(MakeFile(7, "a", "m", 3, 9));
  const FileMetadata file(*description);
  description = nullptr;
  CHECK_EQ(file.number(), 7u);
  CHECK_EQ(file.size(), 1000u);
  CHECK_EQ(file.smallest.user_key, "a");
  CHECK_EQ(file.smallest.sequence, 9u);
  CHECK_EQ(file.largest.user_key, "m");
  CHECK_EQ(file.largest.sequence, 3u);
  CHECK_EQ(file.smallest.user_key.data(), file.description.smallest.data());
  CHECK_EQ(file.largest.user_key.data(), file.description.largest.data());
  CHECK_EQ(file.pinned_reader.load(), nullptr);
  CHECK_EQ(file.counts().entries, 0u);
}

TEST_CASE("FileMetadata: has the counts of its description, or those that it is given") {
  const TableCounts counts = {
      .entries = 5, .deletions = 4, .raw_key_bytes = 3, .raw_value_bytes = 2};
  FileDescription description = MakeFile(7, "a", "m");
  const FileMetadata unknown(description);
  CHECK(unknown.counts() == TableCounts());
  unknown.SetCounts(counts);
  CHECK(unknown.counts() == counts);
  description.counts = counts;
  CHECK(FileMetadata(description).counts() == counts);
}

TEST_CASE("FileMetadata: bounds of empty user keys are bounds") {
  const FileMetadata file(MakeFile(7, "", "", 1, 1));
  CHECK_EQ(file.smallest.user_key, "");
  CHECK(file.Spans(BytewiseOrder{}, ""));
  CHECK_FALSE(file.Spans(BytewiseOrder{}, std::string_view("\0", 1)));
}

TEST_CASE("FileMetadata: spans its bounds and what is between, in the family's order") {
  const FileMetadata file(MakeFile(7, "b", "m"));
  for (const char* key : {"b", "b\x01", "lzz", "m"}) CHECK(file.Spans(BytewiseOrder{}, key));
  for (const char* key : {"", "a\xff", "m\x01", "z"}) CHECK_FALSE(file.Spans(BytewiseOrder{}, key));
  const FileMetadata reverse(MakeFile(7, "m", "b"));
  for (const char* key : {"b", "b\x01", "m"}) CHECK(reverse.Spans(ReverseBytewiseOrder{}, key));
  for (const char* key : {"", "a\xff", "z"})
    CHECK_FALSE(reverse.Spans(ReverseBytewiseOrder{}, key));
}

// The largest key is then where a range deletion ends, which is not in the file.
TEST_CASE("FileMetadata: one that a range deletion ends does not have its largest user key") {
  const FileMetadata ended(WithLargest("b", {"m", kMaxSequence, ValueType::kRangeDeletion}));
  CHECK(ended.ends_before_largest());
  CHECK(ended.Spans(BytewiseOrder{}, "lzz"));
  CHECK_FALSE(ended.Spans(BytewiseOrder{}, "m"));
  for (const InternalKey& largest : {InternalKey{"m", kMaxSequence - 1, ValueType::kRangeDeletion},
                                     InternalKey{"m", kMaxSequence, ValueType::kValue},
                                     InternalKey{"m", 0, ValueType::kRangeDeletion}}) {
    const FileMetadata file(WithLargest("b", largest));
    CHECK_FALSE(file.ends_before_largest());
    CHECK(file.Spans(BytewiseOrder{}, "m"));
  }
}

TEST_CASE("FileMetadata: whoever kept the flag learns that the file is gone") {
  auto file = std::make_shared<FileMetadata>(MakeFile(7, "a", "b"));
  const auto gone = file->gone;
  FilePtr other = file;
  file = nullptr;
  CHECK_FALSE(gone->load());
  other = nullptr;
  CHECK(gone->load());
}

}  // namespace
}  // namespace varve
