// SPDX-License-Identifier: Apache-2.0
// Family is one open column family: its options with every default resolved, its memtables and the
// read view that readers pin.
//
//   memtable --Seal--> immutables (oldest first) --flushed, oldest first--> tables of the Version
//
// A Family object lives as long as the Engine, even after the family was dropped: a reader may hold
// a reference to it without a lock. Drop() releases its memtables, Forget() what readers still see.
//
// Thread-safe unless noted otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/flush_reason.h"
#include "core/engine/locks.h"
#include "core/engine/read/read_view.h"
#include "core/engine/write_stall.h"
#include "core/memtable/memtable.h"
#include "core/version/version.h"
#include "varve/options.h"
#include "varve/types.h"

namespace varve {

class Family;

// Of a change that is to be inserted into a family, written now or read from a log: NotSupported
// for a range deletion of keys with timestamps, InvalidArgument for a key that is shorter than its
// timestamp.
Status CheckStoredKey(const Family& family, ValueType type, std::string_view key);

// A sealed memtable that awaits its flush.
struct ImmutableMemTable {
  std::shared_ptr<MemTable> memtable;
  uint64_t next_wal = 0;  // Once flushed, the family needs no WAL below this.
  FlushReason reason = FlushReason::kMemTableFull;
  // The oldest WAL in which a transaction was prepared whose commit is in this; 0: none.
  uint64_t prepared_in = 0;
};

// What a family of a read-only database shows besides its Version.
struct FrozenContents {
  std::vector<ImmutableMemTable> immutables;
  std::shared_ptr<BlobReader> blobs;
  std::string full_history_ts_low;
};

class Family {
 public:
  // `options`: with comparator and merge operator resolved (null if the latter is unknown).
  Family(ColumnFamilyId id, std::string name, const ColumnFamilyOptions& options,
         std::string comparator_name, std::shared_ptr<BlobReader> blobs,
         const ReadaheadPolicy& readahead, const MemTableGrades& memtable_grades);

  // Never changes.
  ColumnFamilyId id() const { return id_; }
  const std::string& name() const { return name_; }
  // The current options. The returned object stays valid and unchanged when they are replaced.
  const ColumnFamilyOptions& options() const { return *options_.load(std::memory_order_acquire); }
  const std::string& comparator_name() const { return comparator_name_; }
  // Null: unknown comparator. Such a family opens read-only and can be listed, not searched.
  const Comparator* comparator() const { return options().comparator; }
  // Of the keys; 0: they have none, or the comparator is unknown.
  size_t timestamp_size() const { return timestamp_size_; }
  bool dropped() const { return presence_.load(std::memory_order_acquire) != Presence::kLive; }
  // False once it was dropped and readers see nothing of it any more.
  bool readable() const { return presence_.load(std::memory_order_acquire) != Presence::kGone; }

  // The read views that readers pin.
  const ReadViewHolder& views() const { return views_; }

  // Takes writes; null if the family is read-only, of an unknown comparator, or dropped.
  const std::shared_ptr<MemTable>& memtable() const REQUIRES(engine_mutex) { return memtable_; }
  // The same for the write group leader and its helpers.
  MemTable* memtable_to_fill() const REQUIRES_SHARED(write_lead) { return memtable_to_fill_; }
  const std::vector<ImmutableMemTable>& immutables() const REQUIRES(engine_mutex) {
    return immutables_;
  }
  // WALs below this number have no entries of memtable().
  uint64_t memtable_first_wal() const REQUIRES(engine_mutex) { return memtable_first_wal_; }
  // The oldest WAL that has what a prepared transaction put into memtables, without the `flushed`
  // oldest immutables; 0: none. Its commit, in a later WAL, refers to it.
  uint64_t OldestPreparedIn(size_t flushed = 0) const REQUIRES(engine_mutex);
  // The active memtable gets changes that were prepared in this WAL.
  void NotePreparedIn(uint64_t wal) REQUIRES(write_lead, engine_mutex);
  // No memtable awaits a flush and the active one is empty, so older WALs are not needed.
  bool AllFlushed() const REQUIRES(engine_mutex);
  uint64_t MemoryUsage() const REQUIRES(engine_mutex);
  // Of memtables that were flushed or dropped, and are still read.
  uint64_t PinnedMemoryUsage() const REQUIRES(engine_mutex);

