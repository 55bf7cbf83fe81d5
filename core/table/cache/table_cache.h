// SPDX-License-Identifier: Apache-2.0
// TableCache opens tables on first use and keeps the readers: all of them if `max_open_files` is -1
// (the reader is then stored in FileMetadata and costs one atomic load), otherwise the most
// recently used ones. Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "core/table/read/table_reader.h"
#include "varve/file_system.h"
#include "varve/options.h"

namespace varve {

// What the cache needs to open a table; made by ToOpen() in version/version.h.
struct TableToOpen {
  FileNumber number = 0;
  uint64_t size = 0;
  Sequence global_sequence = 0;                // Largest sequence of the file, for ingested tables.
  std::array<uint64_t, 2> unique_id = {0, 0};  // Zeros: not verified.
  const Comparator* comparator = nullptr;

  bool operator==(const TableToOpen&) const = default;
};

class TableCache {
 public:
  // `directory` holds "<number>.sst" (or ".ldb").
  TableCache(FileSystem& fs, std::string directory, std::shared_ptr<ClockCache> blocks,
             int max_open_files, bool direct_reads, TableGrades grades = {});
  ~TableCache();

  // Keeps the reader open while the returned pointer lives.
  Result<std::shared_ptr<const TableReader>> Find(const TableToOpen& table);
  // The file is about to be deleted: its reader is closed when its last user is done.
  void Evict(FileNumber number);
  // From now on keeps all readers, ignoring `max_open_files`: for a reader concurrent with a writer
  // that removes files. No other thread may use the cache during the call.
  void KeepAllOpen();
  // For a later state of the same database: from now on takes over the readers that `earlier` has
  // open of tables with the same unique id, with the blocks that are cached for them. Null: no
  // more; until then `earlier` must live. No other thread may use this cache during the call.
  void TakeReadersOf(TableCache* earlier);
  // Whether this very table is open, as its unique id says.
  bool IsOpen(const TableToOpen& table) const;

  const std::shared_ptr<ClockCache>& blocks() const;
  // Of all open tables, including those that left the cache and are still used.
  uint64_t MemoryUsage() const;
  uint64_t open_tables() const;
  const TableGrades& grades() const;
  bool keeps_all_open() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
