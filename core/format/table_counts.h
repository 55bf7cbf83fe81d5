// SPDX-License-Identifier: Apache-2.0
// TableCounts is what a table says of its entries, in its properties; the MANIFEST does not.
#pragma once

#include <cstdint>

namespace varve {

struct TableCounts {
  uint64_t entries = 0;    // Range deletions included. 0: nothing is known.
  uint64_t deletions = 0;  // Of all kinds.
  uint64_t raw_key_bytes = 0, raw_value_bytes = 0;  // Before compression.

  bool operator==(const TableCounts&) const = default;
};

}  // namespace varve
