// SPDX-License-Identifier: Apache-2.0
// Spilling bounds the memory of a read-only open, however long the WALs are: their contents go into
// level-0 tables in unnamed temporary files (fs/overlay_fs.h) that only this opening sees. Unlike a
// flush it keeps every version, for reads at older sequence numbers.
#pragma once

#include "core/compaction/job_context.h"
#include "core/format/manifest/file_description.h"
#include "core/memtable/memtable.h"

namespace varve {

// Limit for the memtables of all families together, above which the largest are spilled.
// (varve/db.h mentions it.)
inline constexpr uint64_t kUnspilledBytesMax = 32 << 20;

// Requires a memtable that is sealed and not empty.
Result<FileDescription> SpillMemTable(const JobContext& job, const MemTable& memtable);

}  // namespace varve
