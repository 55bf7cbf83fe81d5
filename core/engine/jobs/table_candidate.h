// SPDX-License-Identifier: Apache-2.0
// TableCandidate is a table to be ingested. Every entry is verified, because nothing later would
// notice a table that is out of order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/format/manifest/file_description.h"
#include "core/version/version.h"
#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

class TableReader;

struct TableCandidate {
  std::string source;     // The path it came from, for messages.
  FileNumber number = 0;  // Its number in this database.
  uint64_t size = 0;
  TableCounts counts;
  std::string smallest_key;  // User keys; the range covers points and tombstones.
  ValueType smallest_type = ValueType::kValue;
  std::string largest_key;
  ValueType largest_type = ValueType::kValue;
  bool largest_open = false;  // largest_key is the end of a tombstone, and exclusive.

  // The file as the MANIFEST describes it once it is ingested at `sequence`.
  FileDescription Describe(Sequence sequence, uint64_t epoch, uint64_t unix_seconds) const;
};

// Reads the whole table at `path`, a copy of `source`. InvalidArgument if it was not made for
// ingestion into a family of that order; Corruption if it is damaged. `verified` is called now and
// then with how many more bytes of the table were; together, its size. If it fails, so does this.
Result<TableCandidate> VerifyCandidate(FileSystem& fs, const std::string& path,
                                       const std::string& source, FileNumber number,
                                       const Comparator& comparator,
                                       const std::function<Status(uint64_t bytes)>& verified = {});

// InvalidArgument if no SstFileWriter made it, or if it was ingested before.
Status CheckMadeForIngestion(const TableReader& table, const std::string& source);

// The status of what was done with the copy at `path`, reworded for its source: the copy will be
// removed.
Status OfSource(const Status& status, const std::string& path, const std::string& source);

}  // namespace varve