  // Sets the first memtable, e.g. one filled by recovery. Requires that there is none.
  void Begin(std::shared_ptr<MemTable> memtable, uint64_t first_wal)
      REQUIRES(write_lead, engine_mutex);
  std::shared_ptr<MemTable> NewMemTable() REQUIRES(engine_mutex);
  // Seals the memtable; a new one takes writes, which go to WAL `next_wal` and later.
  void Seal(uint64_t next_wal, FlushReason reason) REQUIRES(write_lead, engine_mutex);
  // Read-only: seals the memtable without replacing it.
  void Freeze() REQUIRES(write_lead, engine_mutex);
  FrozenContents Frozen() const REQUIRES(engine_mutex);
  // Read-only: the next Publish() shows those of a later state.
  void Replace(FrozenContents later) REQUIRES(write_lead, engine_mutex);
  // Read-only: what is published from now on can be read at snapshots of this list alone.
  void SetSnapshots(std::shared_ptr<const SnapshotList> snapshots) REQUIRES(engine_mutex) {
    snapshots_ = std::move(snapshots);
  }
  // The `count` oldest immutables are now in tables.
  void RemoveFlushed(size_t count) REQUIRES(engine_mutex);
  // Releases its memtables, and calls Forget(). Null: readers see it as it was until Forget().
  void Drop(std::shared_ptr<const Version> nothing) REQUIRES(write_lead, engine_mutex);
  // Releases what readers of a dropped family pin: they see an empty one. `nothing`: a Version
  // without files. A second call does nothing.
  void Forget(std::shared_ptr<const Version> nothing) REQUIRES(engine_mutex);
  // From the next Publish() on, reads at older timestamps are refused, and compactions that begin
  // later forget what only those would see. Requires one of timestamp_size(), or an empty one.
  void SetFullHistoryTsLow(std::string timestamp) REQUIRES(engine_mutex);
  const std::string& full_history_ts_low() const REQUIRES(engine_mutex) {
    return full_history_ts_low_;
  }
  // Shows readers the memtables together with `version`.
  void Publish(std::shared_ptr<const Version> version) REQUIRES(engine_mutex);

  // False if they were changed too often (kOptionChangesMax).
  bool MayChangeOptions() const REQUIRES(engine_mutex) {
    return all_options_.size() < kOptionChangesMax;
  }
  // Requires MayChangeOptions().
  void ChangeOptions(const ColumnFamilyOptions& options) REQUIRES(engine_mutex);

  // State of background jobs (engine/jobs/background.cc).
  struct Jobs {
    bool flush_running = false;
    Status flush_error;  // Of the last attempt; cleared by the next one.
    int compactions_running = 0;
    Status compaction_error;  // No automatic compaction starts until something changes.
    StallState stall;         // As of the last change, counted in Background.
    uint64_t pending_compaction_bytes = 0;
    std::weak_ptr<const Version> pending_bytes_of;  // The Version that the figure was computed for.
  };
  Jobs& jobs() REQUIRES(engine_mutex) { return jobs_; }
  const Jobs& jobs() const REQUIRES(engine_mutex) { return jobs_; }

 private:
  // Null: none.
  void SetMemTable(std::shared_ptr<MemTable> memtable) REQUIRES(write_lead, engine_mutex);
  // Counts the memtable in PinnedMemoryUsage() as long as anybody reads it.
  void Retire(const std::shared_ptr<MemTable>& memtable) REQUIRES(engine_mutex);

  const ColumnFamilyId id_;
  const std::string name_;
  static constexpr size_t kOptionChangesMax = 10'000;

  // All versions of the options, oldest first: readers of options() hold references. The release
  // store of options_ pairs with the load in options().
  std::vector<std::unique_ptr<const ColumnFamilyOptions>> all_options_ GUARDED_BY(engine_mutex);
  std::atomic<const ColumnFamilyOptions*> options_;
  const std::string comparator_name_;
  const size_t timestamp_size_;
  std::shared_ptr<BlobReader> blobs_ GUARDED_BY(engine_mutex);
  const ReadaheadPolicy readahead_;
  const MemTableGrades memtable_grades_;
  enum class Presence : uint8_t { kLive, kDropped, kGone };
  std::atomic<Presence> presence_{Presence::kLive};
  ReadViewHolder views_;

  std::shared_ptr<MemTable> memtable_ GUARDED_BY(engine_mutex);
  MemTable* memtable_to_fill_ GUARDED_BY(write_lead) = nullptr;                  // The same one.
  std::vector<ImmutableMemTable> immutables_ GUARDED_BY(engine_mutex);           // Oldest first.
  std::vector<std::weak_ptr<const MemTable>> retired_ GUARDED_BY(engine_mutex);  // Maybe read.
  uint64_t memtable_first_wal_ GUARDED_BY(engine_mutex) = 0;
  std::string full_history_ts_low_ GUARDED_BY(engine_mutex);
  std::shared_ptr<const SnapshotList> snapshots_ GUARDED_BY(engine_mutex);  // See ReadView.
  uint64_t memtable_prepared_in_ GUARDED_BY(engine_mutex) = 0;
  uint64_t next_memtable_id_ GUARDED_BY(engine_mutex) = 1;
  Jobs jobs_ GUARDED_BY(engine_mutex);
};

}  // namespace varve
