// SPDX-License-Identifier: Apache-2.0
// --count_delim of `dump` and `idump`: how many keys there are for each beginning up to a
// delimiter, and their bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/ldb/command_line.h"

namespace varve::cli::ldb {

class KeyGroups {
 public:
  // Nullopt: not asked for.
  static std::optional<KeyGroups> Of(const CommandLine& line) {
    const std::optional<std::string> delimiter = line.Value("count_delim");
    if (!delimiter && !line.Has("count_delim")) return std::nullopt;
    return KeyGroups(delimiter ? delimiter->front() : '.');
  }

  // The line of the group that this key ends; empty if it belongs to the same one.
  std::string Add(std::string_view key, uint64_t bytes) {
    const std::string_view group = key.substr(0, key.find(delimiter_));
    std::string line;
    if (!group_.empty() && group_ != group) {
      line = Line();
      count_ = bytes_ = 0;
    }
    ++count_;
    bytes_ += bytes;
    group_ = group;
    return line;
  }
  // Of the last group.
  std::string Line() const {
    return group_ + " => count:" + std::to_string(count_) + "\tsize:" + std::to_string(bytes_) +
           "\n";
  }

 private:
  explicit KeyGroups(char delimiter) : delimiter_(delimiter) {}

  const char delimiter_;
  std::string group_;
  uint64_t count_ = 0, bytes_ = 0;
};

}  // namespace varve::cli::ldb
