// SPDX-License-Identifier: Apache-2.0
// Updates an OPTIONS file when a database is created, gets or loses a column family, or stores
// changed options. Everything else in the file, known here or not, stays unchanged; nothing is
// added that RocksDB's tools would reject.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/format/options/options_file.h"
#include "varve/option_table.h"
#include "varve/options.h"
#include "varve/status.h"

namespace varve {

// What an OPTIONS file must contain for a family so that RocksDB's tools can open the database.
struct FamilyNames {
  std::string family;
  std::string comparator;
  std::string merge_operator;  // Empty: none, or one that RocksDB's tools do not know.
  int num_levels = 7;
  // For a family being created: its options are stored now. Options of its name in `previous`
  // belong to a dropped family and are ignored.
  const ColumnFamilyOptions* created_with = nullptr;
};

// An OPTIONS file for exactly these families, "default" first, that `ldb` accepts. Keeps everything
// that `previous` says of them, including a merge operator that this engine does not know; drops
// other families.
OptionsFile MakeOptionsFile(std::span<const FamilyNames> families, const OptionsFile& previous);

// Writes all stored options (OptionRow::kept) that the database, without its families, is created
// with, into the section that MakeOptionsFile() made.
void StoreDatabaseOptions(const Options& options, OptionsFile* file);

// Changes one option, or one member of one. InvalidArgument if the row rejects the value or
// MayBeStored() is false; NotSupported for a family that has no block-based tables.
Status StoreOption(const OptionRow& row, std::string_view value, std::string_view family,
                   OptionsFile* file);

}  // namespace varve
