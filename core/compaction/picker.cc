// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/picker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/base/saturating.h"
#include "core/compaction/blob_separator.h"
#include "core/compaction/plan_output.h"
#include "core/compaction/table_path.h"
#include "core/compaction/trivial_move.h"
#include "core/compaction/universal_picker.h"

namespace varve {
namespace {

void Extend(const Comparator& order, const std::vector<FilePtr>& files, ClosedKeyRange* range) {
  for (const FilePtr& file : files) {
    if (order.Compare(file->smallest.user_key, range->begin) < 0) {
      range->begin = file->smallest.user_key;
    }
    if (order.Compare(file->largest.user_key, range->end) > 0) {
      range->end = file->largest.user_key;
    }
  }
}

bool AnyBusy(const std::vector<FilePtr>& files, const BusyFiles& busy) {
  return std::any_of(files.begin(), files.end(),
                     [&busy](const FilePtr& file) { return busy.contains(file->number()); });
}

uint64_t Bytes(const std::vector<FilePtr>& files) {
  uint64_t bytes = 0;
  for (const FilePtr& file : files) bytes += file->size();
  return bytes;
}

// If the largest key is the end of a range tombstone, its user key is excluded (db-format 5.2).
bool EndsWithin(const FileMetadata& a, const FileMetadata& b, const Comparator& order) {
  return !a.ends_before_largest() &&
         CompareIgnoringTimestamps(order, a.largest.user_key, b.smallest.user_key) == 0;
}

// Whether the files are in the level, in its order, and not busy.
bool AreIdleOf(const std::vector<FilePtr>& level, const std::vector<FilePtr>& files,
               const BusyFiles& busy) {
  if (AnyBusy(files, busy)) return false;
  auto from = level.begin();
  for (const FilePtr& file : files) {
    const auto at = std::find(from, level.end(), file);
    if (at == level.end()) return false;
    from = at + 1;
  }
  return true;
}

// Checks the guarantees that picker.h gives for a plan.
[[maybe_unused]] bool IsSound(const CompactionPlan& plan, const Version& version,
                              const BusyFiles& busy) {
  if (plan.inputs.empty() || plan.output_level >= version.num_levels()) return false;
  if (plan.output_level < plan.input_level) return false;
  if (!AreIdleOf(version.files(plan.input_level), plan.inputs, busy)) return false;
  if (!AreIdleOf(version.files(plan.output_level), plan.output_overlap, busy)) return false;
  const bool may_overlap = plan.output_level > plan.input_level && !plan.trivial_move;
  return plan.output_overlap.empty() || may_overlap;
}

// Makes the plan for one pick, step by step.
class LevelPicker {
 public:
  LevelPicker(const Version& version, const ColumnFamilyOptions& options, const BusyFiles& busy)
      : version_(version),
        order_(version.comparator()),
        options_(options),
        busy_(busy),
        targets_(ComputeLevelTargets(version, options)),
        output_(version, options, targets_.base_level) {}

  const LevelTargets& targets() const { return targets_; }

  std::optional<CompactionPlan> PickLevel0() const {
    const std::vector<FilePtr>& files = version_.files(0);
    // Two concurrent jobs on level 0 could put an older version above a newer one.
    if (files.empty() || AnyBusy(files)) return std::nullopt;
    if (const size_t count = CountToMerge(files); count > 1) {
      return MergeInLevel0({files.begin(), files.begin() + static_cast<ptrdiff_t>(count)});
    }
    return Plan(CompactionReason::kLevel0Files, 0, targets_.base_level, {files.back()});
  }

  // Prefers the file with the smallest overlap with the next level relative to its size.
  std::optional<CompactionPlan> PickLevel(int level) const {
    for (const size_t candidate : ByOverlap(level)) {
      const FilePtr& file = version_.files(level)[candidate];
      if (IsBusy(*file)) continue;
      std::optional<CompactionPlan> plan =
          Plan(CompactionReason::kLevelSize, level, level + 1, {file});
      if (plan) return plan;
    }
    return std::nullopt;
  }

  std::optional<CompactionPlan> PickMarked() const {
    for (int level = 0; level + 1 < version_.num_levels(); level++) {
      for (const FilePtr& file : version_.files(level)) {
        if (!file->description.marked_for_compaction || IsBusy(*file)) continue;
        if (level == 0 && AnyBusy(version_.files(0))) break;
        const int output = level == 0 ? targets_.base_level : level + 1;
        std::optional<CompactionPlan> plan = Plan(CompactionReason::kMarked, level, output, {file});
        if (plan) return plan;
      }
    }
    return std::nullopt;
  }

