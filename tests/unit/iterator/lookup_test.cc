// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/lookup.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using State = Lookup::State;

TEST_CASE("Lookup: the first put is the answer and is pinned") {
  Lookup lookup("k", 100);
  auto bytes = std::make_shared<const std::string>("value");
  CHECK(lookup.Feed(7, ValueType::kValue, *bytes, bytes));
  CHECK_EQ(bytes.use_count(), 2);
  CHECK(lookup.state == State::kFound);
  CHECK_EQ(lookup.value.view(), "value");
}

TEST_CASE("Lookup: every kind of deletion means absent, and pins nothing") {
  for (ValueType type :
       {ValueType::kDeletion, ValueType::kSingleDeletion, ValueType::kDeletionWithTimestamp}) {
    Lookup lookup("k", 100);
    auto bytes = std::make_shared<const std::string>("");
    CHECK(lookup.Feed(7, type, *bytes, bytes));
    CHECK_EQ(bytes.use_count(), 1);
    CHECK(lookup.state == State::kDeleted);
  }
}

TEST_CASE("Lookup: operands are kept newest first until a put ends them") {
  Lookup lookup("k", 100);
  CHECK_FALSE(lookup.Feed(9, ValueType::kMerge, "c", nullptr));
  CHECK_FALSE(lookup.Feed(8, ValueType::kMerge, "b", nullptr));
  CHECK(lookup.state == State::kMerging);
  CHECK(lookup.Feed(7, ValueType::kValue, "a", nullptr));
  CHECK(lookup.state == State::kMergedOnto);
  REQUIRE_EQ(lookup.operands.size(), 2);
  CHECK_EQ(lookup.operands[0].view(), "c");
  CHECK_EQ(lookup.operands[1].view(), "b");
  CHECK_EQ(lookup.value.view(), "a");
}

TEST_CASE("Lookup: operands upon a deletion are merged onto nothing") {
  Lookup lookup("k", 100);
  CHECK_FALSE(lookup.Feed(9, ValueType::kMerge, "c", nullptr));
  CHECK(lookup.Feed(8, ValueType::kDeletion, "", nullptr));
  CHECK(lookup.state == State::kMergedOntoNothing);
}

TEST_CASE("Lookup: a tombstone hides what is older than itself only") {
  Lookup lookup("k", 100);
  lookup.CoverBy(8);
  lookup.CoverBy(3);
  CHECK_FALSE(lookup.Feed(9, ValueType::kMerge, "c", nullptr));
  CHECK(lookup.Feed(7, ValueType::kValue, "a", nullptr));
  CHECK(lookup.state == State::kMergedOntoNothing);

  Lookup same("k", 100);  // A table ingested as a whole has one sequence for all.
  same.CoverBy(8);
  CHECK(same.Feed(8, ValueType::kValue, "a", nullptr));
  CHECK(same.state == State::kFound);
}

TEST_CASE("Lookup: blob indexes and entities are found as such") {
  for (ValueType type : {ValueType::kBlobIndex, ValueType::kWideColumnEntity}) {
    Lookup lookup("k", 100);
    CHECK(lookup.Feed(7, type, "bytes", nullptr));
    CHECK(lookup.state == State::kFound);
    CHECK(lookup.type == type);
  }
}

TEST_CASE("Lookup: the time behind a timed put is not part of its value") {
  Lookup lookup("k", 100);
  CHECK(lookup.Feed(7, ValueType::kValuePreferredSeqno, "value12345678", nullptr));
  CHECK_EQ(lookup.value.view(), "value");
  CHECK(lookup.type == ValueType::kValue);

  Lookup cut("k", 100);
  CHECK(cut.Feed(7, ValueType::kValuePreferredSeqno, "1234567", nullptr));
  CHECK_EQ(cut.status.code(), Code::kCorruption);
}

TEST_CASE("Lookup: an entry of no known type is corruption") {
  for (uint8_t type : {0x0f, 0x7f, 0x63}) {
    Lookup lookup("k", 100);
    CHECK(lookup.Feed(7, static_cast<ValueType>(type), "", nullptr));
    CHECK(lookup.state == State::kFailed);
    CHECK_EQ(lookup.status.code(), Code::kCorruption);
  }
}

}  // namespace
}  // namespace varve
