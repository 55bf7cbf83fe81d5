// SPDX-License-Identifier: Apache-2.0
// The id of a database (IDENTITY, db-format 1.5), which is written into the properties of every
// table.
#pragma once

#include <string>

#include "varve/environment.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// A random UUID: 36 characters.
std::string NewDatabaseId(Random& random);

// The contents of IDENTITY; empty if there is no such file.
Result<std::string> ReadIdentity(FileSystem& fs, const std::string& directory);
Status WriteIdentity(FileSystem& fs, const std::string& directory, const std::string& db_id);

}  // namespace varve
