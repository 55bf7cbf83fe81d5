// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/chosen_files.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/keys/timestamps.h"
#include "core/base/try.h"
#include "core/compaction/plan_output.h"
#include "core/compaction/table_path.h"
#include "core/compaction/trivial_move.h"
#include "core/format/file_name.h"

namespace varve {
namespace {

std::optional<FileNumber> TableNamed(std::string_view name) {
  const size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  const std::optional<FileName> parsed = ParseFileName(name);
  if (!parsed) return std::nullopt;
  if (parsed->kind != FileKind::kTable && parsed->kind != FileKind::kTableLdb) return std::nullopt;
  return parsed->number;
}

// FIFO has tables at level 0 only.
int LastOutputLevel(const Version& version, const ColumnFamilyOptions& options) {
  return options.compaction_style == CompactionStyle::kFifo ? 0 : version.num_levels() - 1;
}

Status CheckOutput(const Version& version, const ColumnFamilyOptions& options, int level,
                   const CompactFilesOptions& how) {
  if (level < 0) return Status::InvalidArgument("the output level is negative");
  const int last = LastOutputLevel(version, options);
  if (level > last) {
    return Status::InvalidArgument("output level " + std::to_string(level) +
                                   " is beyond the last one of the style of compaction, " +
                                   std::to_string(last));
  }
  const size_t paths = std::max<size_t>(options.cf_paths.size(), 1);
  if (how.output_path && *how.output_path >= paths) {
    return Status::InvalidArgument("output path " + std::to_string(*how.output_path) +
                                   ": the family has " + std::to_string(paths));
  }
  return Status::Ok();
}

// Grows the choice, level by level.
class ChosenFiles {
 public:
  ChosenFiles(const Version& version, int output_level)
      : version_(version),
        order_(version.comparator()),
        output_level_(output_level),
        taken_(static_cast<size_t>(output_level) + 1) {}

  Status Choose(std::span<const std::string> names) {
    if (names.empty()) return Status::InvalidArgument("a compaction needs at least one table");
    for (const std::string& name : names) {
      const std::optional<FileNumber> number = TableNamed(name);
      if (!number) return Status::InvalidArgument(name + " is not the name of a table");
      chosen_.insert(*number);
    }
    return Status::Ok();
  }

  void Grow() {
    for (int level = 0; level <= output_level_; ++level) {
      const std::vector<FilePtr>& files = version_.files(level);
      Part& part = taken_[static_cast<size_t>(level)];
      for (size_t i = 0; i < files.size(); ++i) {
        if (chosen_.contains(files[i]->number())) part.Include(i);
      }
      if (level == 0) {
        if (part.end > 0 && output_level_ > 0) part.end = files.size();
      } else {
        IncludeOverlap(files, &part);
        IncludeNeighbours(files, &part);
      }
      for (size_t i = part.first; i < part.end; ++i) Extend(*files[i]);
      // Between the keys of this level and those of the levels above.
      if (level > 0) IncludeOverlap(files, &part);
    }
  }

  // Every chosen table is at a level that the plan takes tables of, and none is busy.
  Status Check(const BusyFiles& busy) const {
    std::unordered_set<FileNumber> missing = chosen_;
    for (int level = 0; level <= output_level_; ++level) {
      for (const FilePtr& file : Taken(level)) {
        missing.erase(file->number());
        if (busy.contains(file->number())) {
          return Status::Busy("table " + TableFileName(file->number()) + ", which is needed, is " +
                              "currently being compacted");
        }
      }
    }
    if (missing.empty()) return Status::Ok();
    const FileNumber number = *std::min_element(missing.begin(), missing.end());
    for (int level = output_level_ + 1; level < version_.num_levels(); ++level) {
      for (const FilePtr& file : version_.files(level)) {
        if (file->number() != number) continue;
        return Status::InvalidArgument("cannot compact " + TableFileName(number) +
                                       " upwards, from level " + std::to_string(level) + " to " +
                                       std::to_string(output_level_));
      }
    }
    return Status::InvalidArgument("table " + TableFileName(number) + " does not exist");
  }

  std::span<const FilePtr> Taken(int level) const {
    const Part& part = taken_[static_cast<size_t>(level)];
    return std::span(version_.files(level)).subspan(part.first, part.end - part.first);
  }

 private:
  // Of the files of a level.
  struct Part {
    void Include(size_t index) {
      first = first == end ? index : std::min(first, index);
      end = std::max(end, index + 1);
    }
    size_t first = 0, end = 0;
  };

