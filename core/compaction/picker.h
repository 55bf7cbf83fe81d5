// SPDX-License-Identifier: Apache-2.0
// Decides what to compact next. Pure functions: no I/O, no clock, no lock, no side effect.
// Same inputs, same plan, which is why tests/snapshot/compaction/*.txt can show its every choice.
//
// Leveled compaction with RocksDB's scores: level 0 by number of files, the others by bytes over
// the level's target (dynamic targets: computed from the last level upwards, so that the data is
// nearly all in the last level).
//
// Small level-0 tables, as every opening of a database may leave one, do not go down one by one, by
// trivial moves or each with what it overlaps. While all of level 0 is smaller than a quarter of a
// memtable or of a table, the newest are merged into one there: as many as cost the fewest bytes
// for each table that goes (RocksDB's FindIntraL0Compaction). N bytes that come in small tables are
// rewritten some (N / table)^(1 / (trigger - 1)) times until they go down, together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/version/version.h"
#include "varve/options.h"

namespace varve {

enum class CompactionReason : uint8_t {
  kLevel0Files,
  kLevelSize,
  kFifoSize,
  kManual,
  kMarked,
};

// Inputs and overlap stand in the order of their levels, and none is being compacted.
struct CompactionPlan {
  CompactionReason reason = CompactionReason::kLevelSize;
  int input_level = 0;
  int output_level = 0;
  std::vector<FilePtr> inputs;          // From input_level; for L0 newest first.
  std::vector<FilePtr> output_overlap;  // From output_level.
  bool trivial_move = false;            // Re-link the inputs; nothing is read.
  bool delete_only = false;             // FIFO: the inputs just go.
  bool bottommost = false;              // No data of the key range lies below output_level.
  bool deepest = false;                 // No level below output_level has any data.
  uint64_t target_file_size = 0;
  CompressionType compression = CompressionType::kNone;
};

struct LevelTargets {
  int base_level = 1;           // Where level 0 compacts to.
  std::vector<uint64_t> bytes;  // Per level.
};
LevelTargets ComputeLevelTargets(const Version& version, const ColumnFamilyOptions& options);

// A file's size, and more if most of its entries are deletions: compacting it frees more than it
// holds.
uint64_t CompensatedSize(const FileMetadata& file);

// Per level; >= 1 wants compaction. Files already being compacted do not count.
std::vector<double> ComputeScores(const Version& version, const ColumnFamilyOptions& options);

// Bytes that leveled compaction has yet to rewrite to reach its targets: drives write stalls.
uint64_t EstimatePendingBytes(const Version& version, const ColumnFamilyOptions& options);

// nullopt: nothing to do, or everything due conflicts with a running compaction.
std::optional<CompactionPlan> PickCompaction(const Version& version,
                                             const ColumnFamilyOptions& options);

// No level below `level` has data of [begin, end]: deletions compacted to it may be dropped.
bool NothingBelow(const Version& version, int level, std::string_view begin, std::string_view end);

// What the inputs of a compaction may have together, unless one alone has more.
uint64_t MaxCompactionBytes(const ColumnFamilyOptions& options);

// The next step of compacting [begin, end] by hand from `level` downwards; nullopt when files of
// the range at that level are busy or there are none. All of the range at once, and never past a
// level in between that holds some of it: plan.output_level may be smaller than asked.
// `output_level` == `level` rewrites the files where they are (level >= 1).
std::optional<CompactionPlan> PickManualCompaction(const Version& version,
                                                   const ColumnFamilyOptions& options, int level,
                                                   int output_level,
                                                   std::optional<std::string_view> begin,
                                                   std::optional<std::string_view> end);

}  // namespace varve
