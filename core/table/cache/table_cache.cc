// SPDX-License-Identifier: Apache-2.0
#include "core/table/cache/table_cache.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/table/read/unique_id_check.h"

namespace varve {

namespace {

// Of the readers that exist. They may outlive the cache.
struct OpenReaders {
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> bytes{0};
};

// A reader that is counted as long as it exists.
std::shared_ptr<const TableReader> Counted(std::unique_ptr<const TableReader> reader,
                                           const std::shared_ptr<OpenReaders>& open) {
  const uint64_t bytes = reader->MemoryUsage();
  open->count.fetch_add(1, std::memory_order_relaxed);
  open->bytes.fetch_add(bytes, std::memory_order_relaxed);
  return {reader.release(), [open, bytes](const TableReader* ended) {
            open->count.fetch_sub(1, std::memory_order_relaxed);
            open->bytes.fetch_sub(bytes, std::memory_order_relaxed);
            std::default_delete<const TableReader>()(ended);
          }};
}

}  // namespace

struct TableCache::Impl {
  using Reader = std::shared_ptr<const TableReader>;
  using Recency = std::list<FileNumber>;
  struct Slot {
    TableToOpen table;
    Reader reader;
    Recency::iterator place;
  };

  Impl(FileSystem& file_system, std::string path, std::shared_ptr<ClockCache> block_cache,
       int max_open_files, bool direct, TableGrades table_grades)
      : fs(file_system),
        directory(std::move(path)),
        blocks(std::move(block_cache)),
        readers_max(max_open_files < 0 ? 0
                                       : std::max<size_t>(1, static_cast<size_t>(max_open_files))),
        direct_reads(direct),
        grades(table_grades) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenFile(FileNumber number) const;
  Result<Reader> Open(const TableToOpen& table) const;
  Reader FindOpen(FileNumber number) EXCLUDES(mu);
  // The same if it is of this very table.
  Reader FindOpen(const TableToOpen& table) EXCLUDES(mu);
  Reader Keep(const TableToOpen& table, Reader reader) EXCLUDES(mu);

  FileSystem& fs;
  const std::string directory;
  const std::shared_ptr<ClockCache> blocks;
  // 0: no bound. Atomic, because readers call keeps_all_open() without the lock.
  std::atomic<size_t> readers_max;
  const bool direct_reads;
  const TableGrades grades;
  std::shared_ptr<OpenReaders> open_readers = std::make_shared<OpenReaders>();
  TableCache* earlier = nullptr;

  Mutex mu;  // Innermost lock. Not held while a file is opened or read.
  std::unordered_map<FileNumber, Slot> slots GUARDED_BY(mu);
  Recency recency GUARDED_BY(mu);  // Most recent first.
};

// "<number>.sst", or LevelDB's "<number>.ldb".
Result<std::unique_ptr<RandomAccessFile>> TableCache::Impl::OpenFile(FileNumber number) const {
  Result<std::unique_ptr<RandomAccessFile>> file =
      fs.OpenForRead(directory + "/" + TableFileName(number), direct_reads);
  if (file.ok() || file.status().code() != Code::kNotFound) return file;
  Result<std::unique_ptr<RandomAccessFile>> old =
      fs.OpenForRead(directory + "/" + TableLdbFileName(number), direct_reads);
  return old.ok() ? std::move(old) : std::move(file);
}

Result<TableCache::Impl::Reader> TableCache::Impl::Open(const TableToOpen& table) const {
  if (earlier != nullptr) {
    if (Reader reader = earlier->impl_->FindOpen(table)) return reader;
  }
  ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, OpenFile(table.number));
  ASSIGN_OR_RETURN(std::unique_ptr<TableReader> reader,
                   TableReader::Open(std::move(file), {.comparator = table.comparator,
                                                       .cache = blocks,
                                                       .global_sequence = table.global_sequence,
                                                       .expected_size = table.size,
                                                       .grades = grades}));
  RETURN_IF_ERROR(CheckUniqueId(*reader, table.number, table.unique_id));
  return Counted(std::move(reader), open_readers);
}

