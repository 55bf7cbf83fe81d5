// SPDX-License-Identifier: Apache-2.0
// What a table weighs when levels are compared: its size, and if most of its entries are deletions,
// what these free further down, each an average value of the family. As in RocksDB 7.8.3:
// VersionStorageInfo::ComputeCompensatedSizes() and GetAverageValueSize() in db/version_set.cc.
// Pure functions.
#pragma once

#include <cstdint>

#include "core/format/table/table_properties.h"
#include "core/format/table_counts.h"

namespace varve {

TableCounts CountsOf(const TableProperties& properties);

// Of a family's tables, those of which nothing is known left out.
struct TableTotals {
  uint64_t file_bytes = 0;
  TableCounts counts;

  void Add(uint64_t file_size, const TableCounts& added);
};

// Bytes of an average value as it is stored; 0 if there is none.
uint64_t AverageValueBytes(const TableTotals& totals);
// `size`, and twice the average for each deletion beyond half of the entries.
uint64_t CompensatedBytes(uint64_t size, const TableCounts& counts, uint64_t average_value_bytes);

}  // namespace varve
