// SPDX-License-Identifier: Apache-2.0
// What a caller is told of the compaction that it asked for.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/compaction/picker.h"
#include "core/engine/family.h"
#include "core/engine/job_listener.h"
#include "core/format/manifest/version_edit.h"
#include "varve/compact_files.h"

namespace varve {

// `end` is that of a compaction which succeeded. `directory`: that of the database.
CompactionJobInfo DescribeCompaction(uint64_t job, const Family& family, const JobEnd& end,
                                     std::span<const BlobFileAddition> blobs,
                                     std::span<const BlobFileGarbage> garbage,
                                     const std::string& directory);

}  // namespace varve
