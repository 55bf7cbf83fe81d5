// SPDX-License-Identifier: Apache-2.0
// The workloads of `varve bench`, with the names and meanings of RocksDB's db_bench and of YCSB.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cli/commands/bench/distribution.h"
#include "cli/commands/bench/worker.h"
#include "varve/status.h"

namespace varve::cli::bench {

struct Workload {
  enum class Data : uint8_t {
    kFresh,     // Starts on an empty database (not under --use-existing).
    kExisting,  // Needs records: they are loaded first, unmeasured, if there are none.
  };
  using Work = Status (*)(Worker& worker);

  std::string_view name, summary;
  Data data = Data::kExisting;
  bool writes = false;
  Work work = nullptr;    // Null only for "open", which the runner performs.
  Work writer = nullptr;  // Runs in a further thread until the others are done; not counted.
  bool whole = false;     // One thread does all of it; --threads, --ops and --duration are ignored.
  // Changes the settings as db_bench does: durability for fillsync, value size for fill100k.
  void (*adjust)(Settings& settings) = nullptr;
  uint64_t sample_of = 1;  // Multiplies --sample where an operation is shorter than the clock.
  Distribution distribution = Distribution::kUniform;
};

std::span<const Workload> WorkloadTable();
const Workload* FindWorkload(std::string_view name);  // Null if there is none.
// InvalidArgument, with the name that was probably meant.
Status NoWorkload(std::string_view name);

// Refuses --ops beside --duration, unless one of the workloads fills: a fill ends with either.
Status CheckLength(const Settings& settings, std::span<const Workload* const> workloads);

// YCSB's core workloads (ycsb.cc).
Status YcsbA(Worker& worker);
Status YcsbB(Worker& worker);
Status YcsbC(Worker& worker);
Status YcsbD(Worker& worker);
Status YcsbE(Worker& worker);
Status YcsbF(Worker& worker);

}  // namespace varve::cli::bench