TableCache::Impl::Reader TableCache::Impl::FindOpen(FileNumber number) {
  MutexLock lock(mu);
  const auto found = slots.find(number);
  if (found == slots.end()) return nullptr;
  recency.splice(recency.begin(), recency, found->second.place);
  return found->second.reader;
}

// A number alone may have been given to another file, after a crash of the writer.
TableCache::Impl::Reader TableCache::Impl::FindOpen(const TableToOpen& table) {
  if (table.unique_id == TableToOpen().unique_id) return nullptr;
  MutexLock lock(mu);
  const auto found = slots.find(table.number);
  return found == slots.end() || found->second.table != table ? nullptr : found->second.reader;
}

// If two threads open the same table, the first reader is kept.
TableCache::Impl::Reader TableCache::Impl::Keep(const TableToOpen& table, Reader reader) {
  Reader evicted;  // Closed after the lock is released.
  MutexLock lock(mu);
  const auto [slot, is_new] = slots.try_emplace(table.number);
  CHECK(reader != nullptr);
  if (!is_new) return slot->second.reader;
  recency.push_front(table.number);
  slot->second = {table, reader, recency.begin()};
  const size_t max = readers_max.load(std::memory_order_relaxed);
  if (max > 0 && slots.size() > max) {
    const auto oldest = slots.find(recency.back());
    evicted = std::move(oldest->second.reader);
    slots.erase(oldest);
    recency.pop_back();
  }
  CHECK_OP(slots.size(), ==, recency.size());
  return reader;
}

TableCache::TableCache(FileSystem& fs, std::string directory, std::shared_ptr<ClockCache> blocks,
                       int max_open_files, bool direct_reads, TableGrades grades)
    : impl_(std::make_unique<Impl>(fs, std::move(directory), std::move(blocks), max_open_files,
                                   direct_reads, grades)) {}
TableCache::~TableCache() = default;

Result<std::shared_ptr<const TableReader>> TableCache::Find(const TableToOpen& table) {
  if (Impl::Reader reader = impl_->FindOpen(table.number)) return reader;
  ASSIGN_OR_RETURN(Impl::Reader reader, impl_->Open(table));
  return impl_->Keep(table, std::move(reader));
}

void TableCache::Evict(FileNumber number) {
  Impl::Reader evicted;  // Closed after the lock is released.
  MutexLock lock(impl_->mu);
  const auto found = impl_->slots.find(number);
  if (found == impl_->slots.end()) return;
  evicted = std::move(found->second.reader);
  impl_->recency.erase(found->second.place);
  impl_->slots.erase(found);
  CHECK_OP(impl_->slots.size(), ==, impl_->recency.size());
}

void TableCache::KeepAllOpen() { impl_->readers_max.store(0, std::memory_order_relaxed); }

void TableCache::TakeReadersOf(TableCache* earlier) {
  impl_->earlier = earlier;
  // Readers of both are counted once.
  if (earlier != nullptr) impl_->open_readers = earlier->impl_->open_readers;
}

bool TableCache::IsOpen(const TableToOpen& table) const {
  return impl_->FindOpen(table) != nullptr;
}

const std::shared_ptr<ClockCache>& TableCache::blocks() const { return impl_->blocks; }

uint64_t TableCache::MemoryUsage() const {
  return impl_->open_readers->bytes.load(std::memory_order_relaxed);
}

uint64_t TableCache::open_tables() const {
  return impl_->open_readers->count.load(std::memory_order_relaxed);
}

const TableGrades& TableCache::grades() const { return impl_->grades; }

bool TableCache::keeps_all_open() const {
  return impl_->readers_max.load(std::memory_order_relaxed) == 0;
}

}  // namespace varve
