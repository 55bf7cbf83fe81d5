// SPDX-License-Identifier: Apache-2.0
// A flush writes sealed memtables as one level-0 table. Versions that neither a snapshot nor a
// present reader can see are left out on the way (compaction/compaction_iterator.h).
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/compaction/job_context.h"
#include "core/format/manifest/file_description.h"
#include "core/memtable/memtable.h"
#include "varve/result.h"

namespace varve {

// Requires at least one memtable. The table is synced, its directory too. nullopt: nothing was left
// to write. On failure no file remains. Any thread.
Result<std::optional<FileDescription>> RunFlush(
    const JobContext& job, std::span<const std::shared_ptr<MemTable>> memtables);

}  // namespace varve
