// SPDX-License-Identifier: Apache-2.0
// A flush writes sealed memtables as one level-0 table, and large values as blob files, without
// versions that neither a snapshot nor a current reader can see (compaction/compaction_iterator.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/compaction/job_context.h"
#include "core/format/manifest/file_description.h"
#include "core/format/manifest/version_edit.h"
#include "core/memtable/memtable.h"
#include "varve/result.h"

namespace varve {

struct FlushOutcome {
  std::optional<FileDescription> table;  // Nullopt: there was nothing to write.
  std::vector<BlobFileAddition> blobs;   // Files that the table refers to.
};

// Requires at least one memtable. Files and directory are synced. On failure no file remains. Any
// thread.
Result<FlushOutcome> RunFlush(const JobContext& job,
                              std::span<const std::shared_ptr<MemTable>> memtables);

}  // namespace varve
