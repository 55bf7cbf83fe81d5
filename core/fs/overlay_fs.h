// SPDX-License-Identifier: Apache-2.0
// A read-only view of another file system, with new files in unnamed temporary storage:
//
//   Create("db/000012.sst") -> base.CreateScratch()     only its OpenForRead() finds it
//   existing files          -> base, read only
//
// Used by read-only opens, which must spill data that does not fit into memory.
#pragma once

#include <memory>

#include "varve/file_system.h"

namespace varve {

// Requires that each path is always written the same way. New files are not listed; Create() of a
// path that exists in `base` is refused, and kNotSupported if `base` has no temporary files. A new
// file is freed when it was removed, or the overlay destroyed, and the last user has closed it.
// Thread-safe; `base` must outlive it.
std::unique_ptr<FileSystem> NewOverlayFileSystem(FileSystem& base);

}  // namespace varve
