// SPDX-License-Identifier: Apache-2.0
// Many lookups in many tables at once. Each stage does its work for all of them before the next
// begins, and asks for the memory that the next one reads, so that the misses of different keys
// overlap:
//
//   tombstones, remaining filters -> index starts -> index entries -> cache words -> blocks
//   -> what is not cached: one submission for all tables -> heads -> entries -> answers
//
// A block that several keys are in is found, read and pinned once.
//
// AskFilters() is a stage of its own: a batch asks the filters of every table that a key may be in
// before it searches the first one.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/grades.h"
#include "core/iterator/lookup.h"
#include "core/table/read/table_reader.h"
#include "varve/options.h"

namespace varve {

// Lookups that are in the pipeline together.
inline constexpr size_t kBatchWindow = 64;

// One key in one table.
struct TableProbe {
  Lookup* lookup = nullptr;
  const TableReader* table = nullptr;  // Null: AskFilters() leaves the probe alone.
  FilterVerdict filter = FilterVerdict::kNotAsked;
};

// Asks the filters that are in memory, as a whole or by decoded partitions in the block cache; the
// others are left to the search.
void AskFilters(std::span<TableProbe> probes);

// As TableReader::Get() for each probe whose filter has not said no. At most kBatchWindow probes,
// no lookup twice.
void SearchTables(const ReadOptions& options, MultiGetIo io, std::span<const TableProbe> probes);

// As TableReader::Get() for each lookup that is not done: any number of them, in one table.
void SearchTable(const ReadOptions& options, const TableReader& table,
                 std::span<Lookup* const> lookups);

}  // namespace varve
