// SPDX-License-Identifier: Apache-2.0
// Examples, one by one: tests/snapshot/compaction/targets.txt. Here is what holds for all trees.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "core/compaction/picker.h"
#include "tests/unit/version/version_fixture.h"

namespace varve {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// A table on each level with a size, of level 1 and deeper.
std::shared_ptr<const Version> TreeOf(const std::vector<uint64_t>& sizes) {
  VersionEdit edit;
  for (size_t level = 0; level < sizes.size(); ++level) {
    if (sizes[level] == 0) continue;
    FileDescription file = MakeFile(10 + level, "a", "z", 100 - level, 100 - level);
    file.size = sizes[level];
    edit.new_files.push_back({static_cast<int>(level), file});
  }
  return MakeVersion(edit, *BytewiseComparator(), static_cast<int>(sizes.size()));
}

ColumnFamilyOptions Sized(uint64_t base, double multiplier, bool dynamic) {
  ColumnFamilyOptions options;
  options.max_bytes_for_level_base = base;
  options.max_bytes_for_level_multiplier = multiplier;
  options.level_compaction_dynamic_level_bytes = dynamic;
  return options;
}

std::vector<uint64_t> RandomSizes(std::mt19937_64& random) {
  std::vector<uint64_t> sizes(2 + random() % 6);
  for (uint64_t& size : sizes) {
    if (random() % 3 != 0) size = (random() % 1000) << (random() % 50);
  }
  return sizes;
}

TEST_CASE(
    "LevelTargets: dynamic targets grow downwards from the base level, never below the base") {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::vector<uint64_t> sizes = RandomSizes(random);
    const uint64_t base = 1 + random() % 100'000;
    const auto options = Sized(base, static_cast<double>(1 + random() % 12), /*dynamic=*/true);
    const LevelTargets targets = ComputeLevelTargets(*TreeOf(sizes), options);
    const int levels = static_cast<int>(sizes.size());
    REQUIRE_EQ(targets.bytes.size(), sizes.size());
    REQUIRE_GE(targets.base_level, 1);
    REQUIRE_LT(targets.base_level, levels);
    for (int level = 0; level < levels; ++level) {
      CAPTURE(level);
      const uint64_t target = targets.bytes[static_cast<size_t>(level)];
      if (level < targets.base_level) {
        CHECK_EQ(target, kUnlimited);
        if (level > 0) CHECK_EQ(sizes[static_cast<size_t>(level)], 0);  // Not between 0 and base.
      } else if (std::any_of(sizes.begin() + 1, sizes.end(), [](uint64_t s) { return s > 0; })) {
        CHECK_GE(target, base);
        if (level > targets.base_level) {
          CHECK_GE(target, targets.bytes[static_cast<size_t>(level) - 1]);
        }
      }
    }
  }
}

TEST_CASE("LevelTargets: fixed targets do not look at the tree, and stop at the largest number") {
  const auto options = Sized(1000, 10, /*dynamic=*/false);
  for (const auto& sizes : {std::vector<uint64_t>(7, 0), std::vector<uint64_t>(7, 1 << 30)}) {
    const LevelTargets targets = ComputeLevelTargets(*TreeOf(sizes), options);
    CHECK_EQ(targets.base_level, 1);
    CHECK_EQ(targets.bytes, std::vector<uint64_t>{kUnlimited, 1000, 10'000, 100'000, 1'000'000,
                                                  10'000'000, 100'000'000});
  }
  const LevelTargets huge =
      ComputeLevelTargets(*TreeOf({0, 0, 0, 0}), Sized(uint64_t{1} << 60, 100, false));
  CHECK_EQ(huge.bytes[1], uint64_t{1} << 60);
  CHECK_EQ(huge.bytes[2], kUnlimited);
  CHECK_EQ(huge.bytes[3], kUnlimited);
}

TEST_CASE("LevelTargets: a multiplier of one and a base of zero end, too") {
  for (const bool dynamic : {false, true}) {
    const auto version = TreeOf({0, 0, 5000, 100, kUnlimited / 4});
    CHECK_EQ(ComputeLevelTargets(*version, Sized(0, 1, dynamic)).bytes.size(), 5);
    for (const double score : ComputeScores(*version, Sized(0, 1, dynamic), {})) CHECK_GE(score, 0);
    CHECK_GT(EstimatePendingBytes(*version, Sized(0, 1, dynamic)), 0);
  }
}

