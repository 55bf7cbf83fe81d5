// SPDX-License-Identifier: Apache-2.0
// The options of RocksDB 7.8.3 under their names in OPTIONS files: default value, and whether it
// can be changed while the database is open. An interop test compares every row with the library.
//
// Members of a value in braces have rows of their own:
// "compaction_options_fifo={allow_compaction=false;...}" has a row
// "compaction_options_fifo.allow_compaction".
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "varve/option_table.h"

namespace varve {

inline constexpr std::string_view kRocksDbDefaultsVersion = "7.8.3";

struct RocksDbOption {
  OptionScope scope = OptionScope::kDatabase;
  std::string_view name;
  std::string_view default_value;  // As in the OPTIONS file of a database opened with defaults.
  bool is_mutable = false;
  // Another form of the default: the value before opening a database computes it.
  std::string_view unset = {};
};

// Null if 7.8.3 has no such option.
const RocksDbOption* FindRocksDbOption(OptionScope scope, std::string_view name);
std::span<const RocksDbOption> RocksDbOptions();

}  // namespace varve
