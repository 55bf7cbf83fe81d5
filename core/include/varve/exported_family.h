// SPDX-License-Identifier: Apache-2.0
// The tables of a column family apart from its database: what DB::ExportColumnFamily() makes and
// DB::ImportColumnFamily() takes, in this program or in RocksDB.
//
// Plain data: it may outlive the DB, and is thread-compatible.
#pragma once

#include <string>
#include <vector>

#include "varve/live_file.h"

namespace varve {

// One table, and what the database that it is from knew of it.
struct ExportedTable {
  std::string path = {};  // Of the file; its name does not matter.
  // Level and sequence numbers as in that database. Range deletions are cut at smallest_key and
  // largest_key, because a table may have more of them than counts; both empty: none are cut. A
  // size of 0 is unknown. `number`, `entries` and `deletions` are for people.
  LiveFile file = {};
};

// What a family is made of.
struct ExportedFamily {
  std::string comparator = {};             // Name of its key order.
  std::vector<ExportedTable> tables = {};  // In any order.
};

}  // namespace varve
