// SPDX-License-Identifier: Apache-2.0
#include "cli/ldb/command_line.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>

#include "core/base/try.h"

namespace varve::cli::ldb {

bool CommandLine::Has(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::optional<std::string> CommandLine::Value(std::string_view name) const {
  const auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  return found->second;
}

Result<bool> CommandLine::Truth(std::string_view name, bool otherwise) const {
  std::optional<std::string> value = Value(name);
  if (!value) return otherwise;
  std::transform(value->begin(), value->end(), value->begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (*value == "true") return true;
  if (*value == "false") return false;
  return Status::InvalidArgument("Invalid value for boolean argument " + std::string(name));
}

Result<bool> CommandLine::FlagOrTruth(std::string_view name, bool otherwise) const {
  ASSIGN_OR_RETURN(const bool truth, Truth(name, otherwise));
  return truth || Has(name);
}

Result<std::optional<int>> CommandLine::Number(std::string_view name) const {
  const std::optional<std::string> value = Value(name);
  if (!value) return std::optional<int>();
  char* end = nullptr;
  errno = 0;
  const long number = std::strtol(value->c_str(), &end, 10);
  if (end == value->c_str()) {
    return Status::InvalidArgument(std::string(name) + " has an invalid value");
  }
  if (errno == ERANGE || number < std::numeric_limits<int>::min() ||
      number > std::numeric_limits<int>::max()) {
    return Status::InvalidArgument(std::string(name) + " has a value out-of-range");
  }
  return std::optional<int>(static_cast<int>(number));
}

CommandLine ReadCommandLine(const std::vector<std::string>& words) {
  CommandLine line;
  bool has_verb = false;
  for (const std::string& word : words) {
    if (word.starts_with("--")) {
      const size_t equals = word.find('=');
      // "--from=" is the flag "from", as for ldb.
      if (equals == std::string::npos || equals + 1 == word.size()) {
        line.flags.push_back(word.substr(2, equals == std::string::npos ? equals : equals - 2));
      } else {
        line.values[word.substr(2, equals - 2)] = word.substr(equals + 1);
      }
    } else if (!has_verb) {
      has_verb = true;
      line.verb = word;
    } else {
      line.arguments.push_back(word);
    }
  }
  return line;
}

}  // namespace varve::cli::ldb
