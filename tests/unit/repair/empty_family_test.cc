// SPDX-License-Identifier: Apache-2.0
#include "core/repair/empty_family.h"

#include <doctest/doctest.h>

#include "varve/comparator.h"

namespace varve {
namespace {

TEST_CASE("EmptyFamily: a family of the usual depth, in the order of its tables, without any") {
  const FamilyState family = EmptyFamily(7, "seven", *ReverseBytewiseComparator());
  CHECK_EQ(family.id, 7);
  CHECK_EQ(family.name, "seven");
  CHECK(family.comparator == ReverseBytewiseComparator());
  CHECK_EQ(family.comparator_name, ReverseBytewiseComparator()->name());
  CHECK_EQ(family.log_number, 0);  // It may need any log.
  REQUIRE(family.version != nullptr);
  CHECK_EQ(family.version->num_levels(), kUsualLevels);
  CHECK_EQ(family.version->TotalFiles(), 0);
  CHECK(family.version->blob_files().empty());
}

}  // namespace
}  // namespace varve
