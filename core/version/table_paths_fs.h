// SPDX-License-Identifier: Apache-2.0
// A database whose tables are in several directories (db_paths, cf_paths), as a file system in
// which all are in the directory of the database:
//
//   "db/000012.sst"   -> "/fast/000012.sst", the first of the paths that has it, else itself
//   List("db")        -> with the tables of all paths
//
// File numbers are unique in a database, so a name is enough to find a table, and what the MANIFEST
// says of its path is not needed. As in RocksDB, which falls back to the last path, a table that
// was moved is found. New tables are created at their paths, not through their names here.
//
// Blob files are looked for in the same way: RocksDB writes them into the first path.
//
// A name at several places is an exception: a crash left a table in a path, the database was opened
// without that path, and the number was used again. Whoever knows the MANIFEST settles which one it
// means.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varve/file_system.h"

namespace varve {

// Thread-safe.
class TablePathsFileSystem : public FileSystem {
 public:
  struct Copy {
    std::string place;
    uint64_t size = 0;
  };
  // Where there are files of this name, in the order in which they are looked for.
  virtual std::vector<Copy> CopiesOf(std::string_view name) = 0;
  // `name` in the directory is from now on the file at `place`, and no other of that name.
  virtual void Settle(const std::string& name, const std::string& place) = 0;
};

// `base` must outlive it.
std::unique_ptr<TablePathsFileSystem> NewTablePathsFileSystem(FileSystem& base,
                                                              std::string directory,
                                                              std::vector<std::string> paths);

}  // namespace varve
