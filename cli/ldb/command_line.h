// SPDX-License-Identifier: Apache-2.0
// The command line of RocksDB's `ldb`: VERB [ARGUMENT...] [--NAME[=VALUE]...], in any order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"

namespace varve::cli::ldb {

struct CommandLine {
  std::string verb;
  std::vector<std::string> arguments;
  std::map<std::string, std::string, std::less<>> values;  // --NAME=VALUE, the last one given.
  std::vector<std::string> flags;                          // --NAME

  bool Has(std::string_view flag) const;
  std::optional<std::string> Value(std::string_view name) const;
  // --NAME=true or false; errors for other values.
  Result<bool> Truth(std::string_view name, bool otherwise) const;
  // Also given as a flag.
  Result<bool> FlagOrTruth(std::string_view name, bool otherwise) const;
  // As far as the value begins with one: "12x" is 12.
  Result<std::optional<int>> Number(std::string_view name) const;
};

CommandLine ReadCommandLine(const std::vector<std::string>& words);

}  // namespace varve::cli::ldb
