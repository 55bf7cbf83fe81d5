// SPDX-License-Identifier: Apache-2.0
// Repair makes a new database out of what is left of one: of its MANIFEST if that can be read, else
// of the tables alone. Nothing of the old directory is changed.
//
//   MANIFEST whole          its tables on their levels; damaged ones salvaged, lost ones left out
//   MANIFEST cut or broken  the tables that its readable part has not deleted, placed anew
//   no MANIFEST             all tables, placed anew (repair/placement.h); families from properties
//
// Its phases, each of which takes the results of the previous ones as values:
//
//   source_files.h -> manifest_remains.h -> table_rescue.h (-> ingested_sequences.h)
//     -> family_placement.h -> source_copy.h -> new_manifest.h
//
// Logs are copied, not applied: the first opening of the new database replays them
// (cli/commands/maintain/repair.cc does, skipping what is damaged in them). Logs that were flushed
// before contain data that is older than tables on lower levels, or that is in these tables as
// well. Then open the result once and repair it again with `place_anew`. Merge operands that are in
// a log and in a table count twice even so: they were folded when the replayed logs were flushed.
#pragma once

#include <string>

#include "core/inspect/salvage/salvage.h"
#include "core/repair/repair_report.h"
#include "varve/comparator.h"
#include "varve/environment.h"
#include "varve/result.h"

namespace varve {

struct RepairOptions {
  bool dry_run = false;     // Reads all, writes nothing.
  bool place_anew = false;  // Assign levels by sequences only, ignoring those in the MANIFEST.
  VerifyProgressFn progress = nullptr;
  // A key order that is not built in, of the families and tables that name it. Outlives the call.
  const Comparator* comparator = nullptr;
};

// InvalidArgument if `source` has no file of a database: then it is probably the wrong directory.
// `destination` must not exist, or be an empty directory: kBusy otherwise. NotSupported: LevelDB's
// directories, several paths, unknown comparators. After a failure the destination is incomplete.
Result<RepairReport> RepairDatabase(const Environment& env, const std::string& source,
                                    const std::string& destination, const RepairOptions& options);

}  // namespace varve
