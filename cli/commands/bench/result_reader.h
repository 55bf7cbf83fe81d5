// SPDX-License-Identifier: Apache-2.0
// Reads what bench run --json has printed: this program, an older one, a peer or an editor, so
// nothing of it is trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"

namespace varve::cli::bench {

struct ReadRun {
  std::string workload;
  uint64_t operations = 0, found = 0;
  double seconds = 0;    // 0, or 1e-9 to 1e12: rates and their ratios are finite.
  std::string checksum;  // Empty: without --checksum.
};

struct ReadResult {
  std::string store;  // Its name and version.
  std::vector<ReadRun> runs;
};

// InvalidArgument, which begins with "is", if it is something else, or of another version.
Result<ReadResult> ReadResultJson(std::string_view text);
// The same of a file or pipe, with its path in messages.
Result<ReadResult> ReadResultFile(const std::string& path);

}  // namespace varve::cli::bench
