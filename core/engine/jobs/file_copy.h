// SPDX-License-Identifier: Apache-2.0
// Copies of files for ingestion and checkpoints. The bytes are on stable storage when a function
// returns; the name is so once the caller synced the directory.
#pragma once

#include <cstdint>
#include <string>

#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

// The first `size` bytes of `from`, which must have that many, become the new file `to`.
Status CopyFile(FileSystem& fs, const std::string& from, const std::string& to, uint64_t size);

// A hard link to a file whose bytes are synced, or a copy where the file system cannot link.
Status LinkOrCopyFile(FileSystem& fs, const std::string& from, const std::string& to,
                      uint64_t size);

}  // namespace varve
