// SPDX-License-Identifier: Apache-2.0
// The version of these headers and of the library that a program runs with, following
// <https://semver.org>: before 1.0 the C++ interface may change with the minor version. The format
// on disk is RocksDB's in all versions. CMakeLists.txt takes the project's version from here.
#pragma once

#include <string_view>

#include "varve/export.h"

// Changes that break programs (from 1.0 on).
#define VARVE_VERSION_MAJOR 0
// New features.
#define VARVE_VERSION_MINOR 1
// Fixes.
#define VARVE_VERSION_PATCH 0
// The version as text.
#define VARVE_VERSION "0.1.0"

namespace varve {

// VARVE_VERSION of the library. If it differs from the header's, the program was compiled with the
// headers of one version and runs with the shared library of another. Valid forever.
VARVE_EXPORT std::string_view LibraryVersion();

}  // namespace varve
