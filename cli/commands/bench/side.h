// SPDX-License-Identifier: Apache-2.0
// Side is one of the two programs that `bench compare` measures alternately: the engine in this
// process, or an executable that is started for each measurement.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/bench/settings.h"
#include "cli/commands/bench/workload.h"
#include "cli/output/console.h"

namespace varve::cli::bench {

class Side {
 public:
  virtual ~Side() = default;
  // Returns the seconds per operation. Both sides do the same operations for the same `round`.
  // Round 0 loads the records and warms up; its result is not used.
  virtual Result<double> Measure(uint64_t round) = 0;
  virtual Status Close() = 0;  // No call follows.
  // Records that the last measurement found.
  uint64_t found() const { return found_; }

 protected:
  uint64_t found_ = 0;
};

Result<std::unique_ptr<Side>> SideInThisProcess(const Settings& settings, const Workload& workload,
                                                Console& console);
// `words`: the flags of `bench run`; `executable` is any version of Varve, or a peer.
Result<std::unique_ptr<Side>> SideInAProcess(std::string executable, std::vector<std::string> words,
                                             const Settings& settings, const Workload& workload);

}  // namespace varve::cli::bench
