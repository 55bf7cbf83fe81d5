// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write_stall.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/stall_causes.h"

namespace varve {
namespace {

constexpr uint64_t kShortestWaitMicros = 1000;
constexpr uint64_t kLongestWaitMicros = 1000000;

// With fewer runs, universal compaction may have nothing to do, and nothing would end the stall
// (UniversalOptions, rule 3).
uint64_t FewestToStall(const ColumnFamilyOptions& options) {
  if (options.compaction_style != CompactionStyle::kUniversal) return 0;
  return static_cast<uint64_t>(options.level0_file_num_compaction_trigger) +
         std::max(options.universal.min_merge_width, 2u) - 1;
}

}  // namespace

StallState ComputeStall(const StallFigures& figures, const ColumnFamilyOptions& options) {
  using Kind = StallState::Kind;
  using Cause = StallState::Cause;
  const auto memtables = static_cast<uint64_t>(std::max(options.max_write_buffer_number, 1));
  if (figures.sealed_memtables >= memtables) return {Kind::kStop, Cause::kMemtables};
  if (options.disable_auto_compactions || options.compaction_style == CompactionStyle::kNone) {
    return {};  // Nothing would end the stall.
  }
  if (options.compaction_style != CompactionStyle::kFifo) {
    const uint64_t fewest = FewestToStall(options);
    const auto stop = std::max(fewest, static_cast<uint64_t>(options.level0_stop_writes_trigger));
    const auto slow =
        std::max(fewest, static_cast<uint64_t>(options.level0_slowdown_writes_trigger));
    const uint64_t hard = options.hard_pending_compaction_bytes_limit;
    const uint64_t soft = options.soft_pending_compaction_bytes_limit;
    if (figures.level0_files >= stop) return {Kind::kStop, Cause::kLevel0Files};
    if (hard > 0 && figures.pending_bytes >= hard) return {Kind::kStop, Cause::kPendingBytes};
    if (figures.level0_files >= slow) return {Kind::kSlow, Cause::kLevel0Files};
    if (soft > 0 && figures.pending_bytes >= soft) return {Kind::kSlow, Cause::kPendingBytes};
  }
  return {};
}

void StallCounts::Replace(StallState before, StallState after) {
  if (before.kind != StallState::Kind::kNone) {
    CHECK_OP(Count(before), >, 0);
    --Count(before);
  }
  if (after.kind != StallState::Kind::kNone) ++Count(after);
}

StallState StallCounts::Worst() const {
  for (size_t kind = kKinds - 1; kind > 0; --kind) {
    for (size_t cause = 0; cause < kCauses; ++cause) {
      if (counts_[kind][cause] == 0) continue;
      return {static_cast<StallState::Kind>(kind), static_cast<StallState::Cause>(cause)};
    }
  }
  return {};
}

std::string_view StallCauseName(StallState::Cause cause) {
  switch (cause) {
    case StallState::Cause::kNone:
      return "";
    case StallState::Cause::kMemtables:
      return kStalledByMemtables;
    case StallState::Cause::kLevel0Files:
      return kStalledByLevel0Files;
    case StallState::Cause::kPendingBytes:
      return kStalledByPendingBytes;
  }
  return "";
}

uint64_t WriteThrottle::MicrosToWait(uint64_t bytes, uint64_t now_micros) {
  const uint64_t rate = std::max<uint64_t>(bytes_per_second_, 1);
  const double cost = static_cast<double>(bytes) * 1e6 / static_cast<double>(rate);
  paid_until_ = std::max(paid_until_, now_micros) +
                static_cast<uint64_t>(std::min(cost, double{kLongestWaitMicros}));
  const uint64_t debt = paid_until_ - now_micros;
  return debt < kShortestWaitMicros ? 0 : std::min(debt, kLongestWaitMicros);
}

}  // namespace varve
