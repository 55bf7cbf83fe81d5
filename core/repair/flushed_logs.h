// SPDX-License-Identifier: Apache-2.0
// Which logs are in tables already, when no MANIFEST says so. Replayed once more, operands would
// count twice, and entries that are in two tables stop every compaction. A memtable ends where a log
// does, and memtables are flushed in turn: of each log a family has all in its tables if they have
// its newest entry there, and else nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "varve/file_system.h"
#include "varve/types.h"

namespace varve {

using NewestSequences = std::map<ColumnFamilyId, Sequence>;

// The first log that each family may still need; nothing of a family that needs all. `logs`:
// ascending numbers. `in_tables`: of what memtables were flushed to.
std::map<ColumnFamilyId, FileNumber> LogsBehindTables(FileSystem& fs, const std::string& directory,
                                                      const std::vector<uint64_t>& logs,
                                                      const NewestSequences& in_tables);

}  // namespace varve
