// SPDX-License-Identifier: Apache-2.0
// How many bytes of table files lie between two keys, from the indexes alone: what RocksDB's
// GetApproximateSizes answers. A table that lies within the range counts whole, one that reaches
// over an end by the offsets of its blocks. What is only in the logs does not count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct ApproximateSize {
  uint64_t bytes = 0;
  uint64_t tables = 0;  // With a part in it.
  uint64_t opened = 0;  // Of these, those whose index was asked.
};

// [from, to) of user keys; nullopt is unbounded. NotSupported names a foreign order.
Result<ApproximateSize> MeasureRange(FileSystem& fs, const std::string& path,
                                     const std::string& family,
                                     const std::optional<std::string>& from,
                                     const std::optional<std::string>& to);

}  // namespace varve
