// SPDX-License-Identifier: Apache-2.0
// The approximate number of bytes of table files between two keys, from the indexes only, like
// RocksDB's GetApproximateSizes. A table within the range counts whole, one that extends beyond an
// end by the offsets of its blocks. Data that is only in the logs does not count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct ApproximateSize {
  uint64_t bytes = 0;
  uint64_t tables = 0;  // Tables that overlap the range.
  uint64_t opened = 0;  // Those whose index was read.
};

// [from, to) of user keys, where nullopt is unbounded, or the keys with a prefix. NotSupported for
// an unknown comparator; InvalidArgument if its order scatters the keys of a prefix.
Result<ApproximateSize> MeasureRange(FileSystem& fs, const std::string& path,
                                     const std::string& family,
                                     const std::optional<std::string>& from,
                                     const std::optional<std::string>& to,
                                     const std::optional<std::string>& prefix = {});

}  // namespace varve
