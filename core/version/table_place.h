// SPDX-License-Identifier: Apache-2.0
// Tells what is in the place of a table that the MANIFEST names. The listing of the directory is
// enough for tables of the right size; anything else may be a broken link, a directory or a FIFO,
// and is opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/format/manifest/file_description.h"
#include "varve/file_system.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

struct TablePlace {
  enum class Kind : uint8_t {
    kThere,       // A file of the size in the MANIFEST.
    kOtherSize,   // A file of another size.
    kAbsent,      // Nothing, or a broken link.
    kUnreadable,  // Not a file, or one that the system refuses to open: see `status`.
  };
  Kind kind = Kind::kAbsent;
  uint64_t size = 0;  // Of kOtherSize: the file's.
  std::string name;   // Within the directory; ends with ".ldb" only if such a file exists.
  // Ok for kThere. Corruption for kOtherSize; MissingTable() for kAbsent; the error of the system
  // for kUnreadable.
  Status status = {};
};

// Corruption: a file that the MANIFEST names does not exist.
Status MissingFile(const std::string& directory, const std::string& name);

// The same for a table; NotSupported if it is in another of several db_paths, as the MANIFEST says:
// the database was opened without them.
Status MissingTable(const std::string& directory, const FileDescription& table);

// The tables of a directory. `fs` must outlive it.
class TablePlaces {
 public:
  TablePlaces(FileSystem& fs, std::string directory, const std::vector<DirectoryEntry>& entries);

  // Opens files only if the listing does not do.
  TablePlace Of(const FileDescription& table) const;

 private:
  struct Entry {
    std::string name;
    std::optional<uint64_t> size;  // Nothing: a directory.
  };

  FileSystem& fs_;
  const std::string directory_;
  std::unordered_map<FileNumber, Entry> entries_;
};

}  // namespace varve
