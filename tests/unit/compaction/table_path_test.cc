// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/table_path.h"

#include <doctest/doctest.h>

#include <vector>

namespace varve {
namespace {

constexpr uint64_t kMb = 1 << 20;

// Levels 0 and 1 have 10 MB, level 2 has 100 MB, level 3 1000 MB.
ColumnFamilyOptions Paths(const std::vector<uint64_t>& megabytes) {
  ColumnFamilyOptions options;
  options.max_bytes_for_level_base = 10 * kMb;
  options.max_bytes_for_level_multiplier = 10;
  for (const uint64_t size : megabytes) options.cf_paths.push_back({"path", size * kMb});
  return options;
}

std::vector<uint32_t> OfLevels(const ColumnFamilyOptions& options) {
  std::vector<uint32_t> paths;
  for (int level = 0; level < 5; ++level) paths.push_back(PathOfLevel(options, level));
  return paths;
}

using Levels = std::vector<uint32_t>;

TEST_CASE("PathOfLevel: levels fill paths in order, and none is split") {
  CHECK(OfLevels(Paths({})) == Levels{0, 0, 0, 0, 0});
  CHECK(OfLevels(Paths({1})) == Levels{0, 0, 0, 0, 0});
  CHECK(OfLevels(Paths({10, 0})) == Levels{0, 1, 1, 1, 1});
  CHECK(OfLevels(Paths({20, 0})) == Levels{0, 0, 1, 1, 1});
  CHECK(OfLevels(Paths({119, 0})) == Levels{0, 0, 1, 1, 1});
  CHECK(OfLevels(Paths({120, 0})) == Levels{0, 0, 0, 1, 1});
  CHECK(OfLevels(Paths({20, 100, 0})) == Levels{0, 0, 1, 2, 2});
  CHECK(OfLevels(Paths({9, 10, 10, 0})) == Levels{1, 2, 3, 3, 3});
}

TEST_CASE("PathOfLevel: the last path takes what fits nowhere") {
  CHECK(OfLevels(Paths({0, 0, 0, 0})) == Levels{3, 3, 3, 3, 3});
}

TEST_CASE("DirectoryOfPath: the database's, without paths") {
  ColumnFamilyOptions options;
  CHECK(DirectoryOfPath(options, 0, "db") == "db");
  options.cf_paths = {{"fast", 1}, {"slow", 0}};
  CHECK(DirectoryOfPath(options, 1, "db") == "slow");
}

}  // namespace
}  // namespace varve
