// SPDX-License-Identifier: Apache-2.0
// Decides what universal compaction merges next. Pure functions, as those of picker.h.
//
// The sorted runs of a family, newest first, are the tables of level 0 and, below, each level that
// has tables. A plan takes neighbouring runs, each as a whole, so that what it makes is again one
// run between those that are newer and those that are older. It goes to the level above the next
// run, to level 0 if that is in level 0, and to the last level if there is no next run. The rules
// are those of RocksDB 7.8.3 (compaction_picker_universal.cc); varve/options.h describes them
// (UniversalOptions). A run that has a busy table is left alone, and ends a series of neighbours.
//
// Compactions may run side by side: a plan of newer runs than those of a running one has its output
// above them, a plan of older ones below its output.
#pragma once

#include <cstddef>
#include <optional>

#include "core/compaction/picker.h"
#include "core/version/version.h"
#include "varve/options.h"

namespace varve {

size_t CountSortedRuns(const Version& version);

// nullopt: nothing to do, or everything due conflicts with a running compaction. Tables that are
// marked for compaction are merged, with their runs, into the oldest run.
std::optional<CompactionPlan> PickUniversalCompaction(const Version& version,
                                                      const ColumnFamilyOptions& options,
                                                      const BusyFiles& busy);

// All runs into the last level. nullopt: there is none, or one is busy.
std::optional<CompactionPlan> PickAllRuns(const Version& version,
                                          const ColumnFamilyOptions& options,
                                          const BusyFiles& busy);

}  // namespace varve
