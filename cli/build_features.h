// SPDX-License-Identifier: Apache-2.0
// What this build has and what it lacks, for `varve version`: parts that an option of CMake leaves
// out, or that are compiled in only where they have been built before.
#pragma once

#include <string_view>
#include <vector>

namespace varve::cli {

struct BuildFeature {
  std::string_view name;     // "io_uring": in JSON, and stable.
  std::string_view meaning;  // "reads by io_uring, where the kernel has it"
  bool present = false;
};

std::vector<BuildFeature> BuildFeatures();

// "Release, GNU 12.2.0", with the sanitizers if there are any.
std::string_view BuildDescription();

}  // namespace varve::cli
