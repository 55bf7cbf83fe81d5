// SPDX-License-Identifier: Apache-2.0
// Basic types used in every layer: numbers, which any thread may copy.
#pragma once

#include <cstdint>

// The public interface of Varve; start with DB. Macros begin with VARVE_.
namespace varve {

// Position of a write in the commit order of the database; 56 bits on disk.
using Sequence = uint64_t;
// The largest sequence number. DB::Write() returns NotSupported once it is reached.
inline constexpr Sequence kMaxSequence = (uint64_t{1} << 56) - 1;

// Identifies a file of a database: "000012.sst" has number 12.
using FileNumber = uint64_t;
// Identifies a column family within its database; RocksDB's id of it.
using ColumnFamilyId = uint32_t;
// The family "default", which every database has.
inline constexpr ColumnFamilyId kDefaultColumnFamilyId = 0;

}  // namespace varve
