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
  kDirectory,  // It holds no database.
  kUnknown,    // A file of no kind that is known here.
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
// Of a table, or of a file that nothing tells the kind of: a table may be damaged where it says
// what it is.
Status RequireTable(FileSystem& fs, const std::string& path);

// Is `path`, which need not exist, in the directory of a database, under a name that databases give
// their own files? The database would take it for its own, and delete it if it does not need it.
bool IsNameOfDatabaseFile(const std::string& path);
// Nothing is made in a directory that is LevelDB's: NotSupported.
Status CheckNotInLevelDb(FileSystem& fs, const std::string& path);

}  // namespace varve
