// SPDX-License-Identifier: Apache-2.0
// Opening a table: every refusal of sst-format section 12, in its order, each with file@offset.
#pragma once

#include <memory>

#include "core/table/read/table_state.h"

namespace varve {

// kNotSupported: PlainTable, CuckooTable, a newer format_version, an unknown checksum type, index
// kind or codec manager. kInvalidArgument: another comparator than the table's. kCorruption:
// anything else that is wrong, except a damaged filter (Impl::filter_status).
Result<std::unique_ptr<TableReader::Impl>> OpenTable(std::unique_ptr<RandomAccessFile> file,
                                                     const TableReaderOptions& options);

// Range deletions are held decoded. Those that writers make have a restart at every entry, so that
// their keys are as large as their block at most; with one at every sixteenth entry they could be
// so many times it, and what claims more is refused.
inline constexpr uint64_t kTombstoneKeysMax = 16;

// Reads and verifies a properties block. Ingestion may have overwritten global_seqno in place
// without touching the checksum (sst-format 11.2): then all but that number is verified.
Result<TableProperties> ReadTableProperties(const BlockFetcher& fetcher, BlockHandle handle);

}  // namespace varve
