// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/visibility.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

TEST_CASE("Visibility: snapshots end stripes") {
  const Visibility v({9, 5}, false);
  CHECK(v.SameStripe(0, 5));
  CHECK_FALSE(v.SameStripe(5, 6));
  CHECK(v.SameStripe(6, 9));
  CHECK(v.SameStripe(10, 1000));
  CHECK_EQ(v.EarliestSeeing(6), 9);
  CHECK_EQ(v.EarliestSeeing(10), kMaxSequence);
}

TEST_CASE("Visibility: nothing is dropped or zeroed above the bottom") {
  const Visibility above({}, false), bottom({}, true), watched({4}, true);
  CHECK_FALSE(above.MayDropDeletion(false));
  CHECK_FALSE(above.MayDropTombstone(1));
  CHECK_FALSE(above.MayZeroSequence(1, ValueType::kValue));
  CHECK(bottom.MayDropDeletion(false));
  CHECK_FALSE(bottom.MayDropDeletion(true));
  CHECK(bottom.MayDropTombstone(1));
  CHECK(watched.MayDropTombstone(4));
  CHECK_FALSE(watched.MayDropTombstone(5));
  CHECK(watched.MayZeroSequence(4, ValueType::kValue));
  CHECK_FALSE(watched.MayZeroSequence(5, ValueType::kValue));
}

TEST_CASE("Visibility: operands and deletions keep their sequences") {
  const Visibility bottom({}, true);
  for (ValueType type : {ValueType::kMerge, ValueType::kDeletion, ValueType::kSingleDeletion,
                         ValueType::kValuePreferredSeqno}) {
    CHECK_FALSE(bottom.MayZeroSequence(1, type));
  }
}

}  // namespace
}  // namespace varve
