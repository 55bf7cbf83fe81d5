// SPDX-License-Identifier: Apache-2.0
// The lock on a database's LOCK file, which holds off RocksDB and LevelDB, and is held off by them.
//
// They take a POSIX record lock on all of the file. It belongs to the process: a second library in
// the process would get it as well, and close(2) of any descriptor of the file drops it. Varve's
// belongs to its open file description instead (Linux, F_OFD_SETLK in fcntl(2)). The two kinds
// exclude each other, also within a process. A forked child shares the description, so it closes
// its descriptor at once (pthread_atfork). Where there are no such locks, it is a record lock.
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
