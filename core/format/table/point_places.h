// SPDX-License-Identifier: Apache-2.0
// PointPlaces is what every point index of a table has to know to turn the number of an entry into
// its place: how many entries each data block has, and which keys have more than one.
//
//   | blocks (v)  | each: entries (v), bytes since the last one's end (v), size (v) |
//   | repeats (v) | each: keys since the last repeat (v), further versions (v)      |  v: varint
//
// Part of: format/table/integer_index.h, format/table/hash_index.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes/byte_reader.h"
#include "core/format/table/block_handle.h"

namespace varve {

struct PointPlaces {
  struct DataBlock {
    BlockHandle handle;
    uint32_t entries = 0;  // At least 1.
    bool operator==(const DataBlock&) const = default;
  };
  // A key with more than one entry.
  struct Repeat {
    uint32_t rank = 0;  // The number of smaller keys.
    uint32_t more = 0;  // Entries besides the first; at least 1.
    bool operator==(const Repeat&) const = default;
  };

  uint32_t entries = 0;
  uint32_t keys = 0;
  std::vector<DataBlock> blocks;  // In file order.
  std::vector<Repeat> repeats;    // By rank.

  bool operator==(const PointPlaces&) const = default;
};

// The blocks and the repeats.
void AppendPointPlaces(std::string* out, const PointPlaces& places);
// Reads them; the numbers of entries and keys are there. Returns what is wrong, "" if nothing is.
std::string_view ReadPointPlaces(ByteReader* in, PointPlaces* places);

}  // namespace varve
