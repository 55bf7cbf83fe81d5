// SPDX-License-Identifier: Apache-2.0
// The command lines of random tests: --NAME=NUMBER and --NAME.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace varve::mix {

inline uint64_t Argument(int argc, char** argv, std::string_view name, uint64_t otherwise) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(name) && argument.substr(name.size()).starts_with("=")) {
      return std::strtoull(argv[i] + name.size() + 1, nullptr, 10);
    }
  }
  return otherwise;
}

inline bool HasFlag(int argc, char** argv, std::string_view flag) {
  return std::count(argv, argv + argc, flag) > 0;
}

}  // namespace varve::mix
