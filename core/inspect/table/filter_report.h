// SPDX-License-Identifier: Apache-2.0
// Statistics of a table's filter: kind, fill, and false positive rate. The rate is measured with
// keys that the table does not have, and given with its 95 % confidence interval.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/explain/table_look.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct FilterReport {
  std::string kind =
      "none";               // "bloom", "legacy_bloom", "ribbon", "per_block", "constant", "mixed".
  std::string policy = {};  // As the metaindex names it.
  bool partitioned = false;
  bool whole_keys = true;
  std::string prefix_extractor = {};
  uint64_t bytes = 0;  // Of all filters, without trailers.
  uint64_t partitions = 0, empty_partitions = 0;
  uint64_t smallest_partition = 0, largest_partition = 0;  // Bytes.
  // Keys and prefixes added; from the properties, otherwise the number of entries.
  uint64_t entries = 0;
  double bits_per_key = 0;
  uint32_t probes = 0;              // Of Bloom filters.
  uint32_t columns = 0;             // Of Ribbon filters: bits of a key's fingerprint, at most.
  uint64_t bits = 0, bits_set = 0;  // bits_set / bits is the fill.

  // How it was measured: with lookups of absent keys or, where these are not possible (only
  // prefixes, unknown comparator), by querying the filters with random strings.
  bool by_hash = false;
  // Number of queries; 0: not measured, see `problem`.
  uint64_t asked = 0;
  uint64_t passed = 0;                           // Queries that the filter let pass.
  double rate = 0, rate_low = 0, rate_high = 0;  // passed / asked and its 95 % interval (Wilson).
  // Theoretical rate for the number of bits set, if a key's bits are independent. In the legacy
  // Bloom filter they are not: with many bits set its rate is higher.
  double expected_rate = 0;
  bool damaged = false;  // Readers ignore it.
  std::string problem = {};
};

struct FilterQuestion {
  uint64_t ask = 20'000;  // Number of absent keys to query.
  uint64_t seed = 1;      // Random seed for these.
};

// Absent keys are sampled present ones with random bytes appended, checked by a lookup: they are
// spread over the table, and query every partition of a filter in proportion to its keys.
Result<FilterReport> ReportFilter(FileSystem& fs, const std::string& path,
                                  const FilterQuestion& question);

struct FilterAnswer {
  FilterLook look = {};
  std::vector<BlockLook> reads = {};  // Of filter partitions.
};

// The filter's answer for `key`, and which bits decide it. Reads no data block, so a per-block
// filter, which is used after the index, is only named. NotSupported for an unknown comparator.
Result<FilterAnswer> AskFilter(FileSystem& fs, const std::string& path, std::string_view key);

}  // namespace varve
