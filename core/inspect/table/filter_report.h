// SPDX-License-Identifier: Apache-2.0
// A table's filter: what it is, how full it is, and how often it is wrong. That is measured, by
// asking it for keys that the table does not have, and given with its 95 % interval.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/explain/key_probe.h"
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
  uint64_t entries = 0;  // Keys and prefixes added; of the properties, else entries.
  double bits_per_key = 0;
  uint32_t probes = 0;              // Of Bloom filters.
  uint32_t columns = 0;             // Of Ribbon filters: bits of a key's fingerprint, at most.
  uint64_t bits = 0, bits_set = 0;  // bits_set / bits is the fill.

  // How it was asked: for absent keys as a reader would be, or, where keys have no place (prefixes
  // alone, an unknown order), the filters themselves for random strings.
  bool by_hash = false;
  uint64_t asked = 0;                            // 0: not measured, see `problem`.
  uint64_t passed = 0;                           // Of them the filter let through.
  double rate = 0, rate_low = 0, rate_high = 0;  // passed / asked and its 95 % interval (Wilson).
  // Of filters with so many bits set, if a key's bits are independent. Those of the legacy Bloom
  // filter are not: with many of them it is wrong more often than that.
  double expected_rate = 0;
  bool damaged = false;  // Readers do without it.
  std::string problem = {};
};

struct FilterQuestion {
  uint64_t ask = 20'000;  // Absent keys to ask for.
  uint64_t seed = 1;      // Of what they are made from.
};

// Absent keys are sampled present ones with random bytes behind them, looked up to be sure: they
// lie all over the table, and ask every partition of a filter about as often as its keys do.
Result<FilterReport> ReportFilter(FileSystem& fs, const std::string& path,
                                  const FilterQuestion& question);

struct FilterAnswer {
  FilterLook look = {};
  std::vector<BlockLook> reads = {};  // Of filter partitions.
};

// What the filter says of `key`, and which bits say it. Reads no data block, so a per-block filter,
// which is asked after the index, is only named. NotSupported if the table's order is not known.
Result<FilterAnswer> AskFilter(FileSystem& fs, const std::string& path, std::string_view key);

}  // namespace varve
