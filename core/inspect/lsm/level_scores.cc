// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/level_scores.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/base/options/option_limits.h"
#include "core/base/options/option_value.h"

namespace varve {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();
// Scores of 1 and above are multiplied by this if several levels compete (dynamic targets).
constexpr double kDueFactor = 10;
// Score of level 0 if only its bytes make it due.
constexpr double kBarelyDue = 1.01;

double Real(uint64_t bytes) { return static_cast<double>(bytes); }
size_t Index(int level) { return static_cast<size_t>(level); }

uint64_t Multiply(uint64_t bytes, double factor) {
  if (factor <= 0 || bytes == 0) return 0;
  return Real(bytes) >= Real(kUnlimited) / factor ? bytes
                                                  : static_cast<uint64_t>(Real(bytes) * factor);
}

uint64_t Shrink(uint64_t bytes, double divisor) {
  return divisor <= 0 ? bytes : static_cast<uint64_t>(Real(bytes) / divisor);
}

std::vector<uint64_t> StaticTargets(const CompactionSettings& settings, int levels) {
  std::vector<uint64_t> targets(Index(levels), settings.max_bytes_for_level_base);
  for (int level = 2; level < levels; level++) {
    // A level's additional multiplier applies to the step to the next level.
    const size_t step = Index(level - 1);
    const int extra =
        step < settings.additional_multipliers.size() ? settings.additional_multipliers[step] : 1;
    targets[Index(level)] =
        Multiply(Multiply(targets[step], settings.multiplier), static_cast<double>(extra));
  }
  return targets;
}

// From the largest level upwards, each level smaller by the multiplier, until one is small enough
// to be the base level.
std::vector<uint64_t> DynamicTargets(const CompactionSettings& settings,
                                     std::span<const LevelLoad> loads, int* base_level) {
  const int levels = static_cast<int>(loads.size());
  std::vector<uint64_t> targets(loads.size(), kUnlimited);
  int first_filled = 0;
  uint64_t size = 0;
  for (int level = 1; level < levels; level++) {
    if (loads[Index(level)].bytes > 0 && first_filled == 0) first_filled = level;
    size = std::max(size, loads[Index(level)].bytes);
  }
  *base_level = levels - 1;
  if (first_filled == 0) return targets;
  const uint64_t base_max = settings.max_bytes_for_level_base;
  const uint64_t base_min = Shrink(base_max, settings.multiplier);
  for (int level = levels - 2; level >= first_filled; level--) {
    size = Shrink(size, settings.multiplier);
  }
  *base_level = first_filled;
  if (size <= base_min) {
    size = base_min + 1;
  } else {
    while (*base_level > 1 && size > base_max) {
      --*base_level;
      size = Shrink(size, settings.multiplier);
    }
    size = std::min(size, base_max);
  }
  for (int level = *base_level; level < levels; level++) {
    if (level > *base_level) size = Multiply(size, settings.multiplier);
    targets[Index(level)] = std::max(size, base_max);
  }
  return targets;
}

double ScoreLevelZero(const CompactionSettings& settings, std::span<const LevelLoad> loads,
                      const std::vector<uint64_t>& targets, int base_level) {
  const LevelLoad& zero = loads[0];
  double score = Real(zero.files) / std::max(settings.level0_trigger, 1);
  if (loads.size() == 1 || !settings.level0_counts_bytes) return score;
  const uint64_t bytes = zero.compensated_bytes;
  if (!settings.dynamic_level_bytes) {
    return std::max(score,
                    Real(bytes) / Real(std::max<uint64_t>(settings.max_bytes_for_level_base, 1)));
  }
  if (bytes >= settings.max_bytes_for_level_base) score = std::max(score, kBarelyDue);
  const uint64_t base_target = targets[Index(base_level)];
  if (bytes > base_target) {
    const uint64_t base_bytes = loads[Index(base_level)].compensated_bytes;
    score = std::max(score, Real(bytes) / Real(std::max(base_bytes, base_target)));
  }
  return score > 1 ? score * kDueFactor : score;
}

void ScoreLeveled(const CompactionSettings& settings, std::span<const LevelLoad> loads,
                  LevelScores* out) {
  CHECK(!loads.empty());
  const int levels = static_cast<int>(loads.size());
  std::vector<uint64_t> targets;
  if (settings.dynamic_level_bytes) {
    targets = DynamicTargets(settings, loads, &out->base_level);
  } else {
    targets = StaticTargets(settings, levels);
    out->base_level = std::min(1, levels - 1);
  }
  CHECK_OP(targets.size(), ==, loads.size());
  CHECK(0 <= out->base_level && out->base_level < levels);
  out->scores[0] = ScoreLevelZero(settings, loads, targets, out->base_level);
  // All of level 0, and the excess of the levels above over their targets.
  double incoming = Real(loads[0].compensated_bytes);
  for (int level = 1; level + 1 < levels; level++) {
    const LevelLoad& load = loads[Index(level)];
    const double target = Real(std::max<uint64_t>(targets[Index(level)], 1));
    double score = Real(load.compensated_bytes) / target;
    if (settings.dynamic_level_bytes) {
      if (load.compensated_bytes >= targets[Index(level)]) {
        score = Real(load.compensated_bytes) / (target + incoming) * kDueFactor;
      }
      if (Real(load.bytes) > target) incoming += Real(load.bytes) - target;
    }
    out->scores[Index(level)] = score;
  }
  for (int level = 1; level < levels; level++) {
    if (targets[Index(level)] != kUnlimited)
      out->target_bytes[Index(level)] = targets[Index(level)];
  }
}

double ScoreUniversal(const CompactionSettings& settings, std::span<const LevelLoad> loads) {
  uint64_t runs = loads[0].files;
  for (size_t level = 1; level < loads.size(); level++) runs += loads[level].files > 0 ? 1 : 0;
  return Real(runs) / std::max(settings.level0_trigger, 1);
}

double ScoreFifo(const CompactionSettings& settings, const LevelLoad& zero) {
  const double size =
      Real(zero.compensated_bytes) / Real(std::max<uint64_t>(settings.fifo_max_bytes, 1));
  if (!settings.fifo_allow_compaction) return size;
  return std::max(size, Real(zero.files) / std::max(settings.level0_trigger, 1));
}

template <typename T>
void Take(Result<T> parsed, T* out) {
  if (parsed.ok()) *out = *parsed;
}

void TakeNumber(std::string_view text, int least, int most, int* out) {
  const Result<int64_t> parsed = ParseSigned(text, least, most);
  if (parsed.ok()) *out = static_cast<int>(*parsed);
}

// The value of `member` in "{a=1;b=2;}".
std::string_view Member(std::string_view braces, std::string_view member) {
  const std::string wanted = std::string(member) + "=";
  size_t at = braces.find(wanted);
  while (at != std::string_view::npos && at > 0 && braces[at - 1] != '{' && braces[at - 1] != ';') {
    at = braces.find(wanted, at + 1);
  }
  if (at == std::string_view::npos) return {};
  braces.remove_prefix(at + wanted.size());
  return braces.substr(0, braces.find_first_of(";}"));
}

void TakeAdditional(std::string_view text, std::vector<int>* out) {
  out->clear();
  while (!text.empty()) {
    const size_t end = std::min(text.find(':'), text.size());
    int factor = 1;
    TakeNumber(text.substr(0, end), 0, std::numeric_limits<int>::max(), &factor);
    out->push_back(factor);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string_view CompactionStyleName(CompactionSettings::Style style) {
  switch (style) {
    case CompactionSettings::Style::kLevel:
      return "level";
    case CompactionSettings::Style::kUniversal:
      return "universal";
    case CompactionSettings::Style::kFifo:
      return "fifo";
    case CompactionSettings::Style::kNone:
      break;
  }
  return "none";
}

CompactionSettings LevelDbCompactionSettings() {
  CompactionSettings settings;
  settings.dynamic_level_bytes = false;
  settings.max_bytes_for_level_base = uint64_t{10} << 20;
  settings.level0_counts_bytes = false;
  return settings;
}

CompactionSettings CompactionSettingsOf(const OptionsSection* section) {
  using Style = CompactionSettings::Style;
  CompactionSettings settings;
  if (section == nullptr) return settings;
  constexpr uint64_t kMost = kUnlimited;
  for (const auto& [name, value] : section->values) {
    if (name == "compaction_style") {
      settings.style = value == "kCompactionStyleUniversal" ? Style::kUniversal
                       : value == "kCompactionStyleFIFO"    ? Style::kFifo
                       : value == "kCompactionStyleNone"    ? Style::kNone
                                                            : Style::kLevel;
    } else if (name == "num_levels") {
      TakeNumber(value, 1, kNumLevelsMax, &settings.num_levels);
    } else if (name == "level_compaction_dynamic_level_bytes") {
      Take(ParseBool(value), &settings.dynamic_level_bytes);
    } else if (name == "level0_file_num_compaction_trigger") {
      TakeNumber(value, 0, std::numeric_limits<int>::max(), &settings.level0_trigger);
    } else if (name == "max_bytes_for_level_base") {
      Take(ParseUnsigned(value, 0, kMost), &settings.max_bytes_for_level_base);
    } else if (name == "max_bytes_for_level_multiplier") {
      Take(ParseReal(value, 0, std::numeric_limits<double>::max()), &settings.multiplier);
    } else if (name == "max_bytes_for_level_multiplier_additional") {
      TakeAdditional(value, &settings.additional_multipliers);
    } else if (name == "compaction_options_fifo") {
      Take(ParseUnsigned(Member(value, "max_table_files_size"), 0, kMost),
           &settings.fifo_max_bytes);
      Take(ParseBool(Member(value, "allow_compaction")), &settings.fifo_allow_compaction);
    }
  }
  return settings;
}

LevelScores ScoreLevels(const CompactionSettings& settings, std::span<const LevelLoad> levels) {
  LevelScores out;
  out.target_bytes.resize(levels.size());
  out.scores.assign(levels.size(), 0);
  if (levels.empty()) return out;
  switch (settings.style) {
    case CompactionSettings::Style::kLevel:
      ScoreLeveled(settings, levels, &out);
      break;
    case CompactionSettings::Style::kUniversal:
      out.scores[0] = ScoreUniversal(settings, levels);
      break;
    case CompactionSettings::Style::kFifo:
      out.scores[0] = ScoreFifo(settings, levels[0]);
      out.target_bytes[0] = settings.fifo_max_bytes;
      break;
    case CompactionSettings::Style::kNone:
      break;
  }
  return out;
}

}  // namespace varve
