// SPDX-License-Identifier: Apache-2.0
// Ingestion adds finished tables to one or several families, all or none, as if each had just been
// written by a write of its own.
//
//   copy or link into the directory, verify every entry (arrivals.h)
//     -> pause writes -> let no compaction start -> flush what is in the way -> choose levels
//     -> one group of MANIFEST records -> publish
//
// Running compactions continue: no table is put where their outputs may go.
//
// A table file is not changed: its entries have sequence number 0, and count as the file's largest
// sequence number in the MANIFEST (db-format 5.5). Each table gets its own number, since level 0
// must not contain two files with the same one.
#pragma once

#include <span>

#include "core/engine/engine.h"
#include "varve/db.h"
#include "varve/options.h"
#include "varve/status.h"

namespace varve {

// InvalidArgument names the first table that is rejected: not made for ingestion, of another
// comparator, overlapping another table of its family without options.in_order or, unless
// options.allow_overlap, existing keys. Also for a family that is listed twice.
Status IngestTables(Engine* engine, const IngestOptions& options,
                    std::span<const FamilyTables> families);

}  // namespace varve
