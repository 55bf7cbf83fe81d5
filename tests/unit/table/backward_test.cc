// SPDX-License-Identifier: Apache-2.0
// Backwards over restart intervals whose keys are many times as long as their entries: each key is
// the one before and a byte.
#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>

#include "tests/unit/table/table_harness.h"

namespace varve {
namespace {

constexpr size_t kKeys = 15'000;  // 112 MB of keys in 150 kB of entries.

std::string KeyOf(size_t n) {
  std::string key(n, 'k');
  for (size_t i = 0; i < n; i += 97) key[i] = static_cast<char>('a' + i / 97 % 26);
  return key;
}

uint64_t MemoryInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TestTable OneInterval() {
  TestTable table;
  for (size_t n = 1; n <= kKeys; ++n) {
    table.entries.push_back({.key = KeyOf(n), .sequence = 7, .value = std::to_string(n)});
  }
  return table;
}

TEST_CASE("Backward: memory does not grow with the keys of an interval") {
  for (const uint32_t format_version : {5, 7}) {
    CAPTURE(format_version);
    TableHarness harness;
    TableOptions options;
    options.format_version = format_version;
    options.block_size = 1 << 30;
    options.block_restart_interval = kKeys + 1;
    REQUIRE(harness.Build(options, OneInterval()).ok());
    const auto table = harness.Open();
    REQUIRE(table.ok());
    const uint64_t before = MemoryInUse();
    uint64_t peak = before;
    const auto it = (*table)->NewIterator({});
    size_t n = kKeys;
    for (it->SeekToLast(); it->Valid(); it->Prev(), --n) {
      REQUIRE_EQ(it->key().user_key.size(), n);
      if (n % 1000 == 0) REQUIRE(it->key().user_key == KeyOf(n));
      REQUIRE_EQ(it->value(), std::to_string(n));
      if (n % 50 == 0) peak = std::max(peak, MemoryInUse());
    }
    CHECK_MESSAGE(it->status().ok(), it->status().ToString());
    CHECK_EQ(n, 0);
    CHECK_LT(peak - before, uint64_t{20} << 20);
  }
}

// Turning in the middle: what was listed on the way back is of no use on the way forth.
TEST_CASE("Backward: turning within a long interval") {
  TableHarness harness;
  TableOptions options;
  options.block_size = 1 << 30;
  options.block_restart_interval = kKeys + 1;
  REQUIRE(harness.Build(options, OneInterval()).ok());
  const auto table = harness.Open();
  REQUIRE(table.ok());
  const auto it = (*table)->NewIterator({});
  it->SeekToLast();
  size_t n = kKeys;
  for (const int steps : {-3000, +10, -11, +1, -1, -2000, +500, -400}) {
    for (int i = 0; i < std::abs(steps); ++i) {
      steps < 0 ? it->Prev() : it->Next();
      n = steps < 0 ? n - 1 : n + 1;
      REQUIRE(it->Valid());
      REQUIRE_EQ(it->key().user_key.size(), n);
      REQUIRE_EQ(it->value(), std::to_string(n));
    }
  }
}

}  // namespace
}  // namespace varve
