// SPDX-License-Identifier: Apache-2.0
#include "core/engine/prepared_set.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

PreparedSet::Changes Changes() { return std::make_shared<const WriteBatch>(); }

TEST_CASE("PreparedSet: a name is taken from the beginning to the end") {
  PreparedSet set;
  REQUIRE(set.Begin("one", Changes()).ok());
  CHECK(set.Begin("one", Changes()).code() == Code::kInvalidArgument);
  CHECK(set.BeginEnd("one").status().code() == Code::kInvalidArgument);
  CHECK(set.List().empty());
  set.Logged("one", 4);
  CHECK(set.List().size() == 1);
  REQUIRE(set.BeginEnd("one").ok());
  CHECK(set.BeginEnd("one").status().code() == Code::kInvalidArgument);  // Of another thread.
  CHECK(set.Begin("one", Changes()).code() == Code::kInvalidArgument);
  CHECK(set.List().empty());
  set.CancelEnd("one");
  REQUIRE(set.BeginEnd("one").ok());
  CHECK_EQ(set.Remove("one"), 4);
  CHECK(set.Begin("one", Changes()).ok());
  CHECK_EQ(set.Remove("one"), 0);
}

TEST_CASE("PreparedSet: names have 1 to 512 bytes") {
  PreparedSet set;
  CHECK(set.Begin("", Changes()).code() == Code::kInvalidArgument);
  CHECK(set.Begin(std::string(513, 'n'), Changes()).code() == Code::kInvalidArgument);
  CHECK(set.Begin(std::string(512, 'n'), Changes()).ok());
}

TEST_CASE("PreparedSet: the oldest WAL is that of the oldest that has not ended") {
  PreparedSet set;
  CHECK_EQ(set.OldestWal(), 0);
  for (const char* const name : {"a", "b", "c"}) REQUIRE(set.Begin(name, Changes()).ok());
  CHECK_EQ(set.OldestWal(), 0);
  set.Logged("a", 6);
  set.Logged("b", 4);
  set.Logged("c", 9);
  CHECK_EQ(set.OldestWal(), 4);
  REQUIRE(set.BeginEnd("b").ok());
  CHECK_EQ(set.OldestWal(), 4);  // Its commit may not be logged.
  set.Remove("b");
  CHECK_EQ(set.OldestWal(), 6);
  set.AllMovedTo(12);
  CHECK_EQ(set.OldestWal(), 12);
}

}  // namespace
}  // namespace varve
