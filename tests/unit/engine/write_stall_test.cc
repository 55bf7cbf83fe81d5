// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write_stall.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using Kind = StallState::Kind;
using Cause = StallState::Cause;

ColumnFamilyOptions Limits() {
  ColumnFamilyOptions options;
  options.max_write_buffer_number = 2;
  options.level0_slowdown_writes_trigger = 10;
  options.level0_stop_writes_trigger = 20;
  options.soft_pending_compaction_bytes_limit = 1000;
  options.hard_pending_compaction_bytes_limit = 2000;
  return options;
}

TEST_CASE("ComputeStall: each figure slows and stops at its limits") {
  const ColumnFamilyOptions options = Limits();
  CHECK(ComputeStall({1, 9, 999}, options).kind == Kind::kNone);
  CHECK(ComputeStall({2, 0, 0}, options).kind == Kind::kStop);
  CHECK(ComputeStall({2, 0, 0}, options).cause == Cause::kMemtables);
  CHECK(ComputeStall({0, 10, 0}, options).kind == Kind::kSlow);
  CHECK(ComputeStall({0, 20, 0}, options).kind == Kind::kStop);
  CHECK(ComputeStall({0, 20, 0}, options).cause == Cause::kLevel0Files);
  CHECK(ComputeStall({0, 0, 1000}, options).kind == Kind::kSlow);
  CHECK(ComputeStall({0, 10, 2000}, options).kind == Kind::kStop);
  CHECK(ComputeStall({0, 10, 2000}, options).cause == Cause::kPendingBytes);
}

TEST_CASE("ComputeStall: what no compaction would ever end is not waited for") {
  ColumnFamilyOptions options = Limits();
  options.disable_auto_compactions = true;
  CHECK(ComputeStall({0, 100, 5000}, options).kind == Kind::kNone);
  CHECK(ComputeStall({2, 100, 5000}, options).kind == Kind::kStop);
}

TEST_CASE("WriteThrottle: short debts add up until they are worth a wait") {
  WriteThrottle throttle(1000000);  // A byte a microsecond.
  CHECK(throttle.MicrosToWait(400, 10) == 0);
  CHECK(throttle.MicrosToWait(400, 10) == 0);
  CHECK(throttle.MicrosToWait(400, 10) == 1200);
  CHECK(throttle.MicrosToWait(100, 5000) == 0);
}

}  // namespace
}  // namespace varve
