// SPDX-License-Identifier: Apache-2.0
// TableCache opens tables when they are first needed and keeps the readers: all of them when
// `max_open_files` is -1 (the reader is then pinned in FileMetadata and costs one atomic load),
// else the most recently used ones. Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "core/table/read/table_reader.h"
#include "varve/file_system.h"
#include "varve/options.h"

namespace varve {

// What the cache must know to open a table; ToOpen() in version/version.h makes it.
struct TableToOpen {
  FileNumber number = 0;
  uint64_t size = 0;
  Sequence global_sequence = 0;                // Largest sequence of the file, for ingested tables.
  std::array<uint64_t, 2> unique_id = {0, 0};  // Zeros: not verified.
  const Comparator* comparator = nullptr;
};

class TableCache {
 public:
  // `directory` holds "<number>.sst" (or ".ldb").
  TableCache(FileSystem& fs, std::string directory, std::shared_ptr<BlockCache> blocks,
             int max_open_files, bool direct_reads, TableGrades grades = {});
  ~TableCache();

  // Keeps the reader open while the returned pointer lives.
  Result<std::shared_ptr<const TableReader>> Find(const TableToOpen& table);
  // The file is about to be deleted: its reader closes when the last user lets go.
  void Evict(FileNumber number);
  // From now on, whatever `max_open_files` was: for a reader beside a writer that removes files. Not
  // while another thread uses the cache.
  void KeepAllOpen();

  const std::shared_ptr<BlockCache>& blocks() const;
  uint64_t MemoryUsage() const;
  const TableGrades& grades() const;
  bool keeps_all_open() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
