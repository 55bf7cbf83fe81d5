// SPDX-License-Identifier: Apache-2.0
// The version of these headers, and that of the library which a program runs with. They follow
// <https://semver.org>: before 1.0 the C++ interface may change with the minor version. The format
// on disk is RocksDB's in all of them. CMakeLists.txt takes the project's version from here.
#pragma once

#include <string_view>

#include "varve/export.h"

// Of these headers: changes with what breaks programs, from 1 on.
#define VARVE_VERSION_MAJOR 0
// Of these headers: changes with what is new.
#define VARVE_VERSION_MINOR 1
// Of these headers: changes with what is mended.
#define VARVE_VERSION_PATCH 0
// The three of them, as text.
#define VARVE_VERSION "0.1.0"

namespace varve {

// VARVE_VERSION of the library. Another one than the header's says that a program was compiled with
// the headers of one version and runs with the shared library of another. Valid for good.
VARVE_EXPORT std::string_view LibraryVersion();

}  // namespace varve
