// SPDX-License-Identifier: Apache-2.0
// What holds for every plan of chosen tables; single decisions are in
// tests/snapshot/compaction/files.txt.
#include "core/compaction/chosen_files.h"

#include <doctest/doctest.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "core/format/file_name.h"
#include "tests/unit/compaction/living_tree.h"

namespace varve {
namespace {

ColumnFamilyOptions OptionsOf(CompactionStyle style, uint64_t seed) {
  ColumnFamilyOptions options;
  options.compaction_style = style;
  options.level0_file_num_compaction_trigger = 3;
  options.max_bytes_for_level_base = 300;
  options.level_compaction_dynamic_level_bytes = seed % 2 == 0;
  options.num_levels = 5;
  options.target_file_size_base = 100;
  return options;
}

struct Choice {
  std::vector<std::string> names;
  int lowest = 0;  // The largest number of a level with a chosen table.
};

// Up to three tables of anywhere.
Choice Choose(LivingTree& tree) {
  std::vector<PlanInput> all;
  for (int level = 0; level < tree.version().num_levels(); ++level) {
    for (const FilePtr& file : tree.version().files(level)) all.push_back({level, file});
  }
  Choice choice;
  for (uint64_t i = all.empty() ? 0 : 1 + tree.Random(3); i > 0; --i) {
    const PlanInput& input = all[tree.Random(all.size())];
    choice.names.push_back(TableFileName(input.file->number()));
    choice.lowest = std::max(choice.lowest, input.level);
  }
  return choice;
}

TEST_CASE("Chosen files: newer versions stay above older ones, beside running compactions") {
  size_t planned = 0, busy_plans = 0, between = 0, moved = 0;
  for (const CompactionStyle style : {CompactionStyle::kLevel, CompactionStyle::kUniversal}) {
    for (uint64_t seed = 1; seed <= 100; ++seed) {
      CAPTURE(seed);
      LivingTree tree(OptionsOf(style, seed), seed);
      for (int step = 0; step < 150; ++step) {
        CAPTURE(step);
        if (tree.Random(3) != 0) {
          tree.Flush();
          if (tree.Random(4) == 0) tree.CompactUntilIdle();
          continue;
        }
        const Choice choice = Choose(tree);
        if (choice.names.empty()) continue;
        // A picked compaction runs beside it, and ends after it.
        BusyFiles busy;
        const auto running = PickCompaction(tree.version(), tree.options(), busy);
        if (running) {
          for (const PlanInput& input : InputsOf(*running)) busy.insert(input.file->number());
        }
        const int levels = tree.version().num_levels();
        const int output =
            choice.lowest +
            static_cast<int>(tree.Random(static_cast<uint64_t>(levels - choice.lowest)));
        const auto plan = PlanChosenFiles(tree.version(), tree.options(), busy, choice.names,
                                          output, {.allow_trivial_move = tree.Random(2) == 0});
        if (!plan.ok()) {
          REQUIRE_EQ(plan.status().code(), Code::kBusy);
          REQUIRE(running);
          ++busy_plans;
          continue;
        }
        ++planned;
        between += plan->between.empty() ? 0 : 1;
        moved += plan->trivial_move ? 1 : 0;
        std::unordered_set<FileNumber> taken;
        for (const PlanInput& input : InputsOf(*plan)) {
          REQUIRE_FALSE(busy.contains(input.file->number()));
          REQUIRE(taken.insert(input.file->number()).second);
        }
        for (const std::string& name : choice.names) {
          REQUIRE(taken.contains(ParseFileName(name)->number));
        }
        tree.Carry(*plan);
      }
    }
  }
  CHECK_GT(planned, 2000);
  CHECK_GT(busy_plans, 50);
  CHECK_GT(between, 100);
  CHECK_GT(moved, 50);
}

struct SmallTree {
  SmallTree() {
    VersionEdit edit;
    edit.new_files.push_back({0, MakeFile(12, "a", "c", 20, 25)});
    edit.new_files.push_back({0, MakeFile(11, "a", "c", 10, 15)});
    edit.new_files.push_back({2, MakeFile(7, "x", "z", 1, 5)});
    version = MakeVersion(edit, *BytewiseComparator(), options.num_levels);
  }
  Result<CompactionPlan> Plan(const std::vector<std::string>& names, int level,
                              const CompactFilesOptions& how = {}) {
    return PlanChosenFiles(*version, options, {}, names, level, how);
  }
  ColumnFamilyOptions options;
  std::shared_ptr<const Version> version;
};

TEST_CASE("Chosen files: names with and without a directory, and what is none") {
  SmallTree tree;
  for (const char* name : {"000007.sst", "/000007.sst", "/some/where/000007.sst", "000007.ldb"}) {
    CAPTURE(name);
    const auto plan = tree.Plan({name}, 3);
    REQUIRE(plan.ok());
    CHECK_EQ(plan->inputs.size(), 1);
    CHECK_EQ(plan->inputs[0]->number(), 7);
  }
  for (const char* name : {"", "7", "000007.log", "000007.sst/", "MANIFEST-000007"}) {
    CAPTURE(name);
    CHECK_EQ(tree.Plan({name}, 3).status().code(), Code::kInvalidArgument);
  }
}

TEST_CASE("Chosen files: what the caller says of the output, and what the level gives") {
  SmallTree tree;
  tree.options.cf_paths = {{"first", 1}, {"second", 1000}};
  tree.options.table.compression = CompressionType::kLz4;
  auto plan = tree.Plan({"000007.sst"}, 3);
  REQUIRE(plan.ok());
  CHECK_EQ(plan->compression, CompressionType::kLz4);
  CHECK_EQ(plan->output_path, 1);
  CHECK_EQ(plan->target_file_size, std::numeric_limits<uint64_t>::max());
  plan = tree.Plan(
      {"000007.sst"}, 3,
      {.compression = CompressionType::kZstd, .output_file_size_limit = 77, .output_path = 0});
  REQUIRE(plan.ok());
  CHECK_EQ(plan->compression, CompressionType::kZstd);
  CHECK_EQ(plan->output_path, 0);
  CHECK_EQ(plan->target_file_size, 77);
  CHECK_EQ(tree.Plan({"000007.sst"}, 3, {.output_path = 2}).status().code(),
           Code::kInvalidArgument);
}

TEST_CASE("Chosen files: tombstones are dropped only where nothing is older") {
  SmallTree tree;
  CHECK_FALSE(tree.Plan({"000012.sst"}, 0)->bottommost);  // 11 is older.
  CHECK(tree.Plan({"000011.sst"}, 0)->bottommost);
  CHECK_FALSE(tree.Plan({"000011.sst"}, 0)->deepest);
  CHECK(tree.Plan({"000012.sst"}, 1)->bottommost);
  CHECK(tree.Plan({"000012.sst", "000007.sst"}, 2)->full);
}

}  // namespace
}  // namespace varve
