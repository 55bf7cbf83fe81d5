// SPDX-License-Identifier: Apache-2.0
// Spilling bounds the memory of a read-only open, however long the WALs are: what they hold goes
// into level-0 tables in files without names (fs/overlay_fs.h) that only this opening sees. Unlike a
// flush it keeps every version, for readers of the past.
#pragma once

#include "core/compaction/job_context.h"
#include "core/format/manifest/file_description.h"
#include "core/memtable/memtable.h"

namespace varve {

// The memtables of all families together, before the largest are spilled. (It stands in varve/db.h.)
inline constexpr uint64_t kUnspilledBytesMax = 32 << 20;

// Requires a memtable that is not empty and takes no more writes.
Result<FileDescription> SpillMemTable(const JobContext& job, const MemTable& memtable);

}  // namespace varve