  bool MeetsKeys(const FileMetadata& file) const {
    return keys_ && CompareIgnoringTimestamps(order_, file.smallest.user_key, keys_->end) <= 0 &&
           CompareIgnoringTimestamps(order_, file.largest.user_key, keys_->begin) >= 0;
  }

  void IncludeOverlap(const std::vector<FilePtr>& files, Part* part) const {
    for (size_t i = 0; i < files.size(); ++i) {
      if (MeetsKeys(*files[i])) part->Include(i);
    }
  }

  bool Touch(const FileMetadata& before, const FileMetadata& after) const {
    return CompareIgnoringTimestamps(order_, before.largest.user_key, after.smallest.user_key) >= 0;
  }

  void IncludeNeighbours(const std::vector<FilePtr>& files, Part* part) const {
    if (part->first == part->end) return;
    while (part->first > 0 && Touch(*files[part->first - 1], *files[part->first])) --part->first;
    while (part->end < files.size() && Touch(*files[part->end - 1], *files[part->end])) {
      ++part->end;
    }
  }

  void Extend(const FileMetadata& file) {
    if (!keys_) keys_ = ClosedKeyRange{file.smallest.user_key, file.largest.user_key};
    if (CompareIgnoringTimestamps(order_, file.smallest.user_key, keys_->begin) < 0) {
      keys_->begin = file.smallest.user_key;
    }
    if (CompareIgnoringTimestamps(order_, file.largest.user_key, keys_->end) > 0) {
      keys_->end = file.largest.user_key;
    }
  }

  const Version& version_;
  const Comparator& order_;
  const int output_level_;
  std::unordered_set<FileNumber> chosen_;
  std::vector<Part> taken_;             // By level.
  std::optional<ClosedKeyRange> keys_;  // Of what is taken of the levels above.
};

void TakeInputs(const ChosenFiles& files, CompactionPlan* plan) {
  for (int level = 0; level <= plan->output_level; ++level) {
    const std::span<const FilePtr> taken = files.Taken(level);
    if (taken.empty()) continue;
    std::vector<FilePtr> list(taken.begin(), taken.end());
    if (plan->inputs.empty()) {
      plan->input_level = level;
      plan->inputs = std::move(list);
    } else if (level < plan->output_level) {
      plan->between.push_back({.level = level, .files = std::move(list)});
    } else {
      plan->output_overlap = std::move(list);
    }
  }
}

// Level 0 has tables that are older than the output there.
bool LeavesOlder(const Version& version, const CompactionPlan& plan) {
  return plan.output_level == 0 && plan.inputs.back() != version.files(0).back();
}

void DescribeChosen(const Version& version, const ColumnFamilyOptions& options,
                    const CompactFilesOptions& how, CompactionPlan* plan) {
  const int level = plan->output_level;
  const PlanOutput output(version, options, ComputeLevelTargets(version, options).base_level);
  const ClosedKeyRange range = RangeOf(version.comparator(), *plan);
  const bool oldest = !LeavesOlder(version, *plan);
  plan->output_path = how.output_path.value_or(PathOfLevel(options, level));
  plan->deepest = oldest && output.IsDeepest(level);
  plan->bottommost = oldest && NothingBelow(version, level, range.begin, range.end);
  plan->full = InputsOf(*plan).size() == version.TotalFiles();
  plan->target_file_size =
      level == 0 ? std::numeric_limits<uint64_t>::max() : how.output_file_size_limit;
  plan->compression = how.compression.value_or(output.CompressionAt(level, plan->deepest));
  plan->point_index = output.PointIndexAt(level);
  plan->trivial_move = how.allow_trivial_move && options.compaction_filter_factory == nullptr &&
                       MayMoveDown(*plan, version, options, output);
}

}  // namespace

Result<CompactionPlan> PlanChosenFiles(const Version& version, const ColumnFamilyOptions& options,
                                       const BusyFiles& busy, std::span<const std::string> names,
                                       int output_level, const CompactFilesOptions& how) {
  RETURN_IF_ERROR(CheckOutput(version, options, output_level, how));
  ChosenFiles files(version, output_level);
  RETURN_IF_ERROR(files.Choose(names));
  files.Grow();
  RETURN_IF_ERROR(files.Check(busy));
  CompactionPlan plan;
  plan.reason = CompactionReason::kManual;
  plan.output_level = output_level;
  TakeInputs(files, &plan);
  DescribeChosen(version, options, how, &plan);
  return plan;
}

}  // namespace varve
