// SPDX-License-Identifier: Apache-2.0
#include "core/version/table_weight.h"

#include <algorithm>
#include <limits>

namespace varve {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

double Real(uint64_t bytes) { return static_cast<double>(bytes); }

}  // namespace

TableCounts CountsOf(const TableProperties& properties) {
  return {.entries = properties.entries,
          .deletions = properties.deletions,
          .raw_key_bytes = properties.raw_key_size,
          .raw_value_bytes = properties.raw_value_size};
}

void TableTotals::Add(uint64_t file_size, const TableCounts& added) {
  if (added.entries == 0) return;
  file_bytes += file_size;
  counts.entries += added.entries;
  counts.deletions += std::min(added.deletions, added.entries);
  counts.raw_key_bytes += added.raw_key_bytes;
  counts.raw_value_bytes += added.raw_value_bytes;
}

uint64_t AverageValueBytes(const TableTotals& totals) {
  const TableCounts& counts = totals.counts;
  const uint64_t values = counts.entries - std::min(counts.deletions, counts.entries);
  const double raw = Real(counts.raw_key_bytes) + Real(counts.raw_value_bytes);
  if (values == 0 || raw == 0) return 0;
  const double average = Real(counts.raw_value_bytes / values) * Real(totals.file_bytes) / raw;
  return average >= Real(kUnlimited) ? kUnlimited : static_cast<uint64_t>(average);
}

uint64_t CompensatedBytes(uint64_t size, const TableCounts& counts, uint64_t average_value_bytes) {
  const uint64_t deletions = std::min(counts.deletions, counts.entries);
  const uint64_t others = counts.entries - deletions;
  if (deletions <= others) return size;
  const double extra = 2 * Real(deletions - others) * Real(average_value_bytes);
  return Real(size) + extra >= Real(kUnlimited) ? kUnlimited : size + static_cast<uint64_t>(extra);
}

}  // namespace varve
