// SPDX-License-Identifier: Apache-2.0
// TableReader reads one table of any version (LevelDB, format_version 0-7).
//
// Open() reads the footer, the metaindex and the properties, and keeps what later reads need:
// index, filter (or their top levels), range tombstones. Data blocks and partitions go through the
// block cache. Nothing is interpreted before its checksum was verified; a damaged filter is left
// unused and reported by filter_status(). Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/grades.h"
#include "core/format/internal_key.h"
#include "core/format/table/table_properties.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/lookup.h"
#include "core/iterator/range_tombstones.h"
#include "core/table/cache/block_cache.h"
#include "core/table/readahead/prefetcher.h"
#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

class WorkMeter;

// How tables, and the files of a level, are searched: of grades.h.
struct TableGrades {
  PartitionSearch partition_search = PartitionSearch::kDecoded;
  BlockForm block_form = BlockForm::kLookup;
  FileSearch file_search = FileSearch::kHeads;
  bool protect_metadata = true;  // Partitions outlive data blocks in the cache.
};

struct TableReaderOptions {
  // Null: taken from the properties; a foreign one then allows only raw-order iteration.
  const Comparator* comparator = nullptr;
  // Null: blocks are read anew each time (tools).
  std::shared_ptr<BlockCache> cache = nullptr;
  // Every entry counts as having this sequence (db-format 5.5); 0: as stored, or as the property
  // global_seqno says.
  Sequence global_sequence = 0;
  uint64_t expected_size = 0;  // From the MANIFEST; 0: unknown.
  TableGrades grades = {};
};

// How one iterator or compaction reads.
struct TableIteratorOptions {
  bool verify_checksums = true;
  bool fill_cache = true;
  bool cache_only = false;
  ReadaheadPolicy readahead = {};
  // Of the sorted run that the table is part of; null: the table is a run of its own.
  ReadaheadRun* run = nullptr;
  // Nothing is read ahead for user keys from here on; the caller keeps the bytes alive.
  std::optional<std::string_view> upper_bound = {};
  // Told of each data block, by its bytes in the file, as it is brought in. Null: nobody counts.
  WorkMeter* meter = nullptr;
};

// What a table's filter said of a lookup's key.
enum class FilterVerdict : uint8_t { kNotAsked, kMaybe, kNo };

class TableReader {
 public:
  static Result<std::unique_ptr<TableReader>> Open(std::unique_ptr<RandomAccessFile> file,
                                                   const TableReaderOptions& options);
  ~TableReader();

  // Feeds `lookup` the table's visible versions of its key, tombstones first; returns
  // lookup->done(). A failure to read ends the lookup as kFailed. `filter`: if it was asked before.
  bool Get(const ReadOptions& options, Lookup* lookup,
           FilterVerdict filter = FilterVerdict::kNotAsked) const;
  // Many at once, in one table or several: batch_search.h.

  // Does not outlive the reader.
  std::unique_ptr<InternalIterator> NewIterator(const TableIteratorOptions& options) const;

  // Null if the table has none.
  std::shared_ptr<const FragmentedTombstones> Tombstones() const;
  bool has_tombstones() const;
  const std::vector<RangeTombstone>& RawTombstones() const;  // As stored, in file order.

  const TableProperties& properties() const;
  const Comparator* comparator() const;  // Null if foreign: comparator_name() names it.
  const std::string& comparator_name() const;
  uint32_t format_version() const;  // 0 for LevelDB's.
  bool is_leveldb() const;
  ChecksumType checksum_type() const;
  uint64_t file_size() const;
  uint64_t MemoryUsage() const;         // Index, filter and tables held outside the cache.
  const Status& filter_status() const;  // Not ok: the filter is damaged and not used.

  // Approximate offset in the file of where `key` is or would be.
  uint64_t ApproximateOffset(const InternalKey& key) const;
  // Separators and offsets of the data blocks, about `count` of them evenly spaced, to cut a range
  // into parts of like size (subcompactions).
  std::vector<std::string> SampleUserKeys(size_t count) const;

  struct Impl;
  const Impl& impl() const { return *impl_; }  // For inspect/ and table/ only.

 private:
  explicit TableReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
