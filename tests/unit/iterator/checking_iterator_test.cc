// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/checking_iterator.h"

#include <doctest/doctest.h>

#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/iterator/vector_iterator.h"

namespace varve {
namespace {

TEST_CASE("CheckingIterator: one that failed before it was positioned") {
  auto inner = std::make_unique<VectorIterator>(*BytewiseComparator(), std::vector<TestEntry>());
  inner->FailAlways();
  inner->SeekToFirst();
  const auto it = NewCheckingIterator(*BytewiseComparator(), std::move(inner));
  CHECK(it->status().code() == Code::kCorruption);
  it->SeekToLast();
  CHECK(!it->Valid());
  CHECK(it->status().code() == Code::kCorruption);
}

}  // namespace
}  // namespace varve
