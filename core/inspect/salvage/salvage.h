// SPDX-License-Identifier: Apache-2.0
// Salvage recovers the intact part of a damaged table, and reports what was lost.
//
//   index readable      its blocks, one by one; a block that does not verify is lost
//   part of it is not   those parts of the file are searched for blocks that verify
//   no index at all     the whole file is searched (inspect/salvage/block_scanner.h)
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
#include "core/format/table/table_properties.h"
#include "core/inspect/verify/verify.h"
#include "core/version/blob_reader.h"
#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// A part of the file from which nothing was recovered, or nothing reliable.
struct SalvageLoss {
  uint64_t offset = 0, bytes = 0;
  std::string what = {};
  std::optional<std::string> key_from = {}, key_to = {};  // User keys: (from, to].
  uint64_t entries = 0;     // Lost: exact or estimated, see SalvageReport.
  uint64_t unverified = 0;  // Entries that could be read nevertheless.
  bool data = true;         // False: an index, a filter, properties.
};

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

// How data blocks are stored, judging by the table's blocks, not its properties.
struct BlockShape {
  CompressionType compression = CompressionType::kNone;
  uint32_t block_size = 4096, restart_interval = 16;
};

// The properties that a copy of the table should have.
struct SalvageOrigin {
  const Comparator* comparator = nullptr;  // Null: the stored name is unknown.
  std::string comparator_name;
  TableProperties properties;  // Defaults where they could not be read.
  uint32_t format_version = 0;
  ChecksumType checksum = ChecksumType::kCrc32c;
  bool for_ingestion = false;  // Entries have no sequences of their own yet.
  // Copies in blocks of another shape may be many times as large as the table. Nullopt: unknown.
  std::optional<BlockShape> shape = {};
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

// What the database knows about a table; replaces lost properties.
struct TableContext {
  const Comparator* comparator = nullptr;  // Of its family; null: from the table.
  // Range of the entries' sequences, from the MANIFEST; 0: unknown. For an ingested table, which
  // has its sequence only from the MANIFEST, both are equal.
  Sequence smallest_sequence = 0, largest_sequence = 0;
  // Of the whole database. Reads ignore larger ones, and logs continue with the next one.
  Sequence last_sequence = kMaxSequence;

  // All entries have the same one, whether the table was ingested or not.
  bool one_sequence() const {
    return largest_sequence != 0 && smallest_sequence == largest_sequence;
  }
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
