// SPDX-License-Identifier: Apache-2.0
// Version is the set of live tables of one column family at one moment: level 0 newest first (its
// files may overlap), levels 1 and up sorted and disjoint. Immutable; shared by readers and jobs; a
// table may be deleted when no Version has it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/options/grades.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/lookup.h"
#include "core/iterator/range_tombstones.h"
#include "core/table/cache/table_cache.h"
#include "core/version/file_index.h"
#include "core/version/file_metadata.h"
#include "core/version/level_zero_index.h"
#include "varve/comparator.h"
#include "varve/options.h"

namespace varve {

// The user keys that a reader will access: lower inclusive, upper exclusive; nullopt: unbounded.
// The caller keeps the bytes valid.
struct KeyBounds {
  std::optional<std::string_view> lower;
  std::optional<std::string_view> upper;
};

// For TableCache::Find(). `comparator`: see TableReaderOptions.
TableToOpen ToOpen(const FileMetadata& file, const Comparator* comparator);

// How a batch of keys is looked up: see grades.h.
struct MultiGetGrade {
  MultiGetMode mode = MultiGetMode::kPipeline;
  MultiGetIo io = MultiGetIo::kGlobal;
};

class Version {
 public:
  // `levels[0]` newest first; the others ascending, as made and checked by VersionBuilder. Levels
  // with the same files as in `previous` (may be null) are shared with it.
  Version(const Comparator& comparator, TableCache* tables,
          std::vector<std::vector<FilePtr>> levels, std::vector<BlobFileMetadata> blobs,
          FileSearch search = FileSearch::kHeads, const Version* previous = nullptr);

  int num_levels() const { return static_cast<int>(sorted_.size()) + 1; }
  const std::vector<FilePtr>& files(int level) const {
    DCHECK(0 <= level && level < num_levels());
    return level == 0 ? level_zero_.files() : sorted_[static_cast<size_t>(level) - 1]->files();
  }
  // Requires level >= 1.
  const std::shared_ptr<const FileIndex>& index(int level) const {
    DCHECK(1 <= level && level < num_levels());
    return sorted_[static_cast<size_t>(level) - 1];
  }
  const LevelZeroIndex& level_zero() const { return level_zero_; }
  FileSearch file_search() const { return search_; }
  uint64_t LevelBytes(int level) const;
  uint64_t TotalFiles() const;
  // The level of the file; nullopt if it is in none.
  std::optional<int> LevelOf(FileNumber number) const;
  const std::vector<BlobFileMetadata>& blob_files() const { return blobs_; }
  const Comparator& comparator() const { return *comparator_; }

  // Searches the tables, newest first, until the lookup is done.
  void Get(const ReadOptions& options, Lookup* lookup) const;
  // The same for keys sorted by the comparator. (kPerKey, which sorts nothing, calls Get().)
  void MultiGet(const ReadOptions& options, MultiGetGrade grade, std::span<Lookup*> sorted) const;

  // Adds one iterator per level-0 table and one per level, for MergingIterator. Tombstones of
  // tables are added to `tombstones` as the tables are opened. Tables wholly outside `bounds` are
  // skipped. A table that cannot be opened becomes an iterator that fails. The Version must outlive
  // them.
  void AddIterators(const TableIteratorOptions& options, TombstoneCollector* tombstones,
                    std::vector<std::unique_ptr<InternalIterator>>* out) const {
    AddIterators(options, KeyBounds{}, tombstones, out);
  }
  void AddIterators(const TableIteratorOptions& options, const KeyBounds& bounds,
                    TombstoneCollector* tombstones,
                    std::vector<std::unique_ptr<InternalIterator>>* out) const;

  Version(const Version&) = delete;

  // Files of `level` whose user-key range overlaps [begin, end] (nullopt: unbounded), in order. The
  // timestamps of keys do not count.
  std::vector<FilePtr> Overlapping(int level, std::optional<std::string_view> begin,
                                   std::optional<std::string_view> end) const;

  // The open reader of `file` and a reference that keeps it open. The reference is empty if the
  // cache keeps all tables open, since the reader then lives as long as any Version with the file;
  // this case costs one atomic load.
  struct OpenTable {
    const TableReader* reader = nullptr;
    std::shared_ptr<const TableReader> hold;
  };
  Result<OpenTable> OpenFast(const FileMetadata& file) const;
  Result<std::shared_ptr<const TableReader>> Open(const FileMetadata& file) const;

 private:
  // Looks up in one table; returns done(). If the table cannot be opened, the lookup fails.
  bool ReadFrom(const FileMetadata& file, const ReadOptions& options, Lookup* lookup,
                FilterVerdict filter = FilterVerdict::kNotAsked) const;
  template <typename Order>
  bool GetFromLevelZero(Order order, const ReadOptions& options, Lookup* lookup) const;
  void ReadFrom(const FileMetadata& file, const ReadOptions& options,
                std::span<Lookup*> sorted) const;
  template <typename Order>
  void MultiGetByTable(Order order, const ReadOptions& options, std::span<Lookup*> sorted) const;
  template <typename Order>
  void MultiGetLevel(Order order, const ReadOptions& options, int level,
                     std::span<Lookup*> sorted) const;

  const Comparator* comparator_;
  TableCache* tables_;
  const FileSearch search_;
  const LevelZeroIndex level_zero_;
  std::vector<std::shared_ptr<const FileIndex>> sorted_;  // Levels 1 and up.
  std::vector<BlobFileMetadata> blobs_;
};

}  // namespace varve
