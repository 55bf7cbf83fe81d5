// SPDX-License-Identifier: Apache-2.0
// A file system through which nothing of another one can change, and whose new files are nowhere:
//
//   Create("db/000012.sst") -> base.CreateScratch()     OpenForRead() finds it, and nobody else
//   anything that is there  -> base, to be read only
//
// What a read-only opening works on: it has to write what does not fit into memory.
#pragma once

#include <memory>

#include "varve/file_system.h"

namespace varve {

// Requires of paths that they are written in one way. New files are in no listing, and Create() of a
// path that `base` has is refused; it is kNotSupported where `base` has no temporary files. They go
// with the last who has one open, once they are removed or the overlay is gone. Thread-safe; `base`
// must outlive it.
std::unique_ptr<FileSystem> NewOverlayFileSystem(FileSystem& base);

}  // namespace varve
