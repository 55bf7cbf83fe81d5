// SPDX-License-Identifier: Apache-2.0
// A file system through which nothing can change: what the inspector and read-only opens see.
#pragma once

#include <memory>

#include "varve/file_system.h"

namespace varve {

// Reads go to `base`, which must outlive it; everything else, locking included, is the caller's
// mistake and InvalidArgument. Thread-safe.
std::unique_ptr<FileSystem> NewReadOnlyFileSystem(FileSystem& base);

}  // namespace varve
