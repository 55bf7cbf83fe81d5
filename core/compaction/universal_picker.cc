// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/universal_picker.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/compaction/plan_output.h"
#include "core/compaction/table_path.h"

namespace varve {
namespace {

struct SortedRun {
  int level = 0;
  std::span<const FilePtr> files;
  uint64_t bytes = 0;
  uint64_t compensated_bytes = 0;
  bool busy = false;
  bool marked = false;
};

double Increased(uint64_t bytes, double percent) {
  return static_cast<double>(bytes) * (100.0 + percent) / 100.0;
}

class UniversalPicker {
 public:
  UniversalPicker(const Version& version, const ColumnFamilyOptions& options, const BusyFiles& busy)
      : version_(version),
        options_(options),
        universal_(options.universal),
        busy_(busy),
        sizes_(version) {
    const std::vector<FilePtr>& newest = version.files(0);
    for (size_t i = 0; i < newest.size(); ++i) AddRun(0, {&newest[i], 1});
    for (int level = 1; level < version.num_levels(); ++level) {
      if (!version.files(level).empty()) AddRun(level, version.files(level));
    }
  }

  std::optional<CompactionPlan> Pick() const {
    const auto trigger = static_cast<size_t>(options_.level0_file_num_compaction_trigger);
    if (runs_.size() >= trigger) {
      if (auto plan = PickSizeAmplification()) return plan;
      if (auto plan = PickBySize(CompactionReason::kSizeRatio, universal_.size_ratio,
                                 std::numeric_limits<size_t>::max())) {
        return plan;
      }
      if (auto plan = PickByCount(trigger)) return plan;
    }
    return PickMarked();
  }

  std::optional<CompactionPlan> PickAll() const {
    if (runs_.empty() || std::any_of(runs_.begin(), runs_.end(), IsBusy)) return std::nullopt;
    return Plan(CompactionReason::kManual, 0, runs_.size());
  }

 private:
  static bool IsBusy(const SortedRun& run) { return run.busy; }

  void AddRun(int level, std::span<const FilePtr> files) {
    SortedRun run{.level = level, .files = files};
    for (const FilePtr& file : files) {
      run.bytes += file->size();
      run.compensated_bytes += sizes_.Of(*file);
      run.busy = run.busy || busy_.contains(file->number());
      run.marked = run.marked || file->description.marked_for_compaction;
    }
    runs_.push_back(run);
  }

  // The first run of those that end with the last one and are not busy; runs_.size(): none.
  size_t FirstIdleToLast() const {
    size_t first = runs_.size();
    while (first > 0 && !runs_[first - 1].busy) --first;
    return first;
  }

  std::optional<CompactionPlan> PickSizeAmplification() const {
    const size_t first = FirstIdleToLast();
    if (first + 1 >= runs_.size()) return std::nullopt;
    double newer = 0;
    for (size_t i = first; i + 1 < runs_.size(); ++i) {
      newer += static_cast<double>(runs_[i].compensated_bytes);
    }
    const double allowed = static_cast<double>(universal_.max_size_amplification_percent) *
                           static_cast<double>(runs_.back().bytes);
    if (newer * 100 < allowed) return std::nullopt;
    return Plan(CompactionReason::kSizeAmplification, first, runs_.size() - first);
  }

  // How many runs, from `first` on, are so similar in size, at most `most`.
  size_t CountSimilar(size_t first, double percent, size_t most) const {
    uint64_t taken = runs_[first].compensated_bytes;
    size_t count = 1;
    for (size_t i = first + 1; count < most && i < runs_.size() && !runs_[i].busy; ++i) {
      const SortedRun& next = runs_[i];
      if (Increased(taken, percent) < static_cast<double>(next.bytes)) break;
      if (universal_.stop_style == UniversalStopStyle::kSimilarSize) {
        if (Increased(next.bytes, percent) < static_cast<double>(taken)) break;
        taken = next.compensated_bytes;
      } else {
        taken += next.compensated_bytes;
      }
      ++count;
    }
    return count;
  }

  std::optional<CompactionPlan> PickBySize(CompactionReason reason, double percent,
                                           size_t most) const {
    const size_t fewest = std::max<size_t>(universal_.min_merge_width, 2);
    most = std::min<size_t>(most, universal_.max_merge_width);
    for (size_t first = 0; first < runs_.size(); ++first) {
      if (runs_[first].busy) continue;
      const size_t count = CountSimilar(first, percent, most);
      if (count < fewest) continue;
      CompactionPlan plan = Plan(reason, first, count);
      if (!IsCompressed(first + count)) plan.compression = CompressionType::kNone;
      return plan;
    }
    return std::nullopt;
  }

