// SPDX-License-Identifier: Apache-2.0
// The command lines of random tests: --NAME=NUMBER, --NAME and, for tests/replay/kept.h,
// --keep=LIST.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
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

// --seed=N is that one; else --seeds=N from --first=N on.
struct Seeds {
  Seeds(int argc, char** argv, uint64_t otherwise)
      : only(Argument(argc, argv, "--seed", 0)),
        first(only != 0 ? only : Argument(argc, argv, "--first", 1)),
        count(only != 0 ? 1 : Argument(argc, argv, "--seeds", otherwise)) {}
  uint64_t end() const { return first + count; }

  uint64_t only;  // 0: there may be several.
  uint64_t first, count;
};

// `known` are flags as they stand, and what takes a number with "=" at its end. True: said so.
inline bool HasUnknownArgument(int argc, char** argv,
                               std::initializer_list<std::string_view> known) {
  const auto is_known = [&](std::string_view argument) {
    return std::ranges::any_of(known, [&](std::string_view name) {
      if (!name.ends_with('=')) return argument == name;
      const std::string_view allowed = name == "--keep=" ? "0123456789-," : "0123456789";
      return argument.starts_with(name) && argument.size() > name.size() &&
             argument.find_first_not_of(allowed, name.size()) == std::string_view::npos;
    });
  };
  for (int i = 1; i < argc; ++i) {
    if (is_known(argv[i])) continue;
    std::fprintf(stderr, "%s: unknown argument '%s'\n", argv[0], argv[i]);
    return true;
  }
  return false;
}

}  // namespace varve::mix
