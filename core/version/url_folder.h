// SPDX-License-Identifier: Apache-2.0
// The files of a database in a folder that cannot be listed, as those of web servers.
//
//   CURRENT -> MANIFEST -> tables and blob files, with their sizes
//                       -> the numbers that logs and OPTIONS may have: asked for one by one
//
// A log may have any number from the oldest one that is needed to a little above the next that
// the MANIFEST would give. All of them are asked for; kNotSupported if they are too many. Tables
// are listed as the MANIFEST says: whether they are there shows when they are read.
#pragma once

#include <string>
#include <vector>

#include "core/fs/http/http_fs.h"
#include "varve/file_system.h"

namespace varve {

// A ListFolder. kNotFound if the folder has no CURRENT.
Result<std::vector<DirectoryEntry>> ListUrlFolder(FileSystem& files, const std::string& directory,
                                                  const SizesOfFiles& sizes);

}  // namespace varve
