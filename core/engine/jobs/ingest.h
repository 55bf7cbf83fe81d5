// SPDX-License-Identifier: Apache-2.0
// Ingestion takes over finished tables, all or none, as if each had been written just now in one
// write of its own.
//
//   copy or link into the directory -> verify every entry -> sync names
//     -> pause writes -> let no compaction start -> flush what is in the way -> choose levels
//     -> one MANIFEST record -> publish
//
// Compactions that run go on: a table is not put where their outputs may go.
//
// A table keeps its bytes: its entries say sequence 0, and the MANIFEST's largest sequence of the
// file is what they count as (db-format 5.5). Each table gets a number of its own, since level 0
// must not hold two files with the same one.
#pragma once

#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "varve/options.h"
#include "varve/status.h"

namespace varve {

// InvalidArgument names the first table that cannot be taken: not made for ingestion, of another
// comparator, overlapping another one of the list or, unless options.allow_overlap, existing keys.
Status IngestTables(Engine* engine, Family* family, const IngestOptions& options,
                    const std::vector<std::string>& paths);

}  // namespace varve
