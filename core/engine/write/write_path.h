// SPDX-License-Identifier: Apache-2.0
// WritePath takes write batches from Write() to the memtables:
//
//   CheckBatch -> WriteQueue -> room (stall, full memtables) -> sequence numbers -> WAL [-> sync]
//              -> memtables -> visible -> wake the group
//
// A group is one WAL record and one write(2). If the record or its sync fails, nothing of the group
// is inserted, writes are closed for good, and every writer of the group gets the error.
// Thread-safe.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "core/engine/context.h"
#include "core/engine/files/version_log.h"
#include "core/engine/files/wal_set.h"
#include "core/engine/jobs/background.h"
#include "core/engine/write/write_queue.h"
#include "core/engine/write_stall.h"

namespace varve {

class WritePath {
 public:
  WritePath(EngineContext& context, VersionLog& log, Background& background, WalSet& wals);

  Status Write(const WriteOptions& options, WriteBatch* batch) EXCLUDES(write_lead, engine_mutex);
  // The steps of a two-phase commit, as in varve/db.h.
  Status Prepare(const WriteOptions& options, const std::string& name, const WriteBatch& batch)
      EXCLUDES(write_lead, engine_mutex);
  Status CommitPrepared(const WriteOptions& options, const std::string& name,
                        const WriteBatch& more) EXCLUDES(write_lead, engine_mutex);
  Status RollbackPrepared(const WriteOptions& options, const std::string& name)
      EXCLUDES(write_lead, engine_mutex);

  // Holds the lead of the queue without writing: earlier writes are complete, later ones wait until
  // it is destroyed.
  class SCOPED_CAPABILITY Lead {
   public:
    explicit Lead(WritePath& path) ACQUIRE(write_lead);
    Lead(const Lead&) = delete;
    Lead& operator=(const Lead&) = delete;
    ~Lead() RELEASE();

   private:
    WritePath& path_;
    WriteQueue::Writer writer_;
  };

  // Seals the non-empty memtables of the families and schedules their flush. A new WAL begins.
  Status Switch(std::span<Family* const> families, FlushReason reason) REQUIRES(write_lead)
      EXCLUDES(engine_mutex);
  // Call after a family was dropped: deletes WALs that only it needed and, if the rest still
  // exceeds the limit, flushes other families.
  Status ReleaseWals() REQUIRES(write_lead) EXCLUDES(engine_mutex);
  // Some writes are in no WAL, and possibly in no table.
  bool has_unlogged_writes() const REQUIRES(write_lead) { return has_unlogged_writes_; }
  void AllFlushed() REQUIRES(write_lead) { has_unlogged_writes_ = false; }

 private:
  // Takes its place in the line, and returns the result of the write.
  Status Run(WriteQueue::Writer* writer) EXCLUDES(write_lead, engine_mutex);
  // Logs `mark`, which ends a prepared transaction, and inserts `changes`.
  Status EndPrepared(const WriteOptions& options, const std::string& name, WriteBatch mark,
                     WriteBatch changes) EXCLUDES(write_lead, engine_mutex);
  // Commits the leader's group and possibly some later ones, then hands over the lead.
  void ServeLine(WriteQueue::Writer* own) EXCLUDES(engine_mutex);
  Status MakeRoom(const WriteQueue::Writer& first) REQUIRES(write_lead) EXCLUDES(engine_mutex);
  // For writers with no_slowdown.
  Status CheckNotHeldUp(const WriteBatch& batch) const EXCLUDES(engine_mutex);
  Status AwaitEndOfStop(const WriteBatch& batch) REQUIRES(write_lead) EXCLUDES(engine_mutex);
  Status RollWal() REQUIRES(write_lead) EXCLUDES(engine_mutex);
  void SlowDown(uint64_t bytes) REQUIRES(write_lead) EXCLUDES(engine_mutex);
  Status SwitchFull() REQUIRES(write_lead) EXCLUDES(engine_mutex);
  // Deletes WALs that no family and no prepared transaction needs. If they exceed the limit, that
  // may be the present one, too: one with nothing but what was prepared and rolled back.
  Status ReleaseUnneeded() REQUIRES(write_lead) EXCLUDES(engine_mutex);
  Status CommitGroup(const std::vector<WriteQueue::Writer*>& group) REQUIRES(write_lead)
      EXCLUDES(engine_mutex);
  Status LogGroup(const std::vector<WriteQueue::Writer*>& group, Sequence first, uint64_t count)
      REQUIRES(write_lead);
  void InsertGroup(const std::vector<WriteQueue::Writer*>& group) REQUIRES(write_lead);
  void NoteFull(const std::vector<WriteQueue::Writer*>& group) REQUIRES(write_lead);
  bool WalsTooLarge() const REQUIRES(write_lead);

  EngineContext& context_;
  VersionLog& log_;
  Background& background_;
  WalSet& wals_;
  WriteQueue queue_;

  WriteThrottle throttle_ GUARDED_BY(write_lead);
  // The WAL record of a group with several batches.
  WriteBatch group_batch_ GUARDED_BY(write_lead);
  bool switch_due_ GUARDED_BY(write_lead) = false;
  bool has_unlogged_writes_ GUARDED_BY(write_lead) = false;
};

}  // namespace varve
