// SPDX-License-Identifier: Apache-2.0
// Jobs as a trace in Chrome's trace event format, which https://ui.perfetto.dev and
// chrome://tracing open. The page of `varve serve` saves the same.
//
//   {"traceEvents":[{"name":"compaction → L1","ph":"X",…},…],"displayTimeUnit":"ms"}
//
// A column family is a process. Each kind of job, and each level that compactions and moves write
// to, has a thread there, and as many more as its jobs ran at one time. A job whose beginning and
// end a LOG tells is a complete event; one of which a single time is known is an instant. A flow
// leads from the job that made a table to the one that consumed it, if both are complete events.
// Counters say how many files L0 had, and how many bytes all tables, after each edit of the
// MANIFEST whose time is known. Times are microseconds since 1970.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/output/console.h"
#include "core/inspect/history/history.h"

namespace varve::cli {

// Writes the whole document: `jobs` as events, and flows between them. Snapshots, the tables that a
// MANIFEST begins with, are no jobs. `all_jobs` has all of each family, which counters need. Both
// are in the order of the history. Returns how many jobs were left out because no time is known of
// them.
uint64_t WriteJobTrace(Sink& out, const std::vector<const JobReport*>& jobs,
                       const std::vector<const JobReport*>& all_jobs);

}  // namespace varve::cli
