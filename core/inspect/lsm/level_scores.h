// SPDX-License-Identifier: Apache-2.0
// Compaction scores of levels, as RocksDB 7.8.3 computes them from the OPTIONS file and the level
// sizes. For this engine's decisions see compaction/picker.h, which has fewer styles. An interop
// test compares these numbers with the library's.
//
//   score of L0  files / trigger, or bytes / max_bytes_for_level_base if that is more
//   score of Ln  bytes / target of Ln
//   1 and above  wants compaction; with dynamic targets such a score is ten times as large, and
//                smaller again for a level that the levels above it are about to fill
//
// Bytes are compensated: a file that mostly has deletions counts more than its size. That requires
// the tables' properties (core/version/table_weight.h); without them the plain size is used. Pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/options/options_file.h"

namespace varve {

struct CompactionSettings {
  enum class Style : uint8_t { kLevel, kUniversal, kFifo, kNone };
  Style style = Style::kLevel;
  int num_levels = 7;
  bool dynamic_level_bytes = true;
  int level0_trigger = 4;
  uint64_t max_bytes_for_level_base = uint64_t{256} << 20;
  double multiplier = 10;
  std::vector<int> additional_multipliers;  // max_bytes_for_level_multiplier_additional.
  uint64_t fifo_max_bytes = uint64_t{1} << 30;
  bool fifo_allow_compaction = false;
  bool level0_counts_bytes = true;  // False for LevelDB, which only counts the files of level 0.
};
std::string_view CompactionStyleName(CompactionSettings::Style style);  // "level", "universal", ...

// From a family's section of an OPTIONS file. Missing options, or all if it is null, have the
// defaults of RocksDB 8.4 and later, which are also this engine's.
CompactionSettings CompactionSettingsOf(const OptionsSection* section);
// LevelDB's, which has no options for them: four files in level 0, 10 MiB in level 1, each further
// level ten times as large (db/dbformat.h and MaxBytesForLevel() in db/version_set.cc).
CompactionSettings LevelDbCompactionSettings();

struct LevelLoad {
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t compensated_bytes = 0;
};

struct LevelScores {
  int base_level = 1;                                 // The level that level 0 is compacted into.
  std::vector<std::optional<uint64_t>> target_bytes;  // Per level; nullopt: without a limit.
  std::vector<double> scores;
};
LevelScores ScoreLevels(const CompactionSettings& settings, std::span<const LevelLoad> levels);

}  // namespace varve
