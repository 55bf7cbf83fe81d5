// SPDX-License-Identifier: Apache-2.0
// Decides what to compact next. Pure functions: no I/O, no clock, no lock, no side effects. The
// same inputs give the same plan, so tests/snapshot/compaction/*.txt can list every decision.
//
// Leveled compaction with RocksDB's scores: level 0 by number of files, the others by bytes
// relative to the level's target (dynamic targets: computed from the last level upwards, so that
// nearly all data is in the last level).
//
// Small level-0 tables, as each opening of a database may create one, are not moved down one by
// one. While all of level 0 is smaller than a quarter of a memtable or of a table, the newest are
// merged into one in level 0: the number that costs the fewest bytes per removed table (RocksDB's
// FindIntraL0Compaction). N bytes arriving in small tables are rewritten some (N / table)^(1 /
// (trigger - 1)) times until they move down together.
//
// Universal compaction: universal_picker.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/version/version.h"
#include "varve/options.h"

namespace varve {

// The numbers of the tables that running compactions have as inputs.
using BusyFiles = std::unordered_set<FileNumber>;

enum class CompactionReason : uint8_t {
  kLevel0Files,
  kLevelSize,
  kFifoSize,
  kManual,
  kMarked,
  kBlobGarbage,
  // Universal: rules 1 to 3 of UniversalOptions.
  kSizeAmplification,
  kSizeRatio,
  kSortedRuns,
};

struct LevelInputs {
  int level = 0;
  std::vector<FilePtr> files;
};

// Inputs and overlap are in the order of their levels, and none is busy.
struct CompactionPlan {
  CompactionReason reason = CompactionReason::kLevelSize;
  int input_level = 0;
  int output_level = 0;
  std::vector<FilePtr> inputs;          // From input_level; for L0 newest first.
  std::vector<LevelInputs> between;     // Universal: all tables of levels between those two.
  std::vector<FilePtr> output_overlap;  // From output_level.
  bool trivial_move = false;            // Change the level of the inputs without reading them.
  bool delete_only = false;             // FIFO: delete the inputs.
  bool bottommost = false;              // No level below output_level has data of the key range.
  bool deepest = false;                 // No level below output_level has any data.
  bool full = false;                    // All tables of the family are inputs.
  uint64_t target_file_size = 0;
  uint32_t output_path = 0;  // Of cf_paths.
  CompressionType compression = CompressionType::kNone;
  // Only if options have point_index_per_level.
  std::optional<PointIndexKind> point_index;
};

struct PlanInput {
  int level = 0;
  FilePtr file;
};
// All tables that the plan reads, moves or deletes, by level.
std::vector<PlanInput> InputsOf(const CompactionPlan& plan);

struct ClosedKeyRange {
  std::string_view begin, end;  // User keys, both inclusive.
};
// From the first key of the plan's tables to the last one; points into them.
ClosedKeyRange RangeOf(const Comparator& order, const CompactionPlan& plan);

struct LevelTargets {
  int base_level = 1;           // The level that level 0 is compacted into.
  std::vector<uint64_t> bytes;  // Per level.
};
LevelTargets ComputeLevelTargets(const Version& version, const ColumnFamilyOptions& options);

// Sizes of a version's files, increased for those that mostly have deletions: compacting them frees
// more than their own sizes (core/version/table_weight.h).
class CompensatedSizes {
 public:
  explicit CompensatedSizes(const Version& version);
  uint64_t Of(const FileMetadata& file) const;

 private:
  uint64_t average_value_bytes_ = 0;
};

// Per level; a score >= 1 requests compaction. Busy files do not count.
std::vector<double> ComputeScores(const Version& version, const ColumnFamilyOptions& options,
                                  const BusyFiles& busy);

// Bytes that leveled compaction must still rewrite to reach its targets: drives write stalls. 0 for
// the other styles.
uint64_t EstimatePendingBytes(const Version& version, const ColumnFamilyOptions& options);

// nullopt: nothing to do, or everything due conflicts with a running compaction.
std::optional<CompactionPlan> PickCompaction(const Version& version,
                                             const ColumnFamilyOptions& options,
                                             const BusyFiles& busy);

// No level below `level` has data of [begin, end]: tombstones compacted into it may be dropped.
bool NothingBelow(const Version& version, int level, std::string_view begin, std::string_view end);

// Maximum total size of a compaction's inputs, unless a single input is larger.
uint64_t MaxCompactionBytes(const ColumnFamilyOptions& options);

// The next step of a manual compaction of [begin, end] from `level` downwards; nullopt if files of
// the range at that level are busy or there are none. Takes the whole range at once, and never
// skips a level that has some of it: plan.output_level may be smaller than requested. If
// `output_level` equals `level`, rewrites the files in place (level >= 1).
std::optional<CompactionPlan> PickManualCompaction(
    const Version& version, const ColumnFamilyOptions& options, const BusyFiles& busy, int level,
    int output_level, std::optional<std::string_view> begin, std::optional<std::string_view> end);

}  // namespace varve
