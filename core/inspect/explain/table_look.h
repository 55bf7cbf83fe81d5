// SPDX-License-Identifier: Apache-2.0
// Looks up one key in one table like a Get, and records everything that is read: the filter's bits,
// the index, the data block, the versions there. locate.h searches all files, explain.h only
// those that a Get would.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/table/filter.h"
#include "core/table/read/table_reader.h"
#include "varve/comparator.h"
#include "varve/environment.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

// A block that was read.
struct BlockLook {
  std::string kind = {};  // "filter_partition", "index_partition", "data".
  uint64_t offset = 0;
  uint64_t size = 0;      // As stored, with its trailer.
  uint64_t raw_size = 0;  // Decompressed.
  bool cached = false;    // By an earlier step of the same report.
  // RocksDB also reads this data block because the previous one ended below the key; this engine
  // knows from the separator that the key cannot be there.
  bool rocksdb_only = false;
  uint64_t micros = 0;  // Time to fetch it; 0 without a clock.
};

struct FilterLook {
  // "bloom", "legacy_bloom", "ribbon", "per_block", "none", "unusable"; "point_index" if that
  // answered in the filter's place.
  std::string kind = {};
  bool partitioned = false;
  bool may_match = true;
  // Bloom: the positions probed, counted from the filter's first bit. Ends with the first bit that
  // is not set.
  std::vector<uint64_t> bits = {};
  std::optional<uint64_t> first_zero = {};  // The position of that bit, if there is one.
};

// A version of the key, as stored.
struct KeyVersion {
  Sequence sequence = 0;
  std::string type = {};  // "put", "delete", ...: see ValueTypeName().
  std::string value = {};
  uint64_t block = 0;    // Offset of the data block.
  bool visible = false;  // Not newer than the requested sequence number.
};

// What FilterLook::kind says of a table with a point index.
inline constexpr std::string_view kAnsweredByPointIndex = "point_index";

struct TableLook {
  FilterLook filter = {};
  bool filter_checked = false;
  std::vector<BlockLook> blocks = {};
  // Newest first; with kAsGet only the versions that a Get would see.
  std::vector<KeyVersion> versions = {};
  uint64_t covered_by = 0;   // Sequence of the newest visible range deletion over the key; 0: none.
  uint64_t comparisons = 0;  // Key comparisons of a binary search over whole keys.
  Status problem = {};       // Not ok: damage was found.
};

enum class LookDepth : uint8_t {
  kFilterOnly,  // Only check the filter.
  // Like a Get: stop at a negative filter, and at the first version that decides the result.
  kAsGet,
  kAllVersions,  // Ignore the filter and read all versions: the actual contents.
};

// "bloom", "legacy_bloom", "ribbon"; "constant" for one with the same answer for every key.
std::string_view FilterKindName(FilterProbe::Kind kind);

// `clock` null: no times are measured. `reader` needs a cache for blocks to be shown as cached.
// `comparator`: the table's.
TableLook LookInTable(const TableReader& reader, const Comparator& comparator, std::string_view key,
                      Sequence at, LookDepth depth, Clock* clock);

}  // namespace varve
