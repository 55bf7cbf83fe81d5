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
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "varve/file_system.h"

namespace varve {

// `base` must outlive it. Thread-safe.
std::unique_ptr<FileSystem> NewTablePathsFileSystem(FileSystem& base, std::string directory,
                                                    std::vector<std::string> paths);

}  // namespace varve
