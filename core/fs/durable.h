// SPDX-License-Identifier: Apache-2.0
// Makes file names durable. Nothing outside fs/ renames files or syncs directories.
//
// POSIX guarantees nothing about a new name until its *directory* is synced, and nothing about the
// order of an unsynced rename and a later unlink. Each function below is durable on return.
#pragma once

#include <string>
#include <string_view>

#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

// The directory that the name `path` is in: "." of a name alone.
std::string DirectoryOf(const std::string& path);

// write `temporary` -> sync it -> rename over `path` -> sync the directory of `path`.
Status ReplaceFileDurably(FileSystem& fs, const std::string& temporary, const std::string& path,
                          std::string_view contents);

// The same in two steps, for a file that must not be used before another step is done. After the
// first step the file is durable under the name `temporary`; the second step renames it.
Status PrepareFileDurably(FileSystem& fs, const std::string& temporary, std::string_view contents);
Status RenameFileDurably(FileSystem& fs, const std::string& temporary, const std::string& path);

// Makes every name created in `directory` so far durable. Call before a MANIFEST mentions it.
Status SyncDirectory(FileSystem& fs, const std::string& directory);

// Makes the name of `directory` itself durable, since files in an unreachable directory are lost.
// If it `was_there`, its creator may have done so, and a parent directory that cannot be opened or
// synced is not an error.
Status SyncNameOfDirectory(FileSystem& fs, const std::string& directory, bool was_there);

// Syncs `temporary`, renames it to `path`, which must not exist, and syncs the parent directory:
// readers find all or nothing. After an error it is still at `temporary`, and anything at `path`
// belongs to another process.
Status PublishDirectory(FileSystem& fs, const std::string& temporary, const std::string& path);

// Unlinks `path`, ignoring errors: the file is obsolete in any case, and the next opening of the
// database removes it.
void RemoveObsoleteFile(FileSystem& fs, const std::string& path);

// The same of a directory, with the files in it, the directories in it, and the files in those: a
// folder of temporary files.
void RemoveFolders(FileSystem& fs, const std::string& directory);

}  // namespace varve
