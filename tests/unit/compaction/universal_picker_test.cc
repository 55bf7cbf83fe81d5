// SPDX-License-Identifier: Apache-2.0
// What holds for every plan of universal compaction; single decisions are in
// tests/snapshot/compaction/universal.txt.
#include "core/compaction/universal_picker.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "tests/unit/compaction/living_tree.h"

namespace varve {
namespace {

ColumnFamilyOptions UniversalOptionsOf(uint64_t seed) {
  std::mt19937_64 random(~seed);
  ColumnFamilyOptions options;
  options.compaction_style = CompactionStyle::kUniversal;
  options.num_levels = std::vector{1, 2, 3, 7}[random() % 4];
  options.level0_file_num_compaction_trigger = 1 + static_cast<int>(random() % 6);
  options.target_file_size_base = 100;
  options.universal.size_ratio = std::vector{0u, 1u, 50u, 300u}[random() % 4];
  options.universal.min_merge_width = static_cast<uint32_t>(random() % 4);
  options.universal.max_merge_width =
      random() % 2 == 0 ? std::numeric_limits<uint32_t>::max() : 3 + random() % 4;
  options.universal.max_size_amplification_percent = std::vector{25u, 200u, 1000u}[random() % 3];
  options.universal.stop_style =
      random() % 2 == 0 ? UniversalStopStyle::kSimilarSize : UniversalStopStyle::kTotalSize;
  options.universal.allow_trivial_move = random() % 3 == 0;
  return options;
}

// The place of a table in age: tables of level 0 one by one, newest first, then the levels.
size_t AgeOf(const Version& version, int level, const FileMetadata& file) {
  const std::vector<FilePtr>& newest = version.files(0);
  if (level > 0) return newest.size() + static_cast<size_t>(level);
  const auto at = std::find_if(newest.begin(), newest.end(), [&](const FilePtr& other) {
    return other->number() == file.number();
  });
  REQUIRE(at != newest.end());
  return static_cast<size_t>(at - newest.begin());
}

// Its tables are all those of an interval of ages, and its output lies between what is newer and
// what is older.
void CheckPlan(const Version& version, const CompactionPlan& plan) {
  std::vector<FileNumber> taken;
  size_t newest = std::numeric_limits<size_t>::max(), oldest = 0;
  for (const auto& [level, file] : InputsOf(plan)) {
    taken.push_back(file->number());
    newest = std::min(newest, AgeOf(version, level, *file));
    oldest = std::max(oldest, AgeOf(version, level, *file));
    REQUIRE_LE(level, plan.output_level);
  }
  bool any_older = false;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      const size_t age = AgeOf(version, level, *file);
      const bool is_taken = std::find(taken.begin(), taken.end(), file->number()) != taken.end();
      if (newest <= age && age <= oldest) {
        REQUIRE(is_taken);
      } else if (age > oldest) {
        // A moved run goes beside what its level has.
        if (plan.trivial_move && level == plan.output_level) continue;
        any_older = true;
        REQUIRE((level > plan.output_level || (level == 0 && plan.output_level == 0)));
      } else {
        REQUIRE_LE(level, plan.output_level);
      }
    }
  }
  if (!any_older) REQUIRE_EQ(plan.output_level, version.num_levels() - 1);
  REQUIRE_EQ(plan.deepest, !any_older);
  if (!any_older) REQUIRE(plan.bottommost);
}

TEST_CASE("Universal: plans take neighbouring runs, whatever runs beside them") {
  size_t side_by_side = 0, between = 0, moved = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    LivingTree tree(UniversalOptionsOf(seed), seed);
    std::vector<CompactionPlan> running;
    for (int step = 0; step < 200; ++step) {
      CAPTURE(step);
      const uint64_t what = tree.Random(4);
      if (what == 0 && !running.empty()) {
        const auto done = running.begin() + static_cast<ptrdiff_t>(tree.Random(running.size()));
        tree.Carry(*done);
        running.erase(done);
      } else if (what <= 1) {
        tree.Flush();
      } else {
        BusyFiles busy;
        for (const CompactionPlan& plan : running) {
          for (const PlanInput& input : InputsOf(plan)) busy.insert(input.file->number());
        }
        const auto plan = tree.Random(20) == 0
                              ? PickAllRuns(tree.version(), tree.options(), busy)
                              : PickUniversalCompaction(tree.version(), tree.options(), busy);
        if (!plan) continue;
        for (const PlanInput& input : InputsOf(*plan)) {
          REQUIRE_FALSE(busy.contains(input.file->number()));
        }
        CheckPlan(tree.version(), *plan);
        side_by_side += running.empty() ? 0 : 1;
        between += plan->between.empty() ? 0 : 1;
        moved += plan->trivial_move ? 1 : 0;
        running.push_back(*plan);
      }
    }
    for (const CompactionPlan& plan : running) tree.Carry(plan);
    tree.CompactUntilIdle();
    // What write stalls rely on.
    const size_t fewest = std::max(tree.options().universal.min_merge_width, 2u);
    REQUIRE_LE(CountSortedRuns(tree.version()),
               static_cast<size_t>(tree.options().level0_file_num_compaction_trigger) + fewest - 2);
  }
  // Each kind was there.
  CHECK_GT(side_by_side, 100);
  CHECK_GT(between, 100);
  CHECK_GT(moved, 5);
}

}  // namespace
}  // namespace varve
