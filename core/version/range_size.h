// SPDX-License-Identifier: Apache-2.0
// The approximate number of bytes of a Version's tables between two keys, from indexes alone, like
// RocksDB's GetApproximateSizes. A table within the range counts whole, one that extends beyond an
// end by the offsets of its blocks, with their share of what is not data.
#pragma once

#include <cstdint>

#include "core/base/keys/key_range.h"
#include "core/version/version.h"
#include "varve/result.h"

namespace varve {

struct ApproximateSize {
  uint64_t bytes = 0;
  uint64_t tables = 0;  // Tables that overlap the range.
  uint64_t opened = 0;  // Those whose index was read.
};

Result<ApproximateSize> MeasureTables(const Version& version, const KeyRange& range);

}  // namespace varve
