// SPDX-License-Identifier: Apache-2.0
// That these are the library's numbers is tests/interop's business; here is what they mean.
#include "core/inspect/lsm/level_scores.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>

namespace varve {
namespace {

using Style = CompactionSettings::Style;

std::vector<LevelLoad> Loads(const std::vector<uint64_t>& bytes, uint64_t files = 1) {
  std::vector<LevelLoad> loads;
  for (const uint64_t b : bytes) loads.push_back({b == 0 ? 0 : files, b, b});
  return loads;
}

CompactionSettings Base(uint64_t base, bool dynamic) {
  CompactionSettings settings;
  settings.max_bytes_for_level_base = base;
  settings.dynamic_level_bytes = dynamic;
  return settings;
}

TEST_CASE("ScoreLevels: fixed targets grow by the multiplier, and by each level's own") {
  CompactionSettings settings = Base(1000, false);
  const auto loads = Loads({0, 500, 20'000, 0, 0});
  LevelScores scores = ScoreLevels(settings, loads);
  CHECK_EQ(scores.base_level, 1);
  CHECK_FALSE(scores.target_bytes[0].has_value());
  CHECK_EQ(scores.target_bytes[1].value_or(0), 1000);
  CHECK_EQ(scores.target_bytes[2].value_or(0), 10'000);
  CHECK_EQ(scores.target_bytes[3].value_or(0), 100'000);
  CHECK_EQ(scores.scores[1], 0.5);
  CHECK_EQ(scores.scores[2], 2);
  CHECK_EQ(scores.scores[4], 0);  // Nothing is below the last one.
  settings.additional_multipliers = {1, 3};
  CHECK_EQ(ScoreLevels(settings, loads).target_bytes[2].value_or(0), 30'000);
}

TEST_CASE("ScoreLevels: level 0 counts its files, or its bytes if they weigh more") {
  CompactionSettings settings = Base(1000, false);
  CHECK_EQ(ScoreLevels(settings, Loads({100, 0, 0}, 2)).scores[0], 0.5);
  CHECK_EQ(ScoreLevels(settings, Loads({2500, 0, 0}, 2)).scores[0], 2.5);
  settings.level0_trigger = 0;  // As one.
  CHECK_EQ(ScoreLevels(settings, Loads({100, 0, 0}, 2)).scores[0], 2);
}

TEST_CASE("ScoreLevels: LevelDB's levels have fixed targets, and level 0 only counts its files") {
  constexpr uint64_t kMiB = 1 << 20;
  const LevelScores scores = ScoreLevels(LevelDbCompactionSettings(),
                                         Loads({90 * kMiB, 15 * kMiB, 50 * kMiB, 0, 0, 0, 0}));
  CHECK_EQ(scores.base_level, 1);
  CHECK_EQ(scores.target_bytes[1].value_or(0), 10 * kMiB);
  CHECK_EQ(scores.target_bytes[2].value_or(0), 100 * kMiB);
  CHECK_EQ(scores.scores[0], 0.25);
  CHECK_EQ(scores.scores[1], 1.5);
  CHECK_EQ(scores.scores[2], 0.5);
}

TEST_CASE("ScoreLevels: dynamic targets come from the largest level; what is due counts tenfold") {
  const LevelScores scores = ScoreLevels(Base(1000, true), Loads({0, 0, 0, 0, 0, 2000, 5000}));
  CHECK_EQ(scores.base_level, 5);
  CHECK_FALSE(scores.target_bytes[4].has_value());
  CHECK_EQ(scores.target_bytes[5].value_or(0), 1000);
  CHECK_EQ(scores.scores[5], 20);
  // What level 0 is about to bring makes it less.
  const LevelScores more = ScoreLevels(Base(1000, true), Loads({3000, 0, 0, 0, 0, 2000, 5000}));
  CHECK_EQ(more.scores[5], 5);
}

TEST_CASE("ScoreLevels: the styles without leveled targets") {
  CompactionSettings settings = Base(1000, true);
  settings.style = Style::kUniversal;
  CHECK_EQ(ScoreLevels(settings, Loads({100, 0, 500, 900}, 2)).scores[0], 1);  // Four runs.
  settings.style = Style::kFifo;
  settings.fifo_max_bytes = 200;
  const LevelScores fifo = ScoreLevels(settings, Loads({500}, 8));
  CHECK_EQ(fifo.scores[0], 2.5);
  CHECK_EQ(fifo.target_bytes[0].value_or(0), 200);
  settings.fifo_max_bytes = 5000;
  settings.fifo_allow_compaction = true;
  CHECK_EQ(ScoreLevels(settings, Loads({500}, 8)).scores[0], 2);
  settings.style = Style::kNone;
  CHECK_EQ(ScoreLevels(settings, Loads({500, 5000}, 8)).scores, std::vector<double>{0, 0});
}

TEST_CASE("ScoreLevels: whatever the sizes and settings, scores are numbers") {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    CompactionSettings settings = Base(random() >> (random() % 64), random() % 2 == 0);
    const double multipliers[] = {0, 1e-300, 0.5, 1, 10, 1e300};
    settings.multiplier = multipliers[random() % 6];
    settings.style = static_cast<Style>(random() % 4);
    settings.level0_trigger = static_cast<int>(random() % 5);
    settings.additional_multipliers = {0, 2, std::numeric_limits<int>::max()};
    std::vector<LevelLoad> loads(random() % 8);
    for (LevelLoad& load : loads) {
      load = {random() >> (random() % 64), random() >> (random() % 64), random()};
    }
    const LevelScores scores = ScoreLevels(settings, loads);
    REQUIRE_EQ(scores.scores.size(), loads.size());
    REQUIRE_EQ(scores.target_bytes.size(), loads.size());
    for (const double score : scores.scores) CHECK(score >= 0);  // Not of a NaN.
  }
}

OptionsSection Section(const std::vector<std::pair<std::string, std::string>>& values) {
  OptionsSection section;
  section.values = values;
  return section;
}

TEST_CASE("CompactionSettingsOf: without a file or an option, what RocksDB takes") {
  const OptionsSection nothing;
  for (const OptionsSection* section : {static_cast<const OptionsSection*>(nullptr), &nothing}) {
    const CompactionSettings settings = CompactionSettingsOf(section);
    CHECK(settings.style == Style::kLevel);
    CHECK(settings.dynamic_level_bytes);
    CHECK_EQ(settings.level0_trigger, 4);
    CHECK_EQ(settings.max_bytes_for_level_base, 256 << 20);
  }
}

TEST_CASE("CompactionSettingsOf: what is written is taken, what makes no sense is not") {
  const OptionsSection section =
      Section({{"compaction_style", "kCompactionStyleFIFO"},
               {"num_levels", "3"},
               {"level_compaction_dynamic_level_bytes", "false"},
               {"level0_file_num_compaction_trigger", "-7"},
               {"max_bytes_for_level_base", "12345"},
               {"max_bytes_for_level_multiplier", "many"},
               {"max_bytes_for_level_multiplier_additional", "1:2:x:4"},
               {"compaction_options_fifo",
                "{age_max_table_files_size=9;max_table_files_size=77;allow_compaction=true;}"}});
  const CompactionSettings settings = CompactionSettingsOf(&section);
  CHECK(settings.style == Style::kFifo);
  CHECK_EQ(settings.num_levels, 3);
  CHECK_FALSE(settings.dynamic_level_bytes);
  CHECK_EQ(settings.level0_trigger, 4);
  CHECK_EQ(settings.max_bytes_for_level_base, 12345);
  CHECK_EQ(settings.multiplier, 10);
  CHECK(settings.additional_multipliers == std::vector<int>{1, 2, 1, 4});
  CHECK_EQ(settings.fifo_max_bytes, 77);
  CHECK(settings.fifo_allow_compaction);
}

TEST_CASE("CompactionStyleName: each style's name is another") {
  CHECK_EQ(CompactionStyleName(Style::kLevel), "level");
  CHECK_EQ(CompactionStyleName(Style::kUniversal), "universal");
  CHECK_EQ(CompactionStyleName(Style::kFifo), "fifo");
  CHECK_EQ(CompactionStyleName(Style::kNone), "none");
}

}  // namespace
}  // namespace varve
