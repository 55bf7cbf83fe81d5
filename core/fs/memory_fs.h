// SPDX-License-Identifier: Apache-2.0
// A file system that lives in memory, for tests and for the browser. Everything is durable at once,
// and gone with the object.
#pragma once

#include <memory>

#include "varve/file_system.h"

namespace varve {

// Thread-safe. Open files keep their contents when removed or renamed over, as POSIX has it; the
// file system must outlive its locks. "" , "." and "/" exist from the start.
std::unique_ptr<FileSystem> NewMemoryFileSystem();

}  // namespace varve
