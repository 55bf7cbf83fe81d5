// SPDX-License-Identifier: Apache-2.0
// OPTIONS files (db-format section 6): the options with which a RocksDB database was last opened.
// RocksDB itself does not need one, but its tools take the comparator and the column families from
// it.
//
//   [Version]
//     rocksdb_version=7.8.3
//     options_file_version=1.1
//   [DBOptions]
//     name=value
//   [CFOptions "default"]
//   [TableOptions/BlockBasedTable "default"]
//
// One statement per line; '#' begins a comment unless a backslash precedes it. Every option, known
// here or not, is kept in its original form and written back.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// The kinds of section.
inline constexpr std::string_view kVersionSection = "Version";
inline constexpr std::string_view kDatabaseSection = "DBOptions";
inline constexpr std::string_view kFamilySection = "CFOptions";
inline constexpr std::string_view kTableSection = "TableOptions/BlockBasedTable";
// The family whose section comes first.
inline constexpr std::string_view kDefaultFamily = "default";

struct OptionsSection {
  std::string kind;    // One of the above, or that of another table format.
  std::string family;  // Unescaped; set in the sections of families and tables.
  std::vector<std::pair<std::string, std::string>> values;  // In the file's order.

  // Null if the section has no such option.
  const std::string* Find(std::string_view name) const;
  void Set(std::string_view name, std::string value);

  bool operator==(const OptionsSection&) const = default;
};

struct OptionsFile {
  std::vector<OptionsSection> sections;

  const OptionsSection* Find(std::string_view kind, std::string_view family) const;

  bool operator==(const OptionsFile&) const = default;
};

// Indexes the sections of a file by family: a file may have any number of sections. Requires that
// the file is neither changed nor moved meanwhile.
class FamilySections {
 public:
  struct Pair {
    const OptionsSection* family = nullptr;  // Null: the file has none.
    const OptionsSection* table = nullptr;   // Of any table format.
  };
  explicit FamilySections(const OptionsFile& file);
  Pair Of(std::string_view family) const;

 private:
  std::map<std::string_view, Pair> sections_;
};

// Corruption naming the line. Strict: all required sections must be present, in an order that
// RocksDB accepts, none of them twice.
Result<OptionsFile> ParseOptionsFile(std::string_view text);
std::string FormatOptionsFile(const OptionsFile& file);

// Sets every option that both sides know in `options`, those of a family in options->families.
// Options that are unknown, or whose value this engine does not implement, are not applied and are
// returned.
struct IgnoredOption {
  std::string section;  // "CFOptions \"default\"".
  std::string name, value;
  std::string why;  // "unknown" if this engine has no such option.
};
std::vector<IgnoredOption> ApplyOptionsFile(const OptionsFile& file, Options* options);

}  // namespace varve