TEST_CASE("LevelTargets: a file of deletions weighs more than its bytes") {
  const auto version = MakeVersion(AddFiles(1, {MakeFile(4, "a", "b"), MakeFile(5, "c", "d")}),
                                   *BytewiseComparator());
  const FileMetadata& plain = *version->files(1)[0];
  const FileMetadata& dead = *version->files(1)[1];
  const auto of = [&](const FileMetadata& file) { return CompensatedSizes(*version).Of(file); };
  const auto options = Sized(1000, 10, /*dynamic=*/false);
  CHECK_EQ(of(dead), 1000);  // Nothing is known of it.
  plain.SetCounts({.entries = 100, .deletions = 50, .raw_key_bytes = 0, .raw_value_bytes = 2000});
  CHECK_EQ(of(plain), 1000);
  dead.SetCounts({.entries = 100, .deletions = 75, .raw_key_bytes = 1000, .raw_value_bytes = 1000});
  // 75 values have 3,000 bytes, and tables half of the bytes of their keys and values: 20 a value.
  CHECK_EQ(of(plain), 1000);
  CHECK_EQ(of(dead), 1000 + 50 * 2 * 20);
  CHECK_EQ(ComputeScores(*version, options, {})[1], 1 + 3);
  dead.SetCounts({.entries = 100, .deletions = 5000, .raw_key_bytes = 0, .raw_value_bytes = 0});
  CHECK_EQ(of(dead), 1000 + 100 * 2 * 40);  // More deletions than entries: a property that lies.
}

TEST_CASE("LevelTargets: a score of one is exactly the target, and busy files do not count") {
  const auto options = Sized(1000, 10, /*dynamic=*/false);
  CHECK_EQ(ComputeScores(*TreeOf({0, 1000, 5000, 0}), options, {}),
           std::vector<double>{0, 1, 0.5, 0});
  const auto version = TreeOf({0, 1000, 5000, 0});
  const BusyFiles busy = {version->files(1)[0]->number()};
  CHECK_EQ(ComputeScores(*version, options, busy), std::vector<double>{0, 0, 0.5, 0});
}

TEST_CASE(
    "LevelTargets: level 0 counts its files against the trigger, or its bytes if those weigh") {
  auto options = Sized(1000, 10, /*dynamic=*/false);
  options.level0_file_num_compaction_trigger = 4;
  CHECK_EQ(ComputeScores(*TreeOf({100, 0}), options, {})[0], 0.25);
  CHECK_EQ(ComputeScores(*TreeOf({2500, 0}), options, {})[0], 2.5);
  options.level0_file_num_compaction_trigger = 0;  // As one.
  CHECK_EQ(ComputeScores(*TreeOf({100, 0}), options, {})[0], 1);
}

TEST_CASE("LevelTargets: fifo weighs all bytes on level 0's score, no compaction nothing") {
  auto options = Sized(1000, 10, /*dynamic=*/false);
  options.compaction_style = CompactionStyle::kFifo;
  options.fifo_max_table_files_size = 2000;
  CHECK_EQ(ComputeScores(*TreeOf({1000, 500, 2500}), options, {}), std::vector<double>{2, 0, 0});
  CHECK_EQ(EstimatePendingBytes(*TreeOf({1000, 500, 2500}), options), 0);
  options.compaction_style = CompactionStyle::kNone;
  CHECK_EQ(ComputeScores(*TreeOf({1000, 500, 2500}), options, {}), std::vector<double>{0, 0, 0});
  CHECK_EQ(EstimatePendingBytes(*TreeOf({1000, 500, 2500}), options), 0);
}

TEST_CASE("LevelTargets: nothing is pending exactly if no level is beyond its target") {
  int pending = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::vector<uint64_t> sizes = RandomSizes(random);
    const auto version = TreeOf(sizes);
    const auto options =
        Sized(1 + random() % 100'000, static_cast<double>(2 + random() % 12), random() % 2 == 0);
    const LevelTargets targets = ComputeLevelTargets(*version, options);
    bool beyond = sizes[0] >= options.max_bytes_for_level_base;
    for (size_t level = 1; level + 1 < sizes.size(); ++level) {
      beyond = beyond || sizes[level] > targets.bytes[level];
    }
    const uint64_t bytes = EstimatePendingBytes(*version, options);
    CHECK_EQ(bytes > 0, beyond);
    pending += static_cast<int>(beyond);
  }
  CHECK_GT(pending, 200);
  CHECK_LT(pending, 1900);
}

TEST_CASE("LevelTargets: sizes that a hostile MANIFEST claims saturate") {
  const auto version = TreeOf({kUnlimited - 5, kUnlimited - 5, kUnlimited - 5, 100});
  for (const bool dynamic : {false, true}) {
    CHECK_EQ(EstimatePendingBytes(*version, Sized(1000, 10, dynamic)), kUnlimited);
    CHECK_GT(ComputeScores(*version, Sized(1000, 10, dynamic), {})[1], 1e10);
  }
}

}  // namespace
}  // namespace varve
