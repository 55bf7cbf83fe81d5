// SPDX-License-Identifier: Apache-2.0
// A file system in memory, for tests and for the browser. Everything counts as durable, and is lost
// with the object.
#pragma once

#include <memory>

#include "varve/file_system.h"

namespace varve {

// Thread-safe. Open files keep their contents when removed or replaced by a rename, as in POSIX;
// the file system must outlive its locks. "", "." and "/" exist from the start.
std::unique_ptr<FileSystem> NewMemoryFileSystem();

}  // namespace varve
