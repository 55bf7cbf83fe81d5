// SPDX-License-Identifier: Apache-2.0
// A flush writes sealed memtables as one level-0 table, without versions that neither a snapshot
// nor a current reader can see (compaction/compaction_iterator.h).
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/compaction/job_context.h"
#include "core/format/manifest/file_description.h"
#include "core/memtable/memtable.h"
#include "varve/result.h"

namespace varve {

// Requires at least one memtable. Table and directory are synced. nullopt: there was nothing to
// write. On failure no file remains. Any thread.
Result<std::optional<FileDescription>> RunFlush(
    const JobContext& job, std::span<const std::shared_ptr<MemTable>> memtables);

}  // namespace varve
