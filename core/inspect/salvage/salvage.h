// SPDX-License-Identifier: Apache-2.0
// Salvage recovers the intact part of a damaged table, and reports what was lost.
//
//   index readable      its blocks, one by one; a block that does not verify is lost
//   part of it is not   those parts of the file are searched for blocks that verify
//   no index at all     the whole file is searched (inspect/table/block_scanner.h)
//
// Entries passed to the sink were verified by checksum, are in order and have their effective
// sequence number. Entries that can be read from a block with a wrong checksum, restart point by
// restart point, are counted, and only passed on if requested: they may be wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/internal_key.h"
#include "core/inspect/progress.h"
#include "core/inspect/table/damaged_table.h"
#include "core/version/blob_reader.h"
#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct SalvageReport {
  std::string file;
  uint64_t size = 0;
  std::string comparator;
  bool comparator_assumed = false;  // The properties that name it could not be read.
  bool by_index = false, by_scan = false;
  uint64_t blocks = 0;  // Data blocks that verified.
  uint64_t entries = 0, range_deletions = 0;
  uint64_t unverified_taken = 0;
  std::optional<uint64_t> entries_expected;  // From the properties; then losses are exact.
  std::vector<SalvageLoss> losses;

  uint64_t entries_lost() const;
  // Every entry was recovered; the lost parts can be rebuilt.
  bool complete() const;
};

class SalvageSink {
 public:
  virtual ~SalvageSink() = default;
  // Called once, first.
  virtual Status Begin(const SalvageOrigin& origin) = 0;
  // In internal-key order if the comparator is known, otherwise in file order.
  virtual Status Add(const InternalKey& key, std::string_view value) = 0;
  virtual Status AddRangeDeletion(std::string_view begin, std::string_view end,
                                  Sequence sequence) = 0;
};

struct SalvageOptions {
  bool take_unverified = false;
  // An entry whose value reads would reject (format/value/stored_value.h) is lost. For values in
  // blob files; null: these are not checked.
  const BlobReader* blobs = nullptr;
  TableContext context = {};
  VerifyProgressFn progress = nullptr;
};

// NotFound, IoError: nothing could be read. NotSupported: an intact table of another format. Errors
// of the sink are returned. Anything else is a loss in the report.
Result<SalvageReport> SalvageTable(FileSystem& fs, const std::string& path,
                                   const SalvageOptions& options, SalvageSink* sink);

}  // namespace varve