  // Rewrites a table that refers to the oldest blob file, once enough of it is garbage (RocksDB's
  // ComputeFilesMarkedForForcedBlobGC): that file, and those behind it to which no table owes its
  // life, can be deleted then. Tables of level 0 move down by themselves.
  std::optional<CompactionPlan> PickBlobGarbage() const {
    const std::optional<FileNumber> oldest = BlobFileToFree();
    if (!oldest) return std::nullopt;
    for (int level = 1; level < version_.num_levels(); level++) {
      for (const FilePtr& file : version_.files(level)) {
        if (file->description.oldest_blob_file != *oldest || IsBusy(*file)) continue;
        std::optional<CompactionPlan> plan =
            Plan(CompactionReason::kBlobGarbage, level, level, {file});
        if (plan) return plan;
      }
    }
    return std::nullopt;
  }

  // Completes a plan that contains `seed`; nullopt if that would need a busy file.
  std::optional<CompactionPlan> Plan(CompactionReason reason, int level, int output_level,
                                     std::vector<FilePtr> seed) const {
    CompactionPlan plan;
    plan.reason = reason;
    plan.input_level = level;
    plan.inputs = level == 0 ? GrowLevel0(std::move(seed)) : CleanCut(level, std::move(seed));
    if (AnyBusy(plan.inputs)) return std::nullopt;
    ClosedKeyRange range = RangeOf(plan.inputs);
    plan.output_level = FirstInTheWay(level, output_level, range);
    if (plan.output_level > level) {
      plan.output_overlap = OverlapBelow(plan.output_level, range);
      if (AnyBusy(plan.output_overlap)) return std::nullopt;
      if (level > 0) GrowInputs(&plan);
      range = RangeOf(plan.inputs, plan.output_overlap);
    }
    plan.output_path = PathOfLevel(options_, plan.output_level);
    plan.bottommost = NothingBelow(version_, plan.output_level, range.begin, range.end);
    plan.deepest = output_.IsDeepest(plan.output_level);
    plan.full = plan.inputs.size() + plan.output_overlap.size() == version_.TotalFiles();
    plan.target_file_size = output_.TargetFileSize(plan.output_level);
    plan.compression = output_.CompressionAt(plan.output_level);
    plan.point_index = output_.PointIndexAt(plan.output_level);
    plan.trivial_move = MayMoveDown(plan, version_, options_, output_);
    DCHECK(IsSound(plan, version_, busy_));
    return plan;
  }

 private:
  // The oldest blob file, if what lives because of it is all old enough to be collected, and enough
  // of that is garbage.
  std::optional<FileNumber> BlobFileToFree() const {
    const BlobOptions& blobs = options_.blobs;
    const std::vector<BlobFileMetadata>& files = version_.blob_files();
    if (!blobs.collect_garbage || blobs.force_threshold >= 1 || files.empty()) return std::nullopt;
    const FileNumber collect_below = CollectBlobsBelow(files, blobs);
    std::unordered_set<FileNumber> linked;
    for (int level = 0; level < version_.num_levels(); level++) {
      for (const FilePtr& file : version_.files(level)) {
        linked.insert(file->description.oldest_blob_file);
      }
    }
    uint64_t bytes = 0, garbage = 0;
    for (const BlobFileMetadata& file : files) {
      if (&file != &files.front() && linked.contains(file.number)) break;
      if (file.number >= collect_below) return std::nullopt;
      bytes += file.bytes;
      garbage += file.garbage_bytes;
    }
    const double due = blobs.force_threshold * static_cast<double>(bytes);
    if (static_cast<double>(garbage) < due) return std::nullopt;
    return files.front().number;
  }

  bool IsBusy(const FileMetadata& file) const { return busy_.contains(file.number()); }
  bool AnyBusy(const std::vector<FilePtr>& files) const { return varve::AnyBusy(files, busy_); }

  ClosedKeyRange RangeOf(const std::vector<FilePtr>& files,
                         const std::vector<FilePtr>& more = {}) const {
    ClosedKeyRange range{files.front()->smallest.user_key, files.front()->largest.user_key};
    Extend(order_, files, &range);
    Extend(order_, more, &range);
    return range;
  }

  // How many of the newest level-0 files to merge into one.
  size_t CountToMerge(const std::vector<FilePtr>& files) const {
    const auto trigger = static_cast<size_t>(options_.level0_file_num_compaction_trigger);
    const uint64_t small = std::min(options_.write_buffer_size, options_.target_file_size_base) / 4;
    if (files.size() < trigger || Bytes(files) >= small) return 0;
    size_t count = 0;
    // Cost per file that is removed.
    uint64_t bytes = 0, cost = std::numeric_limits<uint64_t>::max();
    for (size_t i = 0; i < files.size(); ++i) {
      bytes += files[i]->size();
      if (i == 0) continue;
      if (bytes / i > cost) break;
      cost = bytes / i;
      count = i + 1;
    }
    return count;
  }

