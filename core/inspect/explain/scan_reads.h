// SPDX-License-Identifier: Apache-2.0
// Which bytes of a table's file a scan asks for, read by read: the engine's own iterator with its
// own reading ahead, on a file that takes notes.
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
  };
  std::vector<FileRead> reads = {};  // In order, without those that opened the table.
  uint64_t entries = 0;              // Stepped over.
};

// From the first entry, over `entries_max` at most. Nothing is cached.
Result<ScanReadsReport> ReportScanReads(FileSystem& fs, const std::string& path,
                                        const ReadaheadPolicy& policy, uint64_t entries_max);

}  // namespace varve
