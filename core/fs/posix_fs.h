// SPDX-License-Identifier: Apache-2.0
// The operating system's file system. Not part of builds for the browser.
#pragma once

#include <memory>

#include "varve/file_system.h"

namespace varve {

// Thread-safe. LOCK files are locked with fcntl over their whole length, like in RocksDB and
// LevelDB, and in a table of this process, because record locks do not exclude their own process.
std::unique_ptr<FileSystem> NewPosixFileSystem();

}  // namespace varve
