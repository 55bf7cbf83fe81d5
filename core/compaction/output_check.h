// SPDX-License-Identifier: Apache-2.0
// What a MANIFEST is about to say of a table that a flush or compaction has written, held against
// the table itself: for builds with DCHECK, since it reads all of it. Other programs' tables may be
// cut at bounds of their level, or damaged; those of our own jobs are neither, and a difference is
// a defect of this program.
#pragma once

#include "core/format/manifest/file_description.h"
#include "core/table/read/table_reader.h"
#include "varve/comparator.h"
#include "varve/status.h"

namespace varve {

// Corruption that says what differs: the bounds are the first and the last key, tombstones
// included; the sequences are the lowest and the highest; keys ascend. Ok, too, if the table cannot
// be read: that is nobody's defect, and reported by whoever has to read it.
Status CheckOutput(const Comparator& comparator, const FileDescription& output,
                   const TableReader& table);

}  // namespace varve
