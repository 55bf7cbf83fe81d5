// SPDX-License-Identifier: Apache-2.0
// Identifies the kind of object at a path by its contents, never by its name.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

enum class TargetKind : uint8_t {
  kDatabase,
  kTable,
  kManifest,
  kWal,
  kDirectory,  // A directory without a database.
  kUnknown,    // A file of no kind that Varve knows.
};
// "db", "sst", "manifest", "wal"; "unknown" for the others.
std::string_view TargetKindName(TargetKind kind);
// "a database", "a table": for messages.
std::string_view TargetKindText(TargetKind kind);

// NotFound if it does not exist. A directory is a database if it has a CURRENT, and Corruption if
// only CURRENT is missing (MissingCurrent); a file is a table if it ends with a table's magic
// number (supported or not), a MANIFEST or a WAL if its first record parses as one.
Result<TargetKind> IdentifyTarget(FileSystem& fs, const std::string& path);

// The kind of `path`, which must be one of `wanted`. Otherwise InvalidArgument, "x is `not_what`
// but a table"; NotFound for a directory without a database, where a database is among them.
Result<TargetKind> RequireKind(FileSystem& fs, const std::string& path, std::string_view not_what,
                               std::initializer_list<TargetKind> wanted);
Status RequireDatabase(FileSystem& fs, const std::string& path);
// A table, or a file of unknown kind: it may be a table whose magic number is damaged.
Result<TargetKind> RequireTable(FileSystem& fs, const std::string& path);

// Whether `path`, which need not exist, is in the directory of a database and has a name that
// databases give their own files. The database would treat such a file as its own, and delete it as
// garbage.
bool IsNameOfDatabaseFile(const std::string& path);
// NotSupported if `path` is in a LevelDB directory, in which nothing is created.
Status CheckNotInLevelDb(FileSystem& fs, const std::string& path);

}  // namespace varve
