// SPDX-License-Identifier: Apache-2.0
// Copies of files. The bytes are durable when a function returns; the name is durable once the
// caller has synced the directory.
#pragma once

#include <cstdint>
#include <string>

#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

// Copies the first `size` bytes of `from`, which must have that many, to the new file `to`.
Status CopyFile(FileSystem& fs, const std::string& from, const std::string& to, uint64_t size);

// Hard-links a file whose bytes are synced, or copies it where the file system cannot link.
Status LinkOrCopyFile(FileSystem& fs, const std::string& from, const std::string& to,
                      uint64_t size);

}  // namespace varve
