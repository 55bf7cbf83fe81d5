// SPDX-License-Identifier: Apache-2.0
// A checkpoint is a complete database in a new directory, as of one moment: tables and blob files
// are hard-linked, the synced part of the WALs is copied, and a new MANIFEST lists the live files.
//
//   <path>.checkpoint/  links and copies -> MANIFEST, synced -> CURRENT   rename-->  <path>/
//
// The directory appears complete and durable, or not at all.
#pragma once

#include <string>

#include "core/engine/engine.h"
#include "varve/status.h"

namespace varve {

// InvalidArgument if `path` exists, is a broken link, or is empty. Writes continue meanwhile.
Status WriteCheckpoint(Engine* engine, const std::string& path);

// The same of the files in `from`, which another process may have open: live_copy.h. That needs no
// lock and no comparator. Busy if the database changes faster than its files can be taken,
// NotSupported if it is LevelDB's.
Status WriteCheckpointOfFiles(FileSystem& fs, const std::string& from, const std::string& path);

// The tables of one family in a directory that appears likewise. NotSupported if it has blob files.
Result<ExportedFamily> ExportFamily(Engine* engine, ColumnFamilyId family, const std::string& path);

}  // namespace varve