  // Whatever their sizes are.
  std::optional<CompactionPlan> PickByCount(size_t trigger) const {
    const auto idle = static_cast<size_t>(
        std::count_if(runs_.begin(), runs_.end(), [](const SortedRun& run) { return !run.busy; }));
    if (idle <= trigger) return std::nullopt;
    constexpr double kAnySize = std::numeric_limits<uint32_t>::max();
    return PickBySize(CompactionReason::kSortedRuns, kAnySize, idle - trigger + 1);
  }

  std::optional<CompactionPlan> PickMarked() const {
    for (size_t first = 0; first + 1 < runs_.size(); ++first) {
      if (!runs_[first].marked || runs_[first].busy) continue;
      size_t after = first + 1;
      while (after < runs_.size() && !runs_[after].busy) ++after;
      if (after - first > 1) return Plan(CompactionReason::kMarked, first, after - first);
    }
    return std::nullopt;
  }

  // Whether a result is, after which the runs from `after` on are older.
  bool IsCompressed(size_t after) const {
    if (universal_.compression_size_percent < 0 || after == runs_.size()) return true;
    double all = 0, older = 0;
    for (size_t i = 0; i < runs_.size(); ++i) {
      all += static_cast<double>(runs_[i].compensated_bytes);
      if (i >= after) older += static_cast<double>(runs_[i].bytes);
    }
    return older * 100 < all * universal_.compression_size_percent;
  }

  CompactionPlan Plan(CompactionReason reason, size_t first, size_t count) const {
    const size_t after = first + count;
    CHECK(count > 0 && after <= runs_.size());
    CompactionPlan plan;
    plan.reason = reason;
    plan.input_level = runs_[first].level;
    plan.output_level =
        after == runs_.size() ? version_.num_levels() - 1 : std::max(runs_[after].level - 1, 0);
    for (size_t i = first; i < after; ++i) {
      const SortedRun& run = runs_[i];
      std::vector<FilePtr>* into = &plan.inputs;
      if (run.level > plan.input_level) {
        into = run.level == plan.output_level
                   ? &plan.output_overlap
                   : &plan.between.emplace_back(LevelInputs{.level = run.level, .files = {}}).files;
      }
      into->insert(into->end(), run.files.begin(), run.files.end());
    }
    DescribeOutput(after, &plan);
    return plan;
  }

  void DescribeOutput(size_t after, CompactionPlan* plan) const {
    const PlanOutput output(version_, options_, ComputeLevelTargets(version_, options_).base_level);
    const ClosedKeyRange range = RangeOf(version_.comparator(), *plan);
    const int level = plan->output_level;
    plan->output_path = PathOfLevel(options_, level);
    plan->deepest = after == runs_.size();
    // Older tables of level 0 may have any keys.
    plan->bottommost =
        plan->deepest || (level > 0 && NothingBelow(version_, level, range.begin, range.end));
    plan->full = InputsOf(*plan).size() == version_.TotalFiles();
    plan->target_file_size =
        level == 0 ? std::numeric_limits<uint64_t>::max() : output.TargetFileSize(level);
    plan->compression = output.CompressionAt(level, plan->deepest);
    plan->point_index = output.PointIndexAt(level);
    if (!MayMove(*plan)) return;
    plan->trivial_move = true;
    plan->output_overlap.clear();  // They stay where they are.
  }

  bool MayMove(const CompactionPlan& plan) const {
    if (!universal_.allow_trivial_move || plan.output_level == 0) return false;
    if (plan.reason == CompactionReason::kManual) return false;
    const Comparator& order = version_.comparator();
    std::vector<const FileMetadata*> files;
    for (const PlanInput& input : InputsOf(plan)) files.push_back(input.file.get());
    std::sort(files.begin(), files.end(), [&](const FileMetadata* a, const FileMetadata* b) {
      return order.Compare(a->smallest.user_key, b->smallest.user_key) < 0;
    });
    return std::adjacent_find(files.begin(), files.end(),
                              [&](const FileMetadata* a, const FileMetadata* b) {
                                return CompareIgnoringTimestamps(order, a->largest.user_key,
                                                                 b->smallest.user_key) >= 0;
                              }) == files.end();
  }

  const Version& version_;
  const ColumnFamilyOptions& options_;
  const UniversalOptions& universal_;
  const BusyFiles& busy_;
  const CompensatedSizes sizes_;
  std::vector<SortedRun> runs_;  // Newest first.
};

}  // namespace

size_t CountSortedRuns(const Version& version) {
  size_t count = version.files(0).size();
  for (int level = 1; level < version.num_levels(); ++level) {
    count += version.files(level).empty() ? 0 : 1;
  }
  return count;
}

std::optional<CompactionPlan> PickUniversalCompaction(const Version& version,
                                                      const ColumnFamilyOptions& options,
                                                      const BusyFiles& busy) {
  return UniversalPicker(version, options, busy).Pick();
}

std::optional<CompactionPlan> PickAllRuns(const Version& version,
                                          const ColumnFamilyOptions& options,
                                          const BusyFiles& busy) {
  return UniversalPicker(version, options, busy).PickAll();
}

}  // namespace varve
