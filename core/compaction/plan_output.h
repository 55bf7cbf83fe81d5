// SPDX-License-Identifier: Apache-2.0
// How the tables of a level are written by a compaction: size, codec, point index.
#pragma once

#include <cstdint>
#include <optional>

#include "core/version/version.h"
#include "varve/options.h"

namespace varve {

// Keeps references to its arguments.
class PlanOutput {
 public:
  // `base_level`: LevelTargets::base_level.
  PlanOutput(const Version& version, const ColumnFamilyOptions& options, int base_level)
      : version_(version), options_(options), base_level_(base_level) {}

  // No level below has any data.
  bool IsDeepest(int level) const;
  uint64_t TargetFileSize(int level) const;
  // `deepest`: whether nothing older than the output is anywhere in the family.
  CompressionType CompressionAt(int level, bool deepest) const;
  CompressionType CompressionAt(int level) const { return CompressionAt(level, IsDeepest(level)); }
  // Only if options have point_index_per_level.
  std::optional<PointIndexKind> PointIndexAt(int level) const;

 private:
  int StepsBelowBase(int level) const;
  template <typename T>
  T EntryAt(int level, const std::vector<T>& list) const;

  const Version& version_;
  const ColumnFamilyOptions& options_;
  const int base_level_;
};

}  // namespace varve
