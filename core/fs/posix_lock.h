// SPDX-License-Identifier: Apache-2.0
// The lock on a database's LOCK file, as RocksDB and LevelDB take it: a POSIX record lock on all of
// it, which a second opener in this process does not get either, whichever library it uses.
#pragma once

#include <memory>
#include <string>

#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// Creates the file if it does not exist. Busy if anyone has the lock. Thread-safe.
Result<std::unique_ptr<FileLock>> LockPosixFile(const std::string& path);

// Whether anyone has the lock. False if that cannot be found out. Thread-safe.
bool IsPosixFileLocked(const std::string& path);

}  // namespace varve
