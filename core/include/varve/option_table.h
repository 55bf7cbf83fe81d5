// SPDX-License-Identifier: Apache-2.0
// One row per option: its name in RocksDB's OPTIONS file, where it is stored, its range and its
// help text. The OPTIONS reader and writer, the command line's --option NAME=VALUE, validation, the
// metamorphic tests and the inspector's options page all use this table: adding an option takes a
// field, a row and the code that uses it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "varve/export.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// The section of an OPTIONS file that an option belongs to.
enum class OptionScope : uint8_t {
  kDatabase,      // DBOptions: a member of Options.
  kColumnFamily,  // CFOptions: a member of ColumnFamilyOptions, or of its table.
  kTable          // TableOptions/BlockBasedTable: of ColumnFamilyOptions::table.
};

// An option that can be set by its name. Plain data of static lifetime.
struct OptionRow {
  std::string_view name;   // As in RocksDB's OPTIONS file; ours where it has none.
  OptionScope scope;       // The section it belongs to.
  std::string_view range;  // For people: "1..7", "bytes >= 4096", "true|false".
  std::string_view help;   // One line.
  // Parses and range-checks `text` into its field of `options` (families: options->family).
  // InvalidArgument names the option.
  Status (*set)(Options* options, std::string_view text);
  // Its value in `options` (families: options.family), in the syntax that `set` accepts.
  std::string (*get)(const Options& options);
  // RocksDB 7.8 and later know this name. Other options are not written to OPTIONS files, because
  // RocksDB's tools reject files with unknown names.
  bool in_rocksdb = true;
  // Persistent: written into the OPTIONS file of the database and read when it is opened again.
  // False for options of one opening and for those stored in the MANIFEST.
  bool kept = true;
  // An aggregate of the rows NAME.MEMBER, one for each member.
  bool is_struct = false;
};

// All options, in the order of options.h. Thread-safe; valid as long as the process.
VARVE_EXPORT std::span<const OptionRow> OptionTable();
// The row of that name in OptionTable(), or null.
VARVE_EXPORT const OptionRow* FindOption(std::string_view name);

// Whether DB::SetOptions() accepts it: options that flushes, compactions and stalls read each time.
VARVE_EXPORT bool MayChangeAtRunTime(std::string_view name);
// Whether DB::StoreOptions() accepts it: it can be written to an OPTIONS file, perhaps as part of
// another option.
VARVE_EXPORT bool MayBeStored(const OptionRow& row);

// InvalidArgument naming the first option that is out of range or contradicts another.
VARVE_EXPORT Status ValidateOptions(const Options& options);

}  // namespace varve