  // `files` are adjacent in age. The output is one file, which replaces them.
  CompactionPlan MergeInLevel0(std::vector<FilePtr> files) const {
    CompactionPlan plan;
    plan.reason = CompactionReason::kLevel0Files;
    plan.inputs = std::move(files);
    plan.full = plan.inputs.size() == version_.TotalFiles();
    plan.target_file_size = std::numeric_limits<uint64_t>::max();
    plan.output_path = PathOfLevel(options_, 0);
    plan.compression = output_.CompressionAt(0);
    plan.point_index = output_.PointIndexAt(0);
    DCHECK(IsSound(plan, version_, busy_));
    return plan;
  }

  // All level-0 files that overlap `files`, directly or transitively: what stays must not be older
  // than what moves down. Newest first, like the level.
  std::vector<FilePtr> GrowLevel0(std::vector<FilePtr> files) const {
    while (true) {
      const ClosedKeyRange range = RangeOf(files);
      std::vector<FilePtr> overlapping = version_.Overlapping(0, range.begin, range.end);
      if (overlapping.size() == files.size()) return overlapping;
      files = std::move(overlapping);
    }
  }

  // Adds neighbours that share a boundary user key: moving only the newer versions of a key to a
  // deeper level would invert their order. `files`: adjacent, in order.
  std::vector<FilePtr> CleanCut(int level, std::vector<FilePtr> files) const {
    if (files.empty()) return files;
    const std::vector<FilePtr>& all = version_.files(level);
    auto first = std::find(all.begin(), all.end(), files.front());
    CHECK_OP(files.size(), <=, static_cast<size_t>(all.end() - first));
    auto last = first + static_cast<ptrdiff_t>(files.size()) - 1;
    while (first != all.begin() && EndsWithin(**(first - 1), **first, order_)) --first;
    while (last + 1 != all.end() && EndsWithin(**last, **(last + 1), order_)) ++last;
    return {first, last + 1};
  }

  std::vector<FilePtr> OverlapBelow(int level, const ClosedKeyRange& range) const {
    return CleanCut(level, version_.Overlapping(level, range.begin, range.end));
  }

  // Data must not move past a level that has older versions of the range.
  int FirstInTheWay(int level, int output_level, const ClosedKeyRange& range) const {
    for (int between = level + 1; between < output_level; between++) {
      if (!version_.Overlapping(between, range.begin, range.end).empty()) return between;
    }
    return output_level;
  }

  // Adds inputs as long as they need no more of the output level.
  void GrowInputs(CompactionPlan* plan) const {
    if (plan->output_overlap.empty()) return;
    const ClosedKeyRange range = RangeOf(plan->inputs, plan->output_overlap);
    std::vector<FilePtr> more = CleanCut(
        plan->input_level, version_.Overlapping(plan->input_level, range.begin, range.end));
    if (more.size() <= plan->inputs.size() || AnyBusy(more)) return;
    if (Bytes(more) + Bytes(plan->output_overlap) > MaxCompactionBytes(options_)) return;
    if (OverlapBelow(plan->output_level, RangeOf(more)).size() != plan->output_overlap.size()) {
      return;
    }
    plan->inputs = std::move(more);
  }

  // Indexes of the level's files, by overlap with the next level per byte.
  std::vector<size_t> ByOverlap(int level) const {
    const std::vector<FilePtr>& files = version_.files(level);
    const std::vector<FilePtr>& below = version_.files(level + 1);
    std::vector<std::pair<double, size_t>> costs;  // Ties keep the key order.
    costs.reserve(files.size());
    const CompensatedSizes sizes(version_);
    size_t first = 0;  // Of `below`; files before it end before the current file.
    for (const FilePtr& file : files) {
      while (first < below.size() &&
             order_.Compare(below[first]->largest.user_key, file->smallest.user_key) < 0) {
        first++;
      }
      uint64_t overlap = 0;
      for (size_t i = first; i < below.size() && order_.Compare(below[i]->smallest.user_key,
                                                                file->largest.user_key) <= 0;
           i++) {
        overlap += below[i]->size();
      }
      const auto size = static_cast<double>(std::max<uint64_t>(sizes.Of(*file), 1));
      costs.emplace_back(static_cast<double>(overlap) / size, costs.size());
    }
    std::sort(costs.begin(), costs.end());
    std::vector<size_t> indexes;
    indexes.reserve(costs.size());
    for (const auto& [cost, index] : costs) indexes.push_back(index);
    return indexes;
  }

