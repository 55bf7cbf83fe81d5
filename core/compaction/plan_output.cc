// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/plan_output.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace varve {

bool PlanOutput::IsDeepest(int level) const {
  for (int below = level + 1; below < version_.num_levels(); below++) {
    if (!version_.files(below).empty()) return false;
  }
  return true;
}

int PlanOutput::StepsBelowBase(int level) const { return std::max(level - base_level_, 0); }

uint64_t PlanOutput::TargetFileSize(int level) const {
  constexpr uint64_t kMax = uint64_t{1} << 40;
  uint64_t size = options_.target_file_size_base;
  for (int i = 0; i < StepsBelowBase(level) && size < kMax; i++) {
    size *= static_cast<uint64_t>(std::max(options_.target_file_size_multiplier, 1));
  }
  return size;
}

// The entry of a list with one for each level, of which the last is repeated. With dynamic levels
// the second entry applies to the base level.
template <typename T>
T PlanOutput::EntryAt(int level, const std::vector<T>& list) const {
  auto index = static_cast<size_t>(level);
  if (level > 0 && options_.level_compaction_dynamic_level_bytes) {
    index = static_cast<size_t>(StepsBelowBase(level)) + 1;
  }
  return list[std::min(index, list.size() - 1)];
}

CompressionType PlanOutput::CompressionAt(int level, bool deepest) const {
  if (options_.bottommost_compression.type && deepest) return *options_.bottommost_compression.type;
  if (options_.compression_per_level.empty()) return options_.table.compression;
  return EntryAt(level, options_.compression_per_level);
}

std::optional<PointIndexKind> PlanOutput::PointIndexAt(int level) const {
  if (options_.point_index_per_level.empty()) return std::nullopt;
  return EntryAt(level, options_.point_index_per_level);
}

}  // namespace varve
