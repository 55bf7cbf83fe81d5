// SPDX-License-Identifier: Apache-2.0
// Why a memtable was sealed, in the cases that RocksDB distinguishes (rocksdb/listener.h).
#pragma once

#include <cstdint>

namespace varve {

enum class FlushReason : uint8_t {
  kMemTableFull,
  kWalsFull,          // max_total_wal_size.
  kManual,            // DB::Flush() and the like.
  kManualCompaction,  // Before DB::CompactRange().
  kIngestion,         // It overlaps a table to be ingested.
  kCopy,              // A checkpoint, of writes that are in no WAL.
  kClosing,
};

}  // namespace varve
