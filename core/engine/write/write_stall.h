// SPDX-License-Identifier: Apache-2.0
// When writes outrun flushes and compactions they are slowed down, then stopped. What to do is a
// pure function of a family's figures; WriteThrottle turns "slower" into waiting times.
//
//   memtables      sealed ones >= max_write_buffer_number                       stop
//   level0 files   >= level0_slowdown_writes_trigger / level0_stop_writes_trigger   slow / stop
//   pending bytes  >= soft / hard_pending_compaction_bytes_limit                slow / stop
#pragma once

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
  uint64_t level0_files = 0;
  uint64_t pending_bytes = 0;
};

// For one family; the worst of all families counts. A writer waits for others' families as for his
// own, as long as they get on; those that cannot (Background::StallFailure) are not his concern.
StallState ComputeStall(const StallFigures& figures, const ColumnFamilyOptions& options);

// The words of DbStats::stall_cause.
std::string_view StallCauseName(StallState::Cause cause);

// Spreads writes out to a rate. Time comes from the caller; one thread (the leader's).
class WriteThrottle {
 public:
  explicit WriteThrottle(uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  // How long to wait now for `bytes` more. Debts below a millisecond are carried over, not waited
  // for, since a shorter sleep costs more than it says.
  uint64_t MicrosToWait(uint64_t bytes, uint64_t now_micros);

 private:
  const uint64_t bytes_per_second_;
  uint64_t paid_until_ = 0;  // The moment when all bytes so far have been paid for.
};

}  // namespace varve
