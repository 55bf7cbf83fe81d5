// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/snapshots.h"

#include <doctest/doctest.h>

#include <optional>
#include <utility>

namespace varve {
namespace {

TEST_CASE("SnapshotList: lists each live number once and forgets a number with its last holder") {
  std::atomic<Sequence> visible = 5;
  const auto list = SnapshotList::Create(visible);
  CHECK(list->Live().empty());
  std::optional<Snapshot> first = list->Take();
  std::optional<Snapshot> twin = list->Take();
  visible = 9;
  const Snapshot later = list->Take();
  CHECK(list->Live() == std::vector<Sequence>{5, 9});
  CHECK(list->count() == 3);
  first.reset();
  CHECK(list->Live() == std::vector<Sequence>{5, 9});
  twin.reset();
  CHECK(list->Live() == std::vector<Sequence>{9});
  CHECK(later.sequence() == 9);
}

TEST_CASE("Snapshot: moving hands the number over and releases the one overwritten") {
  std::atomic<Sequence> visible = 5;
  const auto list = SnapshotList::Create(visible);
  Snapshot a = list->Take();
  visible = 6;
  Snapshot b = list->Take();
  b = std::move(a);
  CHECK(list->Live() == std::vector<Sequence>{5});
  const Snapshot c(std::move(b));
  CHECK(c.sequence() == 5);
  CHECK(list->count() == 1);
}

TEST_CASE("SnapshotList: the past can be joined, the future cannot") {
  std::atomic<Sequence> visible = 5;
  const auto list = SnapshotList::Create(visible);
  const Result<Snapshot> past = list->TakeAt(3);
  REQUIRE(past.ok());
  CHECK(list->Live() == std::vector<Sequence>{3});
  CHECK(list->TakeAt(6).status().code() == Code::kInvalidArgument);
  CHECK(list->count() == 1);
}

}  // namespace
}  // namespace varve
