// SPDX-License-Identifier: Apache-2.0
// Reads the OPTIONS files of a database: its stored options (db-format section 6). The newest
// readable file counts. Families that it does not list are looked up in an unfinished file and in
// the previous one: engine/open/options_store.h, which writes them, explains why.
#pragma once

#include <string>
#include <vector>

#include "core/format/options/options_file.h"
#include "varve/file_system.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

struct OptionsFileEntry {
  FileNumber number = 0;
  std::string name;
  bool unfinished = false;
};
// Newest first; empty if the directory cannot be listed.
std::vector<OptionsFileEntry> ListOptionsFiles(FileSystem& fs, const std::string& directory);

struct KeptOptionsFiles {
  std::string name;                // Of the newest readable file; empty if there is none.
  OptionsFile newest;              // Its contents.
  OptionsFile kept;                // The same, plus families that only other files list.
  bool unreadable = false;         // A newer file could not be read.
  Status failure;                  // Why, unless the file itself is damaged.
  std::vector<std::string> notes;  // For people.
};
// A database opens without OPTIONS files, so problems with them are only notes.
KeptOptionsFiles ReadKeptOptionsFiles(FileSystem& fs, const std::string& directory);

}  // namespace varve
