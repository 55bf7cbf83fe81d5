// SPDX-License-Identifier: Apache-2.0
// One row per option: its name in RocksDB's OPTIONS file, where it lives, what it may be, what it
// does. The OPTIONS reader and writer, the command line's --option NAME=VALUE, validation, the
// metamorphic tests and the inspector's options page all walk this table, so adding an option is a
// field, a row and a use.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "varve/export.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// Which section of an OPTIONS file an option stands in.
enum class OptionScope : uint8_t {
  kDatabase,      // DBOptions: a member of Options.
  kColumnFamily,  // CFOptions: a member of ColumnFamilyOptions, or of its table.
  kTable          // TableOptions/BlockBasedTable: of ColumnFamilyOptions::table.
};

// An option that can be set by its name. Plain data of static lifetime.
struct OptionRow {
  std::string_view name;   // As in RocksDB's OPTIONS file; ours where it has none.
  OptionScope scope;       // What it is an option of.
  std::string_view range;  // For people: "1..7", "bytes >= 4096", "true|false".
  std::string_view help;   // One line.
  // Parses and range-checks `text` into its field of `options` (families: options->family).
  // InvalidArgument names the option.
  Status (*set)(Options* options, std::string_view text);
  // Its value in `options` (families: options.family), in the form that `set` takes.
  std::string (*get)(const Options& options);
  // RocksDB 7.8 and later have it under this name: those of which it is false stay out of OPTIONS
  // files, for RocksDB's tools refuse a file with a name that they do not know.
  bool in_rocksdb = true;
  // A database goes on with it: written into its OPTIONS file, taken from there when it is opened
  // again. Not so what is about one opening, or what the MANIFEST says.
  bool kept = true;
  // A view of rows named NAME.MEMBER, one for each member.
  bool is_struct = false;
};

// All options, in the order of options.h. Thread-safe; valid for good.
VARVE_EXPORT std::span<const OptionRow> OptionTable();
// The row of that name in OptionTable(), or null.
VARVE_EXPORT const OptionRow* FindOption(std::string_view name);

// DB::SetOptions() takes it: what flushes, compactions and stalls look up anew each time.
VARVE_EXPORT bool MayChangeAtRunTime(std::string_view name);
// DB::StoreOptions() takes it: an OPTIONS file has a place for it, perhaps within another option.
VARVE_EXPORT bool MayBeStored(const OptionRow& row);

// InvalidArgument naming the first option out of its range or at odds with another.
VARVE_EXPORT Status ValidateOptions(const Options& options);

}  // namespace varve
