// SPDX-License-Identifier: Apache-2.0
// Features of this build, for `varve version`: parts that CMake options exclude, or that are only
// included if they were built before.
#pragma once

#include <string_view>
#include <vector>

namespace varve::cli {

struct BuildFeature {
  std::string_view name;     // Stable name, used in JSON.
  std::string_view meaning;  // "reads by io_uring, where the kernel has it"
  bool present = false;
};

std::vector<BuildFeature> BuildFeatures();

// "Release, GNU 12.2.0", with the sanitizers if there are any.
std::string_view BuildDescription();

}  // namespace varve::cli
