// SPDX-License-Identifier: Apache-2.0
// First phase of a repair: lists the files. Input: a directory. Output: the files that later phases
// read, by kind, and the stored options. Writes nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/version/column_families.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

struct SourceFiles {
  bool any = false;  // Of a database: a CURRENT, MANIFEST, table, blob file or log.
  std::map<FileNumber, std::string> tables;     // Names, by number.
  std::multimap<FileNumber, std::string> logs;  // Likewise.
  std::optional<FileNumber> newest_manifest;
  std::string options_file;    // The newest, if it can be read; a damaged one is not copied.
  Options options;             // Read from it.
  FileNumber next_number = 2;  // Larger than those of all files.

  // The number of levels of a family without a whole MANIFEST: RocksDB refuses a database with more
  // levels than in its OPTIONS.
  int LevelsOf(const std::string& family) const;
};

// NotSupported for LevelDB databases. Corruption if a file number is too large.
Result<SourceFiles> SurveySource(FileSystem& fs, const std::string& directory);

}  // namespace varve
