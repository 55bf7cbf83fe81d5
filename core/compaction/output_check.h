// SPDX-License-Identifier: Apache-2.0
// Compares a table written by a flush or compaction with the description for the MANIFEST. Only
// with DCHECK, since it reads the whole table. Tables of other programs may be cut at bounds of
// their level, or damaged; those of our own jobs must not differ from their description.
#pragma once

#include "core/format/manifest/file_description.h"
#include "core/table/read/table_reader.h"
#include "varve/comparator.h"
#include "varve/status.h"

namespace varve {

// Corruption naming the difference: the bounds must be the first and last key, including
// tombstones; the sequences the lowest and highest; keys must ascend. Ok if the table cannot be
// read: readers will report that.
Status CheckOutput(const Comparator& comparator, const FileDescription& output,
                   const TableReader& table);

}  // namespace varve
