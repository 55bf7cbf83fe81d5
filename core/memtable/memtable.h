// SPDX-License-Identifier: Apache-2.0
// MemTable holds the newest writes of one column family, sorted, until they are flushed.
//
// Entries are in an arena and are indexed by a concurrent skip list or B+-tree, optionally with a
// hash index for point reads; range tombstones are stored separately. Any number of threads may
// Add() concurrently (allow_concurrent_memtable_write) with readers; readers take no lock and see
// an entry as soon as Add() has returned. Nothing is ever removed; the arena is freed with the
// MemTable, which readers pin by shared_ptr.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/options/grades.h"
#include "core/format/internal_key.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/lookup.h"
#include "core/iterator/range_tombstones.h"
#include "varve/comparator.h"
#include "varve/options.h"

namespace varve {

// The index, and how batches are looked up in it: see grades.h.
struct MemTableGrades {
  MemtableRep rep = MemtableRep::kBtreeHash;
  MemtableBatchLookup batch_lookup = MemtableBatchLookup::kInterleaved;
};

class MemTable : public std::enable_shared_from_this<MemTable> {
 public:
  static std::shared_ptr<MemTable> Create(const Comparator& comparator, uint64_t id,
                                          const MemTableGrades& grades = {});
  virtual ~MemTable() = default;  // Implemented once per key order.

  // kRangeDeletion: key = begin, value = end. Thread-safe. (key, sequence) must be new.
  virtual void Add(Sequence sequence, ValueType type, std::string_view key,
                   std::string_view value) = 0;

  // Passes the visible versions of its key to `lookup`; returns lookup->done(). Values are pinned
  // by this memtable.
  virtual bool Get(Lookup* lookup) const = 0;
  // The same for keys sorted by the comparator; those already done() are skipped.
  virtual void MultiGet(std::span<Lookup*> sorted) const = 0;

  // Keeps the memtable alive. Also shows entries added later (readers filter by sequence).
  virtual std::unique_ptr<InternalIterator> NewIterator() const = 0;
  // Snapshot of the tombstones added so far; null if there are none.
  virtual std::shared_ptr<const TombstoneLists> Tombstones() const = 0;

  virtual uint64_t MemoryUsage() const = 0;  // Bytes used, as compared with write_buffer_size.
  virtual uint64_t entries() const = 0;      // Range tombstones included.
  virtual uint64_t deletions() const = 0;
  bool empty() const { return entries() == 0; }
  uint64_t id() const { return id_; }  // Ascending in order of creation, per family.

  // Of the entries added; valid once writers are done.
  virtual Sequence smallest_sequence() const = 0;
  virtual Sequence largest_sequence() const = 0;

 protected:
  explicit MemTable(uint64_t id) : id_(id) {}

 private:
  const uint64_t id_;
};

}  // namespace varve
