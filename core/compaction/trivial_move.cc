// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/trivial_move.h"

#include <algorithm>

#include "core/compaction/block_compression.h"

namespace varve {
namespace {

// What was written without paths, or with others, may name one that there is not.
bool IsInOtherPath(const CompactionPlan& plan, const ColumnFamilyOptions& options) {
  if (options.cf_paths.size() < 2) return false;
  return std::any_of(plan.inputs.begin(), plan.inputs.end(), [&](const FilePtr& file) {
    return file->description.path_id != plan.output_path;
  });
}

// Flushed blocks are not compressed for the deepest level, wherever level 0 is compacted to.
bool MustRecode(const CompactionPlan& plan, const ColumnFamilyOptions& options,
                const PlanOutput& output) {
  const CompressionType stored = plan.input_level == 0 ? TableOptionsOfFlush(options).compression
                                                       : output.CompressionAt(plan.input_level);
  if (stored != plan.compression) return true;
  if (output.PointIndexAt(plan.input_level) != output.PointIndexAt(plan.output_level)) return true;
  return plan.input_level == 0 && options.bottommost_compression.enabled &&
         output.IsDeepest(plan.output_level);
}

uint64_t BytesBelow(const Version& version, int level, const FileMetadata& file) {
  uint64_t bytes = 0;
  for (const FilePtr& below :
       version.Overlapping(level, file.smallest.user_key, file.largest.user_key)) {
    bytes += below->size();
  }
  return bytes;
}

}  // namespace

bool MayMoveDown(const CompactionPlan& plan, const Version& version,
                 const ColumnFamilyOptions& options, const PlanOutput& output) {
  if (plan.output_level == plan.input_level) return false;
  if (!plan.between.empty() || !plan.output_overlap.empty()) return false;
  if (plan.input_level == 0 && plan.inputs.size() > 1) return false;
  if (MustRecode(plan, options, output)) return false;
  if (IsInOtherPath(plan, options)) return false;
  const int grandparents = plan.output_level + 1;
  if (grandparents >= version.num_levels()) return true;
  return std::all_of(plan.inputs.begin(), plan.inputs.end(), [&](const FilePtr& file) {
    return file->size() + BytesBelow(version, grandparents, *file) <= MaxCompactionBytes(options);
  });
}

}  // namespace varve
