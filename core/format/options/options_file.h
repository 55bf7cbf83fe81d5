// SPDX-License-Identifier: Apache-2.0
// OPTIONS files (db-format section 6): how a RocksDB database was opened last. Neither library
// needs one, but RocksDB's tools take the comparator and the column families from it.
//
//   [Version]
//     rocksdb_version=7.8.3
//     options_file_version=1.1
//   [DBOptions]
//     name=value
//   [CFOptions "default"]
//   [TableOptions/BlockBasedTable "default"]
//
// One statement a line; '#' begins a comment unless a backslash precedes it. Every option is kept
// as it is written, known here or not, and written back.
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
  std::string kind;    // One of the above, or that of another kind of table.
  std::string family;  // Unescaped; of a family's or a table's section.
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

// What a file says of each family, without walking it for each: a file has as many sections as its
// writer wished. The file stays as it is, and where it is, while this lives.
class FamilySections {
 public:
  struct Pair {
    const OptionsSection* family = nullptr;  // Null: the file has none.
    const OptionsSection* table = nullptr;   // Of whatever kind of table.
  };
  explicit FamilySections(const OptionsFile& file);
  Pair Of(std::string_view family) const;

 private:
  std::map<std::string_view, Pair> sections_;
};

// Corruption naming the line. Strict: the sections that must be there are, in an order that RocksDB
// takes, and none is there twice.
Result<OptionsFile> ParseOptionsFile(std::string_view text);
std::string FormatOptionsFile(const OptionsFile& file);

// Puts every option that both sides know into `options`, a family's into options->families. What is
// unknown here, or has a value that this engine does not implement, is left as it was and returned.
struct IgnoredOption {
  std::string section;  // "CFOptions \"default\"".
  std::string name, value;
  std::string why;  // "unknown" if there is no such option here.
};
std::vector<IgnoredOption> ApplyOptionsFile(const OptionsFile& file, Options* options);

}  // namespace varve
