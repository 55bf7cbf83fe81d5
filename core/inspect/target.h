// SPDX-License-Identifier: Apache-2.0
// What is at this path? Told from the content, never from the name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

enum class TargetKind : uint8_t { kDatabase, kTable, kManifest, kWal, kUnknown };
std::string_view TargetKindName(TargetKind kind);  // "db", "sst", "manifest", "wal", "unknown".

// NotFound if there is nothing. A directory is a database if it has a CURRENT, and Corruption if it
// has only lost that (MissingCurrent); a file is a table if
// its last bytes are a table's magic number (any kind, decodable or not), a MANIFEST or a WAL if
// its first record parses as one.
Result<TargetKind> IdentifyTarget(FileSystem& fs, const std::string& path);

}  // namespace varve
