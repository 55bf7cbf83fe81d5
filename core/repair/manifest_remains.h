// SPDX-License-Identifier: Apache-2.0
// Second phase of a repair: reads what is left of the MANIFEST. Input: the directory. Output: the
// state of the database according to the readable part, and which tables that needs.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/repair/source_files.h"
#include "core/version/column_families.h"
#include "core/version/file_metadata.h"
#include "core/version/version.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// A table that is needed according to the MANIFEST.
struct LiveTable {
  ColumnFamilyId family = 0;
  int level = 0;
  FilePtr file;
};

struct ManifestRemains {
  bool whole = false;          // Read to its end, and nothing is newer than it.
  bool tables_follow = false;  // There are tables newer than it.
  std::string text;            // What could be read of it, for people.
  DatabaseState state;         // Has at least the default family.
  std::map<FileNumber, LiveTable> live;
  std::set<FileNumber> deleted;  // By the readable edits; not set if it is whole.

  bool IsObsolete(FileNumber table) const {
    return whole ? !live.contains(table) : deleted.contains(table);
  }
};

// IoError if it cannot be read, which is not damage. `comparator`: that of RepairOptions.
Result<ManifestRemains> ReadManifestRemains(FileSystem& fs, const std::string& directory,
                                            const SourceFiles& files,
                                            const Comparator* comparator = nullptr);

}  // namespace varve
