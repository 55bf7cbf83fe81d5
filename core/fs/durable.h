// SPDX-License-Identifier: Apache-2.0
// The ways this engine makes names durable. Nothing outside fs/ renames or syncs a directory.
//
// POSIX promises nothing about a new name until its *directory* is synced, and nothing about the
// order of an unsynced rename and a later unlink. Each function below is durable on return.
#pragma once

#include <string>
#include <string_view>

#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

// write `temporary` -> sync it -> rename over `path` -> sync the directory of `path`.
Status ReplaceFileDurably(FileSystem& fs, const std::string& temporary, const std::string& path,
                          std::string_view contents);

// The same in two steps, for a file that is to hold once something else does. What the first wrote
// is there after a crash, under `temporary`, until the second renames it.
Status PrepareFileDurably(FileSystem& fs, const std::string& temporary, std::string_view contents);
Status RenameFileDurably(FileSystem& fs, const std::string& temporary, const std::string& path);

// Makes every name created in `directory` so far durable. Call before a MANIFEST mentions it.
Status SyncDirectory(FileSystem& fs, const std::string& directory);

// Makes the name of `directory` itself durable: what is in a directory that nobody finds is lost.
// If it `was_there`, its maker may have done so, and a parent that this process may not open, or
// that cannot be synced, is no failure.
Status SyncNameOfDirectory(FileSystem& fs, const std::string& directory, bool was_there);

// Syncs `temporary`, renames it to `path`, which must not exist, and syncs the directory of that: a
// reader finds all or nothing. After a failure it is where it was, what is at `path` is another's.
Status PublishDirectory(FileSystem& fs, const std::string& temporary, const std::string& path);

// Unlinks `path`; failing to is not an error: the file is garbage either way and the next open
// removes it.
void RemoveObsoleteFile(FileSystem& fs, const std::string& path);

}  // namespace varve
