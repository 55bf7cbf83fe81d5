// SPDX-License-Identifier: Apache-2.0
// The reads that a scan of a table performs: the engine's own iterator and readahead, on a file
// that records them. ScanReadahead::kAdaptive reads as under direct I/O, in whole sectors, because
// it behaves as kDoubling elsewhere; what it starts in the background is read at once here, so that
// the reads are the same each time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/table/readahead/prefetcher.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct ScanReadsReport {
  struct FileRead {
    uint64_t offset = 0, size = 0;
    bool ahead = false;  // Started in the background, with entries to step over before it is used.
  };
  std::vector<FileRead> reads = {};  // In order, without those for opening the table.
  uint64_t entries = 0;              // Entries visited.
};

// Scans from the first entry, at most `entries_max`. Nothing is cached.
Result<ScanReadsReport> ReportScanReads(FileSystem& fs, const std::string& path,
                                        const ReadaheadPolicy& policy, uint64_t entries_max);

}  // namespace varve
