// SPDX-License-Identifier: Apache-2.0
// The options with which a database was last opened, from its newest OPTIONS file, compared with
// RocksDB's defaults. Options missing in the file have their defaults.
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
  std::string name;  // Members of a value in braces are listed as options: "ttl_opts.age".
  std::string value;
  std::optional<std::string> default_value = {};  // Nullopt: RocksDB 7.8.3 has no such option.
  bool from_file = false;                         // Otherwise it is the default.
  bool differs = false;                           // From the default; false if that is unknown.
  // RocksDB can change it while the database is open.
  bool is_mutable = false;
};

// It differs from its default, or has no known default.
inline bool IsWorthShowing(const OptionReport& option) {
  return option.differs || !option.default_value.has_value();
}

// The newest OPTIONS file of a directory; `file` is empty if there is none.
struct StoredOptions {
  std::string file;
  OptionsFile contents;

  // "7.8.3"; empty if unknown.
  std::string RocksDbVersion() const;
};
Result<StoredOptions> ReadStoredOptions(FileSystem& fs, const std::string& directory);
// Visits every readable OPTIONS file, the newest first.
void VisitStoredOptions(FileSystem& fs, const std::string& directory,
                        const std::function<void(const OptionsFile&)>& visit);

// Options are compared on demand: a report takes no more memory than the file.
class OptionsReport {
 public:
  explicit OptionsReport(StoredOptions stored);
  OptionsReport(OptionsReport&&) = default;
  OptionsReport& operator=(OptionsReport&&) = default;

  std::string file;                   // "OPTIONS-000021"; empty: there is none.
  std::string rocksdb_version;        // The version that wrote the file.
  std::vector<std::string> families;  // The file's families, in its order.

  // By name.
  std::vector<OptionReport> DatabaseOptions() const;
  // The family's options, then its tables'; each by name. Nullopt: the file does not have the
  // family.
  std::optional<std::vector<OptionReport>> FamilyOptions(std::string_view family) const;
  uint64_t CountDiffering() const;

 private:
  std::unique_ptr<const OptionsFile> contents_;  // Never moved: sections_ points into it.
  FamilySections sections_;
};

Result<OptionsReport> ReportOptions(FileSystem& fs, const std::string& directory);

}  // namespace varve
