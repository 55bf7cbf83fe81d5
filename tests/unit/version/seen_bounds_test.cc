// SPDX-License-Identifier: Apache-2.0
#include "core/version/seen_bounds.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

TEST_CASE("SeenBounds: the description has the outermost keys and sequences, in any order") {
  SeenBounds bounds(*BytewiseComparator());
  CHECK(bounds.empty());
  const InternalKey middle{"m", 7, ValueType::kValue};
  const InternalKey newest_of_a{"a", 9, ValueType::kValue}, oldest_of_a{"a", 3, ValueType::kValue};
  const InternalKey end{"z", kMaxSequence, ValueType::kRangeDeletion};
  for (const InternalKey& key : {middle, oldest_of_a, end, newest_of_a}) bounds.Cover(key);
  for (const Sequence sequence : {Sequence{7}, Sequence{3}, Sequence{9}}) {
    bounds.CoverSequence(sequence);
  }
  CHECK_FALSE(bounds.empty());
  FileDescription file;
  bounds.Describe(&file);
  CHECK(file.smallest == EncodeInternalKey(newest_of_a));  // Newer versions come first.
  CHECK(file.largest == EncodeInternalKey(end));
  CHECK_EQ(file.smallest_sequence, 3);
  CHECK_EQ(file.largest_sequence, 9);
}

TEST_CASE("SeenBounds: the empty key is a bound") {
  SeenBounds bounds(*BytewiseComparator());
  bounds.Cover({"", 5, ValueType::kValue});
  CHECK_FALSE(bounds.empty());
  bounds.Cover({"a", 6, ValueType::kValue});
  CHECK(bounds.smallest() == EncodeInternalKey({"", 5, ValueType::kValue}));
  CHECK(bounds.largest() == EncodeInternalKey({"a", 6, ValueType::kValue}));
}

}  // namespace
}  // namespace varve
