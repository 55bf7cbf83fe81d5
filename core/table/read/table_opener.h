// SPDX-License-Identifier: Apache-2.0
// Opening a table: performs every check of sst-format section 12, in its order; errors name
// file@offset.
#pragma once

#include <memory>

#include "core/table/read/table_state.h"

namespace varve {

// kNotSupported: PlainTable, CuckooTable, a newer format_version, an unknown checksum type, index
// kind or codec manager. kInvalidArgument: the table has another comparator. kCorruption: any other
// defect, except a damaged filter (Impl::filter_status).
Result<std::unique_ptr<TableReader::Impl>> OpenTable(std::unique_ptr<RandomAccessFile> file,
                                                     const TableReaderOptions& options);

// Limit of decoded range deletions relative to their block. Normal writers put a restart at every
// entry, so the keys are at most as large as the block; with a restart at every sixteenth entry
// they could be sixteen times as large. Blocks beyond that are rejected.
inline constexpr uint64_t kTombstoneKeysMax = 16;

// Reads and verifies a properties block. Ingestion may have overwritten global_seqno without
// updating the checksum (sst-format 11.2): then everything except that number is verified.
Result<TableProperties> ReadTableProperties(const BlockFetcher& fetcher, BlockHandle handle);

}  // namespace varve
