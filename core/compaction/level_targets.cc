// SPDX-License-Identifier: Apache-2.0
// Target sizes of levels, and scores: how far levels are from them.
#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/compaction/picker.h"
#include "core/version/table_weight.h"

namespace varve {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

uint64_t Scale(uint64_t bytes, double factor) {
  const double scaled = static_cast<double>(bytes) * factor;
  return scaled >= static_cast<double>(kUnlimited) ? kUnlimited : static_cast<uint64_t>(scaled);
}

uint64_t SaturatingAdd(uint64_t a, uint64_t b) { return a > kUnlimited - b ? kUnlimited : a + b; }

double Ratio(uint64_t bytes, uint64_t target) {
  return static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(target, 1));
}

struct Sizes {
  int first_nonempty = 0;  // Of levels >= 1; 0 if all are empty.
  uint64_t largest = 0;
};

Sizes MeasureLevels(const Version& version) {
  Sizes sizes;
  for (int level = 1; level < version.num_levels(); level++) {
    if (version.files(level).empty()) continue;
    if (sizes.first_nonempty == 0) sizes.first_nonempty = level;
    sizes.largest = std::max(sizes.largest, version.LevelBytes(level));
  }
  return sizes;
}

LevelTargets StaticTargets(const ColumnFamilyOptions& options, int levels) {
  LevelTargets targets;
  targets.bytes.assign(static_cast<size_t>(levels), kUnlimited);
  uint64_t target = options.max_bytes_for_level_base;
  for (int level = 1; level < levels; level++) {
    targets.bytes[static_cast<size_t>(level)] = target;
    target = Scale(target, options.max_bytes_for_level_multiplier);
  }
  return targets;
}

// Divides the largest level's size by the multiplier, level by level upwards, until it is within
// max_bytes_for_level_base: that level is the base level, and all levels between it and level 0
// stay empty.
LevelTargets DynamicTargets(const Version& version, const ColumnFamilyOptions& options) {
  const int levels = version.num_levels();
  const double multiplier = std::max(options.max_bytes_for_level_multiplier, 1.001);
  LevelTargets targets;
  targets.bytes.assign(static_cast<size_t>(levels), kUnlimited);
  const Sizes sizes = MeasureLevels(version);
  if (sizes.first_nonempty == 0) {
    targets.base_level = levels - 1;
    return targets;
  }
  const uint64_t base_max = options.max_bytes_for_level_base;
  const uint64_t base_min = Scale(base_max, 1 / multiplier);
  uint64_t size = sizes.largest;
  for (int level = levels - 2; level >= sizes.first_nonempty; level--) {
    size = Scale(size, 1 / multiplier);
  }
  targets.base_level = sizes.first_nonempty;
  CHECK(1 <= targets.base_level && targets.base_level < levels);
  if (size <= base_min) {
    size = base_min + 1;  // The data shrank: the level has more than it should.
  } else {
    while (targets.base_level > 1 && size > base_max) {
      targets.base_level--;
      size = Scale(size, 1 / multiplier);
    }
    size = std::min(size, base_max);
  }
  for (int level = targets.base_level; level < levels; level++) {
    // A level below the base level never has a smaller target than the base level, or small
    // databases would get an hourglass shape.
    targets.bytes[static_cast<size_t>(level)] = std::max(size, base_max);
    size = Scale(size, multiplier);
  }
  return targets;
}

uint64_t TotalBytes(const Version& version) {
  uint64_t bytes = 0;
  for (int level = 0; level < version.num_levels(); level++) {
    bytes = SaturatingAdd(bytes, version.LevelBytes(level));
  }
  return bytes;
}

// Sorted runs of universal compaction of which no table is busy.
uint64_t IdleRuns(const Version& version, const BusyFiles& busy) {
  const auto idle = [&busy](const FilePtr& file) { return !busy.contains(file->number()); };
  const std::vector<FilePtr>& newest = version.files(0);
  auto runs = static_cast<uint64_t>(std::count_if(newest.begin(), newest.end(), idle));
  for (int level = 1; level < version.num_levels(); level++) {
    const std::vector<FilePtr>& files = version.files(level);
    runs += !files.empty() && std::all_of(files.begin(), files.end(), idle) ? 1 : 0;
  }
  return runs;
}

}  // namespace

