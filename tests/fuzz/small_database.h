// SPDX-License-Identifier: Apache-2.0
// A database that is asked by requests and commands: two families, tables in two levels, range
// deletions, merges, and a log. The same in each process.
#pragma once

#include <string>

#include "varve/environment.h"

namespace varve::fuzz {

// Makes it in `path`, which is not there yet, on the file system of `environment`.
void MakeSmallDatabase(const Environment& environment, const std::string& path);

}  // namespace varve::fuzz
