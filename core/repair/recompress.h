// SPDX-License-Identifier: Apache-2.0
// The size of a table with other options: rebuilt entry by entry without writing anything.
#pragma once

#include <cstdint>
#include <string>

#include "varve/environment.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

struct RecompressedSize {
  uint64_t file_bytes = 0;
  uint64_t data_bytes = 0;  // Of the data blocks, as stored.
  uint64_t data_blocks = 0;
  uint64_t micros = 0;  // To read the table and build it.
};

// The options closest to those the table at `path` was written with, according to its footer and
// properties.
Result<TableOptions> OptionsOfTable(FileSystem& fs, const std::string& path);

// NotSupported, naming the reason: an unknown comparator, since no table can be built in its order;
// or entries, or an index under these options, that are out of proportion to the size of the table,
// since each trial builds them all.
Result<RecompressedSize> MeasureRecompressed(const Environment& env, const std::string& path,
                                             const TableOptions& options);

}  // namespace varve
