// SPDX-License-Identifier: Apache-2.0
// Asks one table or database everything, by all the ways there are, and tells a Judge: see
// answers_test.cc. One thread.
#pragma once

#include <string>

#include "tests/answers/judge.h"
#include "varve/file_system.h"

namespace varve {

// Verification, scans both ways, seeks and gets of a table.
void CheckTable(FileSystem& fs, const std::string& path, Judge* judge);

// Verification, reads and explanations of the database in "db".
void CheckDatabase(FileSystem& fs, Judge* judge);
// Makes "repaired" of it, which has to be sound. Requires a file system that can be written to.
void CheckRepaired(FileSystem& fs, Judge* judge);

}  // namespace varve
