// SPDX-License-Identifier: Apache-2.0
// Runs a benchmark in a separate process, the executable of a peer or of any version of Varve, and
// reads the results from its JSON.
#pragma once

#include <string>
#include <vector>

#include "varve/result.h"

namespace varve::cli::bench {

struct PeerRun {
  std::string store;                   // Its name and version.
  double rate = 0;                     // Operations a second of the last workload,
  uint64_t operations = 0, found = 0;  // and what it did,
  std::string checksum;                // and answered, under --checksum.
};

// `words`: the workloads and flags of `bench run`. Its standard error is ours.
Result<PeerRun> RunPeer(const std::string& executable, const std::vector<std::string>& words);

std::string ThisExecutable();
// "varve-bench-NAME" in the directory of this executable; empty if it does not exist.
std::string PeerBesideUs(const std::string& name);

}  // namespace varve::cli::bench
