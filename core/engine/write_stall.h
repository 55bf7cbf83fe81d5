// SPDX-License-Identifier: Apache-2.0
// Write stalls: when writes outrun flushes and compactions they are slowed down, then stopped. The
// decision is a pure function of a family's figures; WriteThrottle turns "slow" into delays.
//
//   memtables      sealed ones >= max_write_buffer_number                       stop
//   level0 files   >= level0_slowdown_writes_trigger / level0_stop_writes_trigger   slow / stop
//   pending bytes  >= soft / hard_pending_compaction_bytes_limit                slow / stop
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "varve/options.h"

namespace varve {

struct StallState {
  enum class Kind : uint8_t { kNone, kSlow, kStop };
  enum class Cause : uint8_t { kNone, kMemtables, kLevel0Files, kPendingBytes };
  Kind kind = Kind::kNone;
  Cause cause = Cause::kNone;
};

struct StallFigures {
  uint64_t sealed_memtables = 0;
  uint64_t level0_files = 0;  // With universal compaction: sorted runs.
  uint64_t pending_bytes = 0;
};

// For one family; the worst stall of all families counts. A writer waits for the stalls of other
// families as well, as long as their jobs make progress; families that cannot recover
// (Background::StallFailure) do not block it.
StallState ComputeStall(const StallFigures& figures, const ColumnFamilyOptions& options);

// How many families are in each state: the worst one is known without asking all of them.
class StallCounts {
 public:
  // One family's state changes. Requires that `before` was its `after` until now; kNone at first.
  void Replace(StallState before, StallState after);
  // Of the worst kind; if families have it for different causes, the first of the enum.
  StallState Worst() const;

 private:
  static constexpr size_t kKinds = 3, kCauses = 4;
  uint64_t& Count(StallState state) {
    return counts_[static_cast<size_t>(state.kind)][static_cast<size_t>(state.cause)];
  }
  std::array<std::array<uint64_t, kCauses>, kKinds> counts_ = {};
};

// The values of DbStats::stall_cause.
std::string_view StallCauseName(StallState::Cause cause);

// Limits writes to a rate. The caller passes the time; used by one thread (the leader).
class WriteThrottle {
 public:
  explicit WriteThrottle(uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  // How long to wait before writing `bytes` more. Delays below a millisecond are accumulated, since
  // short sleeps take longer than requested.
  uint64_t MicrosToWait(uint64_t bytes, uint64_t now_micros);

 private:
  const uint64_t bytes_per_second_;
  uint64_t paid_until_ = 0;  // The time until which all bytes so far are paid for.
};

}  // namespace varve
