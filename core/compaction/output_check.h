// SPDX-License-Identifier: Apache-2.0
// Compares a table written by a flush or compaction with the description for the MANIFEST. Reads
// the whole table: for our own tables only with DCHECK, for those of a worker always. Tables of
// other programs may be cut at bounds of their level, or damaged; those of jobs must not differ
// from their description.
#pragma once

#include <cstdint>

#include "core/format/manifest/file_description.h"
#include "core/table/read/table_reader.h"
#include "core/version/seen_bounds.h"
#include "varve/comparator.h"
#include "varve/status.h"

namespace varve {

// What was found in a table.
struct ReadTable {
  explicit ReadTable(const Comparator& order) : bounds(order) {}

  SeenBounds bounds;              // Of entries and range deletions.
  uint64_t points = 0;            // Entries that are no range deletions.
  uint64_t oldest_blob_file = 0;  // Of those that entries refer to; 0: none.
};

// Reads every entry. The error of the table if it is damaged or out of order, or has none.
Status ReadWholeTable(const TableReader& table, uint64_t readahead, ReadTable* read);

// Corruption naming the difference: the bounds must be the first and last key, including
// tombstones; the sequences the lowest and highest.
Status CompareWithDescription(const FileDescription& output, const SeenBounds& seen);

// The same of a table, whose keys must ascend. Ok if the table cannot be read: readers will report
// that.
Status CheckOutput(const Comparator& comparator, const FileDescription& output,
                   const TableReader& table);

}  // namespace varve
