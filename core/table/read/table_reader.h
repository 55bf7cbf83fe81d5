// SPDX-License-Identifier: Apache-2.0
// TableReader reads one table of any version (LevelDB, format_version 0-7).
//
// Open() reads the footer, the metaindex and the properties, and keeps index and filter (or their
// top levels) and range tombstones in memory. Data blocks and partitions go through the block
// cache. Nothing is interpreted before its checksum was verified; a damaged filter is not used and
// reported by filter_status(). Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/options/grades.h"
#include "core/format/internal_key.h"
#include "core/format/table/table_properties.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/lookup.h"
#include "core/iterator/range_tombstones.h"
#include "core/table/block/clock_cache.h"
#include "core/table/readahead/prefetcher.h"
#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

class WorkMeter;

// Which algorithms search tables and the files of a level: see grades.h.
struct TableGrades {
  PartitionSearch partition_search = PartitionSearch::kDecoded;
  BlockForm block_form = BlockForm::kLookup;
  FileSearch file_search = FileSearch::kHeads;
  bool protect_metadata = true;  // Cached partitions are evicted later than data blocks.
};

struct TableReaderOptions {
  // Null: taken from the properties; if it is unknown, the table can only be read in stored order.
  const Comparator* comparator = nullptr;
  // Null: every block is read from the file (tools).
  std::shared_ptr<ClockCache> cache = nullptr;
  // All entries have this sequence number (db-format 5.5); 0: as stored, or as the property
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
  // Of the sorted run that the table belongs to; null: the table is a run of its own.
  ReadaheadRun* run = nullptr;
  // Nothing is read ahead from this user key on; the caller keeps the bytes valid.
  std::optional<std::string_view> upper_bound = {};
  // Counts the bytes of each data block as it is loaded. Null: not counted.
  WorkMeter* meter = nullptr;
};

// The result of a table's filter for a lookup's key.
enum class FilterVerdict : uint8_t { kNotAsked, kMaybe, kNo };

class TableReader {
 public:
  static Result<std::unique_ptr<TableReader>> Open(std::unique_ptr<RandomAccessFile> file,
                                                   const TableReaderOptions& options);
  ~TableReader();

  // Passes the table's visible versions of its key to `lookup`, range tombstones first; returns
  // lookup->done(). A read error ends the lookup as kFailed. `filter`: the filter's result if it
  // was checked before.
  bool Get(const ReadOptions& options, Lookup* lookup,
           FilterVerdict filter = FilterVerdict::kNotAsked) const;
  // Many lookups at once, in one table or several: batch_search.h.

  // Destroy it before the reader.
  std::unique_ptr<InternalIterator> NewIterator(const TableIteratorOptions& options) const;

  // Null if the table has none.
  std::shared_ptr<const FragmentedTombstones> Tombstones() const;
  bool has_tombstones() const;
  const std::vector<RangeTombstone>& RawTombstones() const;  // As stored, in file order.

  const TableProperties& properties() const;
  const Comparator* comparator() const;  // Null if unknown: comparator_name() names it.
  const std::string& comparator_name() const;
  uint32_t format_version() const;  // 0 for LevelDB's.
  bool is_leveldb() const;
  ChecksumType checksum_type() const;
  uint64_t file_size() const;
  uint64_t MemoryUsage() const;         // Index, filter and tombstones in memory outside the cache.
  const Status& filter_status() const;  // Not ok: the filter is damaged and not used.
  const Status& point_status() const;   // Not ok: the table has a point index that is not used.

  // Bytes of the data blocks, with which the file begins; of a table that does not say it, all in
  // front of the metaindex.
  uint64_t DataBytes() const;
  // Approximate offset in the file at which `key` is or would be stored.
  uint64_t ApproximateOffset(const InternalKey& key) const;
  // Separators of about `count` evenly spaced data blocks, to split a range into parts of similar
  // size (subcompactions).
  std::vector<std::string> SampleUserKeys(size_t count) const;

  struct Impl;
  const Impl& impl() const { return *impl_; }  // For inspect/ and table/ only.

 private:
  explicit TableReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
