// SPDX-License-Identifier: Apache-2.0
// --start_time and --end_time of `scan` and `dump`, with --ttl: when a value was written.
#pragma once

#include "cli/ldb/call.h"
#include "core/base/try.h"

namespace varve::cli::ldb {

struct TimeRange {
  int begin = 1368146402;  // RocksDB's: there was no time to live before.
  int end = 2147483647;    // Exclusive.

  static Result<TimeRange> Of(const Call& call) {
    TimeRange range;
    ASSIGN_OR_RETURN(const std::optional<int> begin, call.line.Number("start_time"));
    ASSIGN_OR_RETURN(const std::optional<int> end, call.line.Number("end_time"));
    if (begin) range.begin = *begin;
    if (end) range.end = *end;
    return range;
  }
  bool Has(int seconds) const { return seconds >= begin && seconds < end; }
};

}  // namespace varve::cli::ldb