  const Version& version_;
  const Comparator& order_;
  const ColumnFamilyOptions& options_;
  const BusyFiles& busy_;
  const LevelTargets targets_;
  const PlanOutput output_;
};

// Drops the oldest files until the rest fits.
std::optional<CompactionPlan> PickFifo(const Version& version, const ColumnFamilyOptions& options,
                                       const BusyFiles& busy) {
  const std::vector<FilePtr>& files = version.files(0);
  if (AnyBusy(files, busy)) return std::nullopt;
  uint64_t bytes = Bytes(files);
  CompactionPlan plan;
  plan.reason = CompactionReason::kFifoSize;
  plan.delete_only = true;
  for (auto it = files.rbegin(); it != files.rend() && bytes > options.fifo_max_table_files_size;
       ++it) {
    bytes -= (*it)->size();
    plan.inputs.insert(plan.inputs.begin(), *it);
  }
  if (plan.inputs.empty()) return std::nullopt;
  return plan;
}

}  // namespace

ClosedKeyRange RangeOf(const Comparator& order, const CompactionPlan& plan) {
  const FileMetadata& any = *plan.inputs.front();
  ClosedKeyRange range{any.smallest.user_key, any.largest.user_key};
  Extend(order, plan.inputs, &range);
  for (const LevelInputs& level : plan.between) Extend(order, level.files, &range);
  Extend(order, plan.output_overlap, &range);
  return range;
}

std::vector<PlanInput> InputsOf(const CompactionPlan& plan) {
  std::vector<PlanInput> inputs;
  const auto add = [&inputs](int level, const std::vector<FilePtr>& files) {
    for (const FilePtr& file : files) inputs.push_back({level, file});
  };
  add(plan.input_level, plan.inputs);
  for (const LevelInputs& level : plan.between) add(level.level, level.files);
  add(plan.output_level, plan.output_overlap);
  return inputs;
}

bool NothingBelow(const Version& version, int level, std::string_view begin, std::string_view end) {
  for (int below = level + 1; below < version.num_levels(); below++) {
    if (!version.Overlapping(below, begin, end).empty()) return false;
  }
  return true;
}

uint64_t MaxCompactionBytes(const ColumnFamilyOptions& options) {
  return options.max_compaction_bytes > 0 ? options.max_compaction_bytes
                                          : SaturatingMultiply(options.target_file_size_base, 25);
}

std::optional<CompactionPlan> PickCompaction(const Version& version,
                                             const ColumnFamilyOptions& options,
                                             const BusyFiles& busy) {
  if (options.disable_auto_compactions || options.compaction_style == CompactionStyle::kNone) {
    return std::nullopt;
  }
  if (options.compaction_style == CompactionStyle::kFifo) return PickFifo(version, options, busy);
  const LevelPicker picker(version, options, busy);
  if (options.compaction_style == CompactionStyle::kUniversal) {
    if (auto plan = PickUniversalCompaction(version, options, busy)) return plan;
    return picker.PickBlobGarbage();
  }
  if (version.num_levels() == 1) return std::nullopt;
  const std::vector<double> scores = ComputeScores(version, options, busy);
  std::vector<std::pair<double, int>> by_score;  // Negated: the highest first, then upper levels.
  for (size_t level = 0; level < scores.size(); level++) {
    if (scores[level] >= 1) by_score.emplace_back(-scores[level], static_cast<int>(level));
  }
  std::sort(by_score.begin(), by_score.end());
  for (const auto& [score, level] : by_score) {
    std::optional<CompactionPlan> plan = level == 0 ? picker.PickLevel0() : picker.PickLevel(level);
    if (plan) return plan;
  }
  if (std::optional<CompactionPlan> plan = picker.PickMarked()) return plan;
  return picker.PickBlobGarbage();
}

std::optional<CompactionPlan> PickManualCompaction(
    const Version& version, const ColumnFamilyOptions& options, const BusyFiles& busy, int level,
    int output_level, std::optional<std::string_view> begin, std::optional<std::string_view> end) {
  std::vector<FilePtr> files = version.Overlapping(level, begin, end);
  if (files.empty()) return std::nullopt;
  if (level == 0 && AnyBusy(version.files(0), busy)) return std::nullopt;
  const LevelPicker picker(version, options, busy);
  return picker.Plan(CompactionReason::kManual, level, output_level, std::move(files));
}

}  // namespace varve
