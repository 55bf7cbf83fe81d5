// SPDX-License-Identifier: Apache-2.0
// WritePath takes write batches from Write() to the memtables:
//
//   CheckBatch -> WriteQueue -> room (stall, full memtables) -> sequence numbers -> WAL [-> sync]
//              -> memtables -> visible -> wake the group
//
// A group is one record of the WAL and one write(2). If the record or its sync fails, nothing of
// the group is inserted, writes are closed for good, and the group is told so. Thread-safe.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "core/engine/background.h"
#include "core/engine/context.h"
#include "core/engine/version_log.h"
#include "core/engine/wal_set.h"
#include "core/engine/write_queue.h"
#include "core/engine/write_stall.h"

namespace varve {

class WritePath {
 public:
  WritePath(EngineContext& context, VersionLog& log, Background& background, WalSet& wals);

  Status Write(const WriteOptions& options, WriteBatch* batch) EXCLUDES(context_.mutex);

  // The lead of the queue, without writing: earlier writes are through, later ones wait until it is
  // destroyed.
  class Lead {
   public:
    explicit Lead(WritePath& path);
    Lead(const Lead&) = delete;
    Lead& operator=(const Lead&) = delete;
    ~Lead();

   private:
    WritePath& path_;
    WriteQueue::Writer writer_;
  };

  // --- For whoever leads.
  // Seals the families' memtables, those with entries, and has them flushed. A new WAL begins.
  Status Switch(std::span<Family* const> families) EXCLUDES(context_.mutex);
  // A family is gone: what only it needed of the WALs goes, too, and if they are still over their
  // limit, families are flushed for it.
  Status ReleaseWals() EXCLUDES(context_.mutex);
  WalSet& wals() { return wals_; }
  // Some writes are in no WAL, and perhaps in no table.
  bool has_unlogged_writes() const { return has_unlogged_writes_; }
  void AllFlushed() { has_unlogged_writes_ = false; }

 private:
  // Commits the leader's group, and some of those behind it in turn.
  void ServeLine(WriteQueue::Writer* own);
  Status MakeRoom(const WriteQueue::Writer& first);
  // For a writer who would not wait.
  Status CheckNotHeldUp(const WriteBatch& batch) const EXCLUDES(context_.mutex);
  Status AwaitEndOfStop(const WriteBatch& batch);
  Status RollWal();
  void SlowDown(uint64_t bytes);
  Status SwitchFull();
  Status CommitGroup(const std::vector<WriteQueue::Writer*>& group);
  Status LogGroup(const std::vector<WriteQueue::Writer*>& group, Sequence first, uint64_t count);
  void InsertGroup(const std::vector<WriteQueue::Writer*>& group);
  void NoteFull(const std::vector<WriteQueue::Writer*>& group);
  bool WalsTooLarge() const;

  EngineContext& context_;
  VersionLog& log_;
  Background& background_;
  WalSet& wals_;
  WriteQueue queue_;

  // All the leader's from here on.
  WriteThrottle throttle_;
  WriteBatch group_batch_;  // The group's record, when it has several batches.
  bool switch_due_ = false;
  bool has_unlogged_writes_ = false;
};

}  // namespace varve
