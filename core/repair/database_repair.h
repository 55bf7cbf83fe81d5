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
// (cli/commands/maintain/repair.cc does, skipping what is damaged in them). If these are flushed
// ones, what they bring is older than tables below, or in these as well: the result, opened once,
// is to be repaired again, with `place_anew`. Merge operands that are in both count twice all the
// same: they were folded when the replayed logs were flushed.
#pragma once

#include <string>

#include "core/inspect/salvage/salvage.h"
#include "core/repair/repair_report.h"
#include "varve/environment.h"
#include "varve/result.h"

namespace varve {

struct RepairOptions {
  bool dry_run = false;     // Reads all, writes nothing.
  bool place_anew = false;  // By sequences, whatever the levels of the MANIFEST are.
  VerifyProgressFn progress = nullptr;
};

// InvalidArgument if there is nothing of a database in `source`, which is then another directory.
// `destination` must not exist, or be an empty directory: kBusy otherwise. NotSupported: LevelDB's
// directories, several paths, unknown comparators. After a failure the destination is incomplete.
Result<RepairReport> RepairDatabase(const Environment& env, const std::string& source,
                                    const std::string& destination, const RepairOptions& options);

}  // namespace varve
