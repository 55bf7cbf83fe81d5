// SPDX-License-Identifier: Apache-2.0
// The options a database was opened with last, as its newest OPTIONS file says, next to what
// RocksDB has when nobody sets them. Options that the file leaves out have their defaults.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/format/options/options_file.h"
#include "varve/file_system.h"
#include "varve/option_table.h"
#include "varve/result.h"

namespace varve {

struct OptionReport {
  OptionScope scope = OptionScope::kDatabase;
  std::string name;  // Members of a value in braces are options of their own: "ttl_opts.age".
  std::string value;
  std::optional<std::string> default_value = {};  // Nullopt: RocksDB 7.8.3 has no such option.
  bool from_file = false;                         // Else it is the default.
  bool differs = false;                           // From the default; false if that is unknown.
  bool is_mutable = false;                        // RocksDB takes a new value while it runs.
};

// What the newest OPTIONS file of a directory says; `file` is empty if there is none.
struct StoredOptions {
  std::string file;
  OptionsFile contents;

  // "7.8.3"; empty if unknown.
  std::string RocksDbVersion() const;
};
Result<StoredOptions> ReadStoredOptions(FileSystem& fs, const std::string& directory);
// Every OPTIONS file that can be read, one after the other, the newest first.
void VisitStoredOptions(FileSystem& fs, const std::string& directory,
                        const std::function<void(const OptionsFile&)>& visit);

// The options are compared when they are asked for: a report holds no more than the file.
class OptionsReport {
 public:
  explicit OptionsReport(StoredOptions stored);
  OptionsReport(OptionsReport&&) = default;
  OptionsReport& operator=(OptionsReport&&) = default;

  std::string file;                   // "OPTIONS-000021"; empty: there is none.
  std::string rocksdb_version;        // Of whoever wrote it.
  std::vector<std::string> families;  // Those that the file speaks of, in its order.

  // By name.
  std::vector<OptionReport> DatabaseOptions() const;
  // The family's, then its tables'; each by name. Nullopt: the file does not speak of it.
  std::optional<std::vector<OptionReport>> FamilyOptions(std::string_view family) const;
  uint64_t CountDiffering() const;

 private:
  std::unique_ptr<const OptionsFile> contents_;  // Stays where it is: sections_ leads into it.
  FamilySections sections_;
};

Result<OptionsReport> ReportOptions(FileSystem& fs, const std::string& directory);

}  // namespace varve
