// SPDX-License-Identifier: Apache-2.0
// How long the search for the file of a key takes, by itself: a Get does much besides.
#pragma once

#include <string_view>

#include "varve/db.h"
#include "varve/result.h"

namespace varve::wasm {

// The least of several rounds, over the tables of the default family as one level. `grade`: of
// Grades::file_search.
Result<double> SearchNanoseconds(const DB& db, std::string_view grade);

}  // namespace varve::wasm
