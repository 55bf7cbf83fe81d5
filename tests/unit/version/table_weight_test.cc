// SPDX-License-Identifier: Apache-2.0
#include "core/version/table_weight.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace varve {
namespace {

TableCounts Counts(uint64_t entries, uint64_t deletions) {
  return {.entries = entries, .deletions = deletions, .raw_key_bytes = 0, .raw_value_bytes = 0};
}

TEST_CASE("CompensatedBytes: each deletion beyond half of the entries counts as two values") {
  CHECK_EQ(CompensatedBytes(1000, Counts(100, 49), 8), 1000);
  CHECK_EQ(CompensatedBytes(1000, Counts(100, 50), 8), 1000);
  CHECK_EQ(CompensatedBytes(1000, Counts(100, 75), 8), 1000 + 50 * 2 * 8);
  CHECK_EQ(CompensatedBytes(1000, Counts(100, 5000), 8), 1000 + 100 * 2 * 8);  // It lies.
  CHECK_EQ(CompensatedBytes(1000, Counts(0, 0), 8), 1000);
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  CHECK_EQ(CompensatedBytes(kMost - 5, Counts(kMost, kMost), kMost), kMost);
}

TEST_CASE("AverageValueBytes: a value's bytes as they are stored") {
  CHECK_EQ(AverageValueBytes({}), 0);
  TableTotals totals;
  totals.Add(300, {.entries = 8, .deletions = 1, .raw_key_bytes = 150, .raw_value_bytes = 700});
  totals.Add(200, {.entries = 4, .deletions = 1, .raw_key_bytes = 50, .raw_value_bytes = 100});
  totals.Add(900, {});  // Nothing is known of it.
  CHECK_EQ(AverageValueBytes(totals), 40);
  totals.Add(5, {.entries = 2, .deletions = 9, .raw_key_bytes = 0, .raw_value_bytes = 0});
  CHECK_EQ(totals.counts.deletions, 4);  // More than entries: properties that lie.
  TableTotals dead;
  dead.Add(500, {.entries = 3, .deletions = 3, .raw_key_bytes = 30, .raw_value_bytes = 0});
  CHECK_EQ(AverageValueBytes(dead), 0);
}

}  // namespace
}  // namespace varve
