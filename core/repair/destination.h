// SPDX-License-Identifier: Apache-2.0
// The directory of the new database: created when a repair begins, and exchanged with the old one
// when it is complete.
#pragma once

#include <string>

#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

// Creates the directory durably. Busy if it exists and is not an empty directory.
Status MakeDestination(FileSystem& fs, const std::string& directory);

// Puts the finished directory `repaired` in the place of `path`, whose old contents stay at
// `aside`, which must not exist.
Status ReplaceDirectory(FileSystem& fs, const std::string& repaired, const std::string& path,
                        const std::string& aside);

}  // namespace varve
