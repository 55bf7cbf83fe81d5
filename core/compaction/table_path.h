// SPDX-License-Identifier: Apache-2.0
// Which of a family's cf_paths a new table goes to. RocksDB's rule (rocksdb/options.h, db_paths):
// newer data goes to earlier paths, and what is under a path is close to its target size. By level:
//
//   a flush, an ingested table   the first path
//   level n                      the first path that has room for levels 0 to n at their targets,
//                                levels in order and never split; the last one if none has
//
// Level 0 is taken to be as large as level 1. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "varve/options.h"

namespace varve {

// An index into cf_paths: 0 if there are none.
uint32_t PathOfLevel(const ColumnFamilyOptions& options, int level);

// The directory of that path; `directory`, the database's, if there are no cf_paths.
const std::string& DirectoryOfPath(const ColumnFamilyOptions& options, uint32_t path_id,
                                   const std::string& directory);

}  // namespace varve
