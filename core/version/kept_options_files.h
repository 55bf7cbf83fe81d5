// SPDX-License-Identifier: Apache-2.0
// The OPTIONS files of a database, read: what they together keep of its options (db-format section
// 6). The newest one that can be read counts. Families that it does not list are looked up in an
// unfinished file and in the one before: engine/open/options_store.h, which writes them, says why.
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
// Newest first; none if the directory cannot be listed.
std::vector<OptionsFileEntry> ListOptionsFiles(FileSystem& fs, const std::string& directory);

struct KeptOptionsFiles {
  std::string name;                // Of the newest file that could be read; empty if there is none.
  OptionsFile newest;              // What it says.
  OptionsFile kept;                // The same, and families that only others list.
  bool unreadable = false;         // There is a newer one that could not be read.
  Status failure;                  // Of that, unless the file itself is what is wrong.
  std::vector<std::string> notes;  // Sentences for people.
};
// A database opens without any, so what is wrong with them is only a note.
KeptOptionsFiles ReadKeptOptionsFiles(FileSystem& fs, const std::string& directory);

}  // namespace varve
