// SPDX-License-Identifier: Apache-2.0
// Salvage takes what is sound out of a damaged table, and says what was lost.
//
//   index readable      its blocks, one by one; a block that does not verify is lost
//   part of it is not   those parts of the file are searched for blocks that verify
//   no index at all     the whole file is searched (inspect/salvage/block_scanner.h)
//
// What is handed to the sink has passed a checksum, stands in order and carries the sequence it
// counts with. Entries that can be read out of a block in spite of its checksum, from restart point
// to restart point, are counted, and taken only if asked for: nobody can say whether they are
// right.
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

// A part of the file that nothing was taken from, or nothing certain.
struct SalvageLoss {
  uint64_t offset = 0, bytes = 0;
  std::string what = {};
  std::optional<std::string> key_from = {}, key_to = {};  // User keys: (from, to].
  uint64_t entries = 0;     // Lost: exact or estimated, see SalvageReport.
  uint64_t unverified = 0;  // Entries that could be read all the same.
  bool data = true;         // False: an index, a filter, properties.
};

struct SalvageReport {
  std::string file;
  uint64_t size = 0;
  std::string comparator;
  bool comparator_assumed = false;  // No properties were readable that name it.
  bool by_index = false, by_scan = false;
  uint64_t blocks = 0;  // Data blocks that verified.
  uint64_t entries = 0, range_deletions = 0;
  uint64_t unverified_taken = 0;
  std::optional<uint64_t> entries_expected;  // As the properties say; then losses are exact.
  std::vector<SalvageLoss> losses;

  uint64_t entries_lost() const;
  // Every entry was taken; what is lost can be made anew.
  bool complete() const;
};

// How data blocks are stored, as those of the table show it, whatever its properties say.
struct BlockShape {
  CompressionType compression = CompressionType::kNone;
  uint32_t block_size = 4096, restart_interval = 16;
};

// What a copy of the table should say about itself.
struct SalvageOrigin {
  const Comparator* comparator = nullptr;  // Null: the stored name is nobody's.
  std::string comparator_name;
  TableProperties properties;  // Defaults where they could not be read.
  uint32_t format_version = 0;
  ChecksumType checksum = ChecksumType::kCrc32c;
  bool for_ingestion = false;  // Entries have no sequences of their own yet.
  // A copy in blocks of another shape may be many times the table's size. Nullopt: unknown.
  std::optional<BlockShape> shape = {};
};

class SalvageSink {
 public:
  virtual ~SalvageSink() = default;
  // Once, before all else.
  virtual Status Begin(const SalvageOrigin& origin) = 0;
  // In internal-key order if the comparator is known, else in the file's.
  virtual Status Add(const InternalKey& key, std::string_view value) = 0;
  virtual Status AddRangeDeletion(std::string_view begin, std::string_view end,
                                  Sequence sequence) = 0;
};

// What its database knows of a table, where there is one: it stands in for properties that are lost.
struct TableContext {
  const Comparator* comparator = nullptr;  // Of its family; null: as the table says.
  // Of the table's entries, as the MANIFEST says; 0: unknown. Those of an ingested table, which has
  // them from here alone, are the same.
  Sequence smallest_sequence = 0, largest_sequence = 0;
  // Of the whole database. No read sees what is beyond it, and logs go on with the next one.
  Sequence last_sequence = kMaxSequence;

  // All of them, so that it does not matter whether the table was ingested.
  bool one_sequence() const {
    return largest_sequence != 0 && smallest_sequence == largest_sequence;
  }
};

struct SalvageOptions {
  bool take_unverified = false;
  // An entry whose value no read takes (format/stored_value.h) is lost. For those that are in blob
  // files; null: they are not looked at.
  const BlobReader* blobs = nullptr;
  TableContext context = {};
  VerifyProgressFn progress = nullptr;
};

// NotFound, IoError: nothing could be read. NotSupported: an intact table of another kind. The
// sink's failures are returned. Anything else is a loss in the report.
Result<SalvageReport> SalvageTable(FileSystem& fs, const std::string& path,
                                   const SalvageOptions& options, SalvageSink* sink);

}  // namespace varve
