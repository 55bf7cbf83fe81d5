// SPDX-License-Identifier: Apache-2.0
// Determines which logs are already in tables, without a MANIFEST. Replaying these again would
// count merge operands twice, and duplicate entries in two tables would stop every compaction. A
// memtable ends with a log, and memtables are flushed in order: all of a log's entries of a family
// are in tables if its newest entry is, otherwise none are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "varve/file_system.h"
#include "varve/types.h"

namespace varve {

using NewestSequences = std::map<ColumnFamilyId, Sequence>;

// The first log that each family may still need; families that need all logs are omitted. `logs`:
// ascending numbers. `in_tables`: the flushed tables' contents.
std::map<ColumnFamilyId, FileNumber> LogsBehindTables(FileSystem& fs, const std::string& directory,
                                                      const std::vector<uint64_t>& logs,
                                                      const NewestSequences& in_tables);

}  // namespace varve
