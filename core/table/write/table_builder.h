// SPDX-License-Identifier: Apache-2.0
// TableBuilder writes one table (sst-format section 13) from entries in internal-key order.
//
//   data blocks | filter (or partitions + their index) | index (or partitions + top level) |
//   point index | dictionary | range deletions | properties | metaindex | footer
//
// With a zstd dictionary, data blocks are held back until enough was sampled to train one. One
// thread. After a failure every call returns that failure; the caller removes the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/format/internal_key.h"
#include "core/format/table/table_properties.h"
#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/options.h"

namespace varve {

// Properties that cannot be derived from the entries.
struct TableOrigin {
  ColumnFamilyId family_id = 0;
  std::string family_name = "default";
  std::string merge_operator = "nullptr";
  std::string db_id;
  std::string db_session_id;
  uint64_t file_number = 0;
  uint64_t creation_time = 0;  // Unix seconds.
  uint64_t oldest_key_time = 0;
  uint64_t file_creation_time = 0;
  bool for_ingestion = false;          // Adds external_sst_file.version and a zero global_seqno.
  uint32_t base_context_checksum = 0;  // fv >= 6: random, nonzero.
};

class TableBuilder {
 public:
  // `file` gets small pieces and is not synced or closed here.
  TableBuilder(const TableOptions& options, const Comparator& comparator, TableOrigin origin,
               WritableFile* file);
  ~TableBuilder();

  // Requires `key` > all keys added before (CHECKed).
  Status Add(const InternalKey& key, std::string_view value);
  // In any order. Included in the bounds and the properties.
  Status AddRangeTombstone(std::string_view begin, std::string_view end, Sequence sequence);

  // Writes everything that follows the data blocks.
  Status Finish();

  uint64_t file_size() const;  // So far; after Finish() the file's size.
  // An estimate including what Finish() would add, for deciding when to stop.
  uint64_t EstimatedFileSize() const;
  uint64_t entries() const;  // Range tombstones included.
  bool empty() const { return entries() == 0; }

  // Requires Finish() (CHECKed). Bounds are encoded internal keys and cover points and tombstones
  // (db-format 5.2).
  const TableProperties& properties() const;
  const std::string& smallest() const;
  const std::string& largest() const;
  Sequence smallest_sequence() const;
  Sequence largest_sequence() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
