// SPDX-License-Identifier: Apache-2.0
// The small numbers that every layer passes around.
#pragma once

#include <cstdint>

// All that Varve declares for programs: DB first of all. Macros begin with VARVE_.
namespace varve {

// Position of a write in the database's single commit order; 56 bits on disk.
using Sequence = uint64_t;
// The largest that there can be. DB::Write() is NotSupported once it is reached.
inline constexpr Sequence kMaxSequence = (uint64_t{1} << 56) - 1;

// Names a file of a database: "000012.sst" has number 12.
using FileNumber = uint64_t;
// Names a column family within its database; RocksDB's id of it.
using ColumnFamilyId = uint32_t;
// The family "default", which every database has.
inline constexpr ColumnFamilyId kDefaultColumnFamilyId = 0;

}  // namespace varve
