// SPDX-License-Identifier: Apache-2.0
// Side is one of the two that `bench compare` measures in turn: the engine in this process, or an
// executable that is started for each measurement.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/bench/settings.h"
#include "cli/commands/bench/workload.h"
#include "cli/console.h"

namespace varve::cli::bench {

class Side {
 public:
  virtual ~Side() = default;
  // Seconds for an operation. The same `round` has every side do the same operations; 0 is a first
  // one, which does not count: it loads the records and warms up.
  virtual Result<double> Measure(uint64_t round) = 0;
  virtual Status Close() = 0;  // No call follows.
  // Records that the last measurement found.
  uint64_t found() const { return found_; }

 protected:
  uint64_t found_ = 0;
};

Result<std::unique_ptr<Side>> SideInThisProcess(const Settings& settings, const Workload& workload,
                                                Console& console);
// `words`: the flags of `bench run`; `executable` is some version of ours or a peer's.
Result<std::unique_ptr<Side>> SideInAProcess(std::string executable, std::vector<std::string> words,
                                             const Settings& settings, const Workload& workload);

}  // namespace varve::cli::bench
