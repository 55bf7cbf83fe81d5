// SPDX-License-Identifier: Apache-2.0
// What a table would take under other options: built anew, entry by entry, with nothing written.
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

// The options that come nearest to what the table at `path` was written with, as far as its
// footer and properties say.
Result<TableOptions> OptionsOfTable(FileSystem& fs, const std::string& path);

// NotSupported names a foreign order: nobody can build a table in it.
Result<RecompressedSize> MeasureRecompressed(const Environment& env, const std::string& path,
                                             const TableOptions& options);

}  // namespace varve
