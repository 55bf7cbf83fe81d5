// SPDX-License-Identifier: Apache-2.0
// LiveCopy makes a database in an empty directory out of the files of another, which a process may
// be writing to: that process is not asked, and nothing of its is locked or changed.
//
//   tables, blob files   linked: they never change
//   WALs                 copied as far as they were at the moment, growing with them
//   MANIFEST             copied as far as it was read
//
// ReadDatabaseFiles() finds the moment: it calls Take() for each state that it reads until one was
// still the state afterwards. What a state needs is there by then. A WAL that RocksDB recycles is
// overwritten only once the MANIFEST says that it is not needed: then that state was not the last.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/version/database_files.h"
#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

class LiveCopy {
 public:
  LiveCopy(FileSystem& fs, std::string from, std::string to)
      : fs_(fs), from_(std::move(from)), to_(std::move(to)) {}

  // Brings what the state needs and is not there. Corruption if a table is missing, NotSupported if
  // the database is LevelDB's.
  Status Take(const DatabaseFiles& files);
  // Removes what only earlier states needed, makes all durable, and last CURRENT, which has it be a
  // database.
  Status Finish(const DatabaseFiles& files);

 private:
  struct Copy {
    std::unique_ptr<WritableFile> file;
    uint64_t size = 0;
  };

  Status Link(const std::string& name);
  Status Extend(const WalFile& wal);
  Status CopyOptions();
  Status RemoveOthers(const DatabaseFiles& files);

  FileSystem& fs_;
  const std::string from_, to_;
  std::set<std::string> linked_;
  std::map<uint64_t, Copy> wals_;
};

// How a table is called in the directory: LevelDB's have another file name extension.
std::string NameOfTable(FileSystem& fs, const std::string& directory, FileNumber number);

}  // namespace varve
