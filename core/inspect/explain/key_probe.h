// SPDX-License-Identifier: Apache-2.0
// KeyProbe looks for one key in one table as a Get does, and notes each thing it looks at on the
// way: the filter's bits, the index, the data block, the versions there. locate.h asks all files,
// explain.h only those that a Get would.
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

// A block that was looked at.
struct BlockLook {
  std::string kind = {};  // "filter_partition", "index_partition", "data".
  uint64_t offset = 0;
  uint64_t size = 0;      // As stored, with its trailer.
  uint64_t raw_size = 0;  // Decompressed.
  bool cached = false;    // By an earlier look of the same report.
  // RocksDB goes on to this data block because the one before ended below the key; this engine
  // knows from the separator that the key cannot be there and does not.
  bool rocksdb_only = false;
  uint64_t micros = 0;  // What fetching it took; 0 without a clock.
};

struct FilterLook {
  std::string kind = {};  // "bloom", "legacy_bloom", "ribbon", "per_block", "none", "unusable".
  bool partitioned = false;
  bool may_match = true;
  std::vector<uint64_t> bits =
      {};  // Bloom: the positions probed, counted from the filter's first bit,
  std::optional<uint64_t> first_zero = {};  // up to the first that is not set.
};

// A version of the key, as stored.
struct KeyVersion {
  Sequence sequence = 0;
  std::string type = {};  // api.md's entry types.
  std::string value = {};
  uint64_t block = 0;    // Offset of the data block.
  bool visible = false;  // Not newer than the moment asked about.
};

struct TableLook {
  FilterLook filter = {};
  bool filter_checked = false;
  std::vector<BlockLook> blocks = {};
  std::vector<KeyVersion> versions = {};  // Newest first; under kFirst only what a Get would see.
  uint64_t covered_by = 0;   // Sequence of the newest visible range deletion over the key; 0: none.
  uint64_t comparisons = 0;  // Of keys, by binary search over whole ones.
  Status problem = {};       // Not ok: damage on the way.
};

enum class LookDepth : uint8_t {
  kFilterOnly,  // The filter is asked, and nothing else.
  kAsGet,       // As far as a Get goes: not behind a negative filter, and to the first version that
                // settles the answer.
  kAllVersions,  // Past the filter and to the key's last version: what is really there.
};

// "bloom", "legacy_bloom", "ribbon"; "constant" for one that says the same of every key.
std::string_view FilterKindName(FilterProbe::Kind kind);

// `clock` null: times are not taken. `reader` has a cache of its own if blocks are to show as
// cached. `comparator`: its order.
TableLook LookInTable(const TableReader& reader, const Comparator& comparator, std::string_view key,
                      Sequence at, LookDepth depth, Clock* clock);

}  // namespace varve
