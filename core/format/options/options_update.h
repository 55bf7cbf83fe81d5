// SPDX-License-Identifier: Apache-2.0
// What becomes of an OPTIONS file when a database is created, gets or loses a column family, or is
// told to go on with other options. Everything else in the file stays as it is, known here or not;
// nothing gets in that RocksDB's tools would refuse.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/format/options/options_file.h"
#include "varve/option_table.h"
#include "varve/options.h"
#include "varve/status.h"

namespace varve {

// What an OPTIONS file must say of a family, or else RocksDB's tools cannot open the database.
struct FamilyNames {
  std::string family;
  std::string comparator;
  std::string merge_operator;  // Empty: none, or one that RocksDB's tools would not know.
  int num_levels = 7;
  // Of one that is about to exist: kept from now on. What `previous` says of one with its name is
  // of another, which is gone.
  const ColumnFamilyOptions* created_with = nullptr;
};

// An OPTIONS file for exactly these families, "default" first, that `ldb` accepts. Whatever
// `previous` says of them is kept, a merge operator that it names and this engine does not know,
// too; of other families nothing is.
OptionsFile MakeOptionsFile(std::span<const FamilyNames> families, const OptionsFile& previous);

// Writes down all that a database keeps (OptionRow::kept) of the options that it is created with,
// but for its families', in the section that MakeOptionsFile() has made.
void StoreDatabaseOptions(const Options& options, OptionsFile* file);

// Changes one option, or one member of one. InvalidArgument for a value that the row does not take
// or an option that MayBeStored() denies; NotSupported for a family that has no block-based tables.
Status StoreOption(const OptionRow& row, std::string_view value, std::string_view family,
                   OptionsFile* file);

}  // namespace varve
