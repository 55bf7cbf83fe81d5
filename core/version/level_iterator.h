// SPDX-License-Identifier: Apache-2.0
// LevelIterator shows the disjoint tables of one level as one iterator. It opens a table when it
// reaches it, and never opens one that is wholly outside the bounds.
//
//   [a..c] [f..k] [m..z]     Seek(g): opens the second; Next past k: opens the third
//
// A table's tombstones are added to the collector when the table is opened, clipped to the file's
// bounds.
// One thread; the Version must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "core/iterator/internal_iterator.h"
#include "core/iterator/range_tombstones.h"
#include "core/table/read/table_reader.h"
#include "core/version/version.h"

namespace varve {

// `files`: e.g. version.index(3), or inputs of a compaction. Bounds only avoid opening tables: an
// opened table's entries are shown even outside them. `tombstones` may be null.
std::unique_ptr<InternalIterator> NewLevelIterator(const Version& version,
                                                   std::shared_ptr<const FileIndex> files,
                                                   const TableIteratorOptions& options,
                                                   const KeyBounds& bounds,
                                                   TombstoneCollector* tombstones);

// An iterator over one table of the Version, opened at once; its tombstones are added to
// `tombstones` (may be null).
Result<std::unique_ptr<InternalIterator>> NewFileIterator(const Version& version,
                                                          const FileMetadata& file,
                                                          const TableIteratorOptions& options,
                                                          TombstoneCollector* tombstones);

}  // namespace varve
