// SPDX-License-Identifier: Apache-2.0
// Opens a database for a handle of c.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/c/handles.h"

namespace varve::c {

struct FamilyToOpen {
  std::string name;
  const rocksdb_options_t* options = nullptr;
};

enum class Access : uint8_t { kReadWrite, kReadOnly };

// As RocksDB: "default" has to be among `families`, and with kReadWrite so has every family that
// there is. The codes are RocksDB's where they differ from DB::Open()'s: a database that is not
// there is InvalidArgument, one that is locked IoError.
Result<std::unique_ptr<rocksdb_t>> OpenDatabase(const rocksdb_options_t& options,
                                                const std::string& path,
                                                std::span<const FamilyToOpen> families,
                                                Access access);

// The LOG of a database that is opened with these, with their options in it; not begun.
std::shared_ptr<InfoLog> NewInfoLog(const rocksdb_options_t& options, const std::string& path,
                                    std::span<const FamilyToOpen> families);

// A new handle for a family of an open database; null if there is none of that name.
rocksdb_column_family_handle_t* NewFamilyHandle(rocksdb_t* db, const FamilyToOpen& family);

// Has `make` create a family as the options say; null, with the error saved, if it could not.
using FamilyMaker = std::function<Result<ColumnFamilyId>(const NewFamily& family)>;
rocksdb_column_family_handle_t* CreateFamilyBy(const FamilyMaker& make, rocksdb_t* db,
                                               const rocksdb_options_t& options, const char* name,
                                               char** errptr);

struct StoredFamily {
  std::string name;
  std::string comparator;  // Its name.
};
// The families of the database in a directory, by id. IoError if there is none.
Result<std::vector<StoredFamily>> ListFamilies(const Environment& env, const std::string& path);

// "db" of "db/".
std::string WithoutLastSlash(std::string path);

// The file system of an environment, or the native one.
FileSystem& FileSystemOf(const Environment& env);

// The database's id as the MANIFEST has it; empty if it has none.
Result<std::string> IdInManifest(FileSystem& fs, const std::string& path);

}  // namespace varve::c
