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

TEST_CASE("StallCounts: the worst state that any family is in, until the last has left it") {
  const StallState none, slow{Kind::kSlow, Cause::kPendingBytes};
  const StallState memtables{Kind::kStop, Cause::kMemtables};
  const StallState files{Kind::kStop, Cause::kLevel0Files};
  StallCounts counts;
  CHECK(counts.Worst().kind == Kind::kNone);
  counts.Replace(none, none);
  CHECK(counts.Worst().kind == Kind::kNone);
  counts.Replace(none, slow);
  counts.Replace(none, slow);
  CHECK(counts.Worst().kind == Kind::kSlow);
  CHECK(counts.Worst().cause == Cause::kPendingBytes);
  counts.Replace(none, files);
  CHECK(counts.Worst().cause == Cause::kLevel0Files);
  counts.Replace(slow, memtables);
  CHECK(counts.Worst().kind == Kind::kStop);
  CHECK(counts.Worst().cause == Cause::kMemtables);
  counts.Replace(memtables, none);
  CHECK(counts.Worst().cause == Cause::kLevel0Files);
  counts.Replace(files, none);
  CHECK(counts.Worst().kind == Kind::kSlow);  // The other one.
  counts.Replace(slow, none);
  CHECK(counts.Worst().kind == Kind::kNone);
  CHECK(counts.Worst().cause == Cause::kNone);
}

TEST_CASE("ComputeStall: what no compaction would ever end is not waited for") {
  ColumnFamilyOptions options = Limits();
  options.disable_auto_compactions = true;
  CHECK(ComputeStall({0, 100, 5000}, options).kind == Kind::kNone);
  CHECK(ComputeStall({2, 100, 5000}, options).kind == Kind::kStop);
}

// universal_picker_test.cc: with one run more than these, there is always something to merge.
TEST_CASE("ComputeStall: runs that universal compaction may keep are not waited for") {
  ColumnFamilyOptions options = Limits();
  options.compaction_style = CompactionStyle::kUniversal;
  CHECK(ComputeStall({0, 9, 0}, options).kind == Kind::kNone);
  CHECK(ComputeStall({0, 10, 0}, options).kind == Kind::kSlow);
  CHECK(ComputeStall({0, 20, 0}, options).kind == Kind::kStop);
  options.level0_file_num_compaction_trigger = 20;
  options.level0_slowdown_writes_trigger = 20;
  options.universal.min_merge_width = 1;
  CHECK(ComputeStall({0, 20, 0}, options).kind == Kind::kNone);
  CHECK(ComputeStall({0, 21, 0}, options).kind == Kind::kStop);
  options.universal.min_merge_width = 5;
  CHECK(ComputeStall({0, 23, 0}, options).kind == Kind::kNone);
  CHECK(ComputeStall({0, 24, 0}, options).kind == Kind::kStop);
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
