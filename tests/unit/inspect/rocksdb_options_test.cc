// SPDX-License-Identifier: Apache-2.0
// The rows themselves are compared with the library in tests/interop/shape_test.cc.
#include "core/inspect/options/rocksdb_options.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace varve {
namespace {

TEST_CASE("FindRocksDbOption: every row is found by its scope and name") {
  for (const RocksDbOption& row : RocksDbOptions()) {
    CHECK_MESSAGE(FindRocksDbOption(row.scope, row.name) == &row, row.name);
  }
}

TEST_CASE("FindRocksDbOption: nothing is found by parts, by other scopes or beyond either end") {
  for (const RocksDbOption& row : RocksDbOptions()) {
    CAPTURE(row.name);
    CHECK(FindRocksDbOption(row.scope, std::string(row.name) + "x") == nullptr);
    CHECK(FindRocksDbOption(row.scope, std::string(row.name) + ".x") == nullptr);
    CHECK(FindRocksDbOption(row.scope, row.name.substr(1)) == nullptr);
  }
  for (const OptionScope scope :
       {OptionScope::kDatabase, OptionScope::kColumnFamily, OptionScope::kTable}) {
    CHECK(FindRocksDbOption(scope, "") == nullptr);
    CHECK(FindRocksDbOption(scope, "zzz") == nullptr);
  }
  CHECK(FindRocksDbOption(OptionScope::kDatabase, "max_open_files") != nullptr);
  CHECK(FindRocksDbOption(OptionScope::kColumnFamily, "max_open_files") == nullptr);
  CHECK(FindRocksDbOption(OptionScope::kTable, "max_open_files") == nullptr);
  CHECK(FindRocksDbOption(OptionScope::kTable, "block_size")->default_value == "4096");
  CHECK(FindRocksDbOption(OptionScope::kDatabase, "block_size") == nullptr);
}

TEST_CASE("RocksDbOptions: sorted, each once; another form of a default is another text") {
  const auto rows = RocksDbOptions();
  for (size_t i = 1; i < rows.size(); ++i) {
    CHECK_LT(std::pair(rows[i - 1].scope, rows[i - 1].name),
             std::pair(rows[i].scope, rows[i].name));
  }
  for (const RocksDbOption& row : rows) {
    CAPTURE(row.name);
    CHECK_FALSE(row.name.empty());
    if (!row.unset.empty()) CHECK_NE(row.unset, row.default_value);
    // An aggregate is listed by its members alone.
    const std::string prefix = std::string(row.name) + ".";
    CHECK_FALSE(std::any_of(rows.begin(), rows.end(), [&](const RocksDbOption& other) {
      return other.scope == row.scope && other.name.starts_with(prefix);
    }));
  }
}

TEST_CASE("RocksDbOptions: the engine accepts the defaults of what it has in common") {
  size_t common = 0;
  for (const OptionRow& ours : OptionTable()) {
    const RocksDbOption* row = FindRocksDbOption(ours.scope, ours.name);
    if (!ours.in_rocksdb || row == nullptr) continue;
    ++common;
    Options options;
    const Status set = ours.set(&options, row->default_value);
    // What RocksDB computes, or has by another name, the engine may not take.
    CHECK_MESSAGE(
        (set.ok() || set.code() == Code::kInvalidArgument || set.code() == Code::kNotSupported),
        set.ToString());
    if (MayChangeAtRunTime(ours.name)) CHECK_MESSAGE(row->is_mutable, ours.name);
  }
  CHECK_GT(common, 40);
}

}  // namespace
}  // namespace varve
