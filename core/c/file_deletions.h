// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/c/handles.h"

namespace varve::c {

// Takes back rocksdb_disable_file_deletions() once, or with `force` all of them.
void EnableFileDeletions(rocksdb_t* db, bool force, char** errptr);

}  // namespace varve::c