CompensatedSizes::CompensatedSizes(const Version& version) {
  TableTotals totals;
  for (int level = 0; level < version.num_levels(); level++) {
    for (const FilePtr& file : version.files(level)) totals.Add(file->size(), file->counts());
  }
  average_value_bytes_ = AverageValueBytes(totals);
}

uint64_t CompensatedSizes::Of(const FileMetadata& file) const {
  return CompensatedBytes(file.size(), file.counts(), average_value_bytes_);
}

LevelTargets ComputeLevelTargets(const Version& version, const ColumnFamilyOptions& options) {
  if (version.num_levels() == 1) return {.base_level = 0, .bytes = {kUnlimited}};
  if (options.compaction_style == CompactionStyle::kUniversal) {
    return {.base_level = 1,
            .bytes = std::vector<uint64_t>(static_cast<size_t>(version.num_levels()), kUnlimited)};
  }
  return options.level_compaction_dynamic_level_bytes
             ? DynamicTargets(version, options)
             : StaticTargets(options, version.num_levels());
}

std::vector<double> ComputeScores(const Version& version, const ColumnFamilyOptions& options,
                                  const BusyFiles& busy) {
  std::vector<double> scores(static_cast<size_t>(version.num_levels()), 0);
  if (options.compaction_style == CompactionStyle::kNone) return scores;
  if (options.compaction_style == CompactionStyle::kFifo) {
    scores[0] = Ratio(TotalBytes(version), options.fifo_max_table_files_size);
    return scores;
  }
  if (options.compaction_style == CompactionStyle::kUniversal) {
    scores[0] = Ratio(IdleRuns(version, busy),
                      static_cast<uint64_t>(options.level0_file_num_compaction_trigger));
    return scores;
  }
  const LevelTargets targets = ComputeLevelTargets(version, options);
  const CompensatedSizes sizes(version);
  for (int level = 0; level + 1 < version.num_levels(); level++) {
    uint64_t idle_files = 0, idle_bytes = 0;
    for (const FilePtr& file : version.files(level)) {
      if (busy.contains(file->number())) continue;
      idle_files++;
      idle_bytes = SaturatingAdd(idle_bytes, sizes.Of(*file));
    }
    if (level > 0) {
      scores[static_cast<size_t>(level)] =
          Ratio(idle_bytes, targets.bytes[static_cast<size_t>(level)]);
      continue;
    }
    const int trigger = std::max(options.level0_file_num_compaction_trigger, 1);
    scores[0] = std::max(Ratio(idle_files, static_cast<uint64_t>(trigger)),
                         Ratio(idle_bytes, options.max_bytes_for_level_base));
  }
  return scores;
}

uint64_t EstimatePendingBytes(const Version& version, const ColumnFamilyOptions& options) {
  if (options.compaction_style != CompactionStyle::kLevel || version.num_levels() == 1) return 0;
  const LevelTargets targets = ComputeLevelTargets(version, options);
  const int trigger = std::max(options.level0_file_num_compaction_trigger, 1);
  uint64_t pending = 0;
  uint64_t incoming = 0;  // Bytes that the level above will move into this one.
  const uint64_t level0 = version.LevelBytes(0);
  if (version.files(0).size() >= static_cast<size_t>(trigger) ||
      level0 >= options.max_bytes_for_level_base) {
    incoming = level0;
    pending = SaturatingAdd(level0, version.LevelBytes(targets.base_level));
  }
  for (int level = targets.base_level; level + 1 < version.num_levels(); level++) {
    const uint64_t bytes = SaturatingAdd(version.LevelBytes(level), incoming);
    const uint64_t target = targets.bytes[static_cast<size_t>(level)];
    incoming = bytes > target ? bytes - target : 0;
    if (incoming == 0) continue;
    // Each byte moved down also rewrites its share of the next level.
    const double fan_out = 1 + Ratio(version.LevelBytes(level + 1), bytes);
    pending = SaturatingAdd(pending, Scale(incoming, fan_out));
  }
  return pending;
}

}  // namespace varve
