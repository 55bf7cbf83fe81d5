// SPDX-License-Identifier: Apache-2.0
// The small numbers that every layer passes around.
#pragma once

#include <cstdint>

namespace varve {

// Position of a write in the database's single commit order; 56 bits on disk.
using Sequence = uint64_t;
inline constexpr Sequence kMaxSequence = (uint64_t{1} << 56) - 1;

using FileNumber = uint64_t;
using ColumnFamilyId = uint32_t;
inline constexpr ColumnFamilyId kDefaultColumnFamilyId = 0;

}  // namespace varve
