// SPDX-License-Identifier: Apache-2.0
// The tables of an open database, as c.h describes them, and its logs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/c/handles.h"
#include "varve/file_system.h"

struct rocksdb_column_family_metadata_t;

namespace varve::c {

// "000012.sst"
std::string NameOf(const LiveFile& file);

// The logs in the directory of a database.
Result<std::vector<DirectoryEntry>> LogsIn(FileSystem& fs, const std::string& directory);

// Which tables a description has.
struct FileFilter {
  int level = -1;  // Below 0: all.
  // Those with keys in between, both inclusive; nullopt is unbounded.
  std::optional<std::string> start_key = {}, end_key = {};
};

rocksdb_column_family_metadata_t* Describe(rocksdb_t* db,
                                           const rocksdb_column_family_handle_t& family,
                                           const FileFilter& filter = {});

}  // namespace varve::c

struct rocksdb_livefiles_t {
  struct File {
    std::string family = {};
    std::string name = {};  // "/000012.sst", as RocksDB has it.
    varve::LiveFile file = {};
    std::string directory = {};
  };
  std::vector<File> files = {};
};

struct rocksdb_sst_file_metadata_t {
  const varve::LiveFile* file;
  std::string directory = {};
};
