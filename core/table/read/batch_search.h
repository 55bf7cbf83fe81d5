// SPDX-License-Identifier: Apache-2.0
// Many lookups in many tables at once. Each stage runs for all of them before the next stage
// begins, and prefetches the memory that the next stage reads, so that the cache misses of
// different keys overlap:
//
//   tombstones, remaining filters -> index starts -> index entries -> cache words -> blocks
//   -> what is not cached: one submission for all tables -> heads -> entries -> answers
//
// A block needed by several keys is found, read and pinned once.
//
// AskFilters() is a separate stage: a batch checks the filters of all candidate tables before it
// searches the first one.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/options/grades.h"
#include "core/iterator/lookup.h"
#include "core/table/read/table_reader.h"
#include "varve/options.h"

namespace varve {

// Lookups that are processed together.
inline constexpr size_t kBatchWindow = 64;

// One key in one table.
struct TableProbe {
  Lookup* lookup = nullptr;
  const TableReader* table = nullptr;  // Null: AskFilters() leaves the probe alone.
  FilterVerdict filter = FilterVerdict::kNotAsked;
};

// Checks the filters that are in memory, whole or as decoded partitions in the block cache; the
// search checks the others. A point index answers in its table's filter's place, with kNo only.
void AskFilters(std::span<TableProbe> probes);

// As TableReader::Get() for each probe that its filter did not exclude. At most kBatchWindow
// probes, no lookup twice.
void SearchTables(const ReadOptions& options, MultiGetIo io, std::span<const TableProbe> probes);

// As TableReader::Get() for each unfinished lookup: any number of them, in one table.
void SearchTable(const ReadOptions& options, const TableReader& table,
                 std::span<Lookup* const> lookups);

}  // namespace varve
