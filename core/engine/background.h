// SPDX-License-Identifier: Apache-2.0
// Background decides when flushes and compactions run, runs them through the Executor and installs
// what they made. Nothing polls: whoever changes something calls Reconsider(), which starts what
// is due.
//
//   flush       QueueFlush -> scheduled -> all sealed memtables of the family -> level-0 table
//   compaction  PickCompaction -> inputs marked -> scheduled -> outputs
//   both        plan with the mutex, act without it, install through VersionLog::Log
//
// A job that fails leaves everything as it was. Its family's error is kept, for whoever waits for
// the outcome; it is tried again when a memtable is sealed, on request, or by a stalled writer (so
// a full disk delays, but loses nothing).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/compaction/compaction_job.h"
#include "core/compaction/picker.h"
#include "core/engine/context.h"
#include "core/engine/file_gc.h"
#include "core/engine/version_log.h"
#include "core/engine/wal_set.h"
#include "core/engine/write_stall.h"

namespace varve {

class Background {
 public:
  Background(EngineContext& context, VersionLog& log, FileGc& gc, WalSet& wals);

  // Thread-safe, lock-free.
  StallState stall() const { return stall_.load(std::memory_order_relaxed); }
  bool HasWork() const { return running_.load(std::memory_order_relaxed) > 0; }

  // --- Requires the engine's mutex.
  void QueueFlush(Family* family);
  // Something changed: computes the stall anew and starts what is due.
  void Reconsider();
  // Which families somebody is concerned with.
  using Concerns = std::function<bool(const Family&)>;
  // Forgets failures of those families, so that what failed is tried again.
  void RetryFailed(const Concerns& concerns);
  // For a writer who is stopped. What keeps one of his families' stall from ending, if something
  // does; ok and `*may_go_on` if all that are stopped are others', and will not go on by
  // themselves: one family that cannot be flushed is no reason to take nothing for the rest.
  Status StallFailure(const Concerns& concerns, bool* may_go_on) const;
  // The first failure of any family; ok if there is none.
  Status Failure() const;
  // Nothing runs and nothing is due.
  bool Idle() const { return HasWork() == false && !AnythingQueued(); }
  bool CompactionsRunning() const { return compactions_ + manual_compactions_ > 0; }
  // kShutdown once Stop() was called: what is queued will not be run.
  Status CheckRunning() const;

  // --- Not with the mutex.
  // The next step of compacting [begin, end] from `level` to `output_level`: waits while files of
  // the range are busy; false when the level has none left.
  Result<bool> CompactLevel(Family* family, int level, int output_level,
                            std::optional<std::string_view> begin,
                            std::optional<std::string_view> end) EXCLUDES(context_.mutex);
  // Families with nothing in memory need no WAL before the present one: says so in the MANIFEST,
  // and deletes those that nobody needs any more. Requires the lead of the write queue.
  Status AdvanceLogNumbers() EXCLUDES(context_.mutex);
  // No compaction starts between the two, manual ones included; those that run go on. Nests.
  void HoldCompactions() EXCLUDES(context_.mutex);
  void ReleaseCompactions() EXCLUDES(context_.mutex);
  // Where the family's running compactions may put tables: user keys, both inclusive.
  struct OutputRange {
    int level = 0;
    std::string begin, end;
  };
  std::vector<OutputRange> RunningOutputs(const Family& family) const EXCLUDES(context_.mutex);
  // Writers no longer wait for stalls to end, so that whoever closes the database gets the lead.
  void EndStalls() EXCLUDES(context_.mutex);
  // Starts nothing any more and returns when nothing runs.
  void Stop() EXCLUDES(context_.mutex);

 private:
  JobContext JobOf(const Family& family) const;

  struct Compaction {
    Family* family = nullptr;
    std::shared_ptr<const Version> version;
    CompactionPlan plan;
  };

  void StartFlushes();
  void StartCompactions();
  std::optional<Compaction> PickFor(Family* family);
  void MarkInputs(const Compaction& compaction, bool busy);
  static OutputRange OutputRangeOf(const Compaction& compaction);
  // Its outputs may meet those of a compaction that runs: it has to wait.
  bool MeetsRunning(const Compaction& compaction) const;
  // Between being picked and being done with.
  void Begin(const Compaction& compaction);
  void End(const Compaction& compaction);
  bool AnythingQueued() const;
  StallState StallOf(const Family& family, const Version& version) const;
  StallState ComputeWorstStall();
  void JobDone();

  // That the families which are flushed, but for `except`, need no WAL before the present one.
  void AddAdvances(std::optional<ColumnFamilyId> except, uint64_t below,
                   std::vector<VersionEdit>* edits) const;
  void RunFlushJob(Family* family);
  Status Flush(Family* family);
  std::vector<VersionEdit> FlushEdits(const Family& family, uint64_t next_wal,
                                      const std::optional<FileDescription>& table);
  Status LogOutputs(const VersionLog::MakeEdits& make, const JobContext& job,
                    const std::vector<FileDescription>& outputs,
                    const std::function<void()>& on_install);
  void RunCompactionJob(const std::shared_ptr<Compaction>& compaction);
  Status Compact(const Compaction& compaction);
  Result<VersionEdit> CompactionEdit(const Compaction& compaction, const JobContext& job);
  void ForgetWals();

  EngineContext& context_;
  VersionLog& log_;
  FileGc& gc_;
  WalSet& wals_;
  const int flushes_max_;
  const int compactions_max_;
  std::atomic<StallState> stall_{StallState{}};
  std::atomic<int> running_{0};  // Jobs scheduled and not done. Written with the mutex held.
  std::atomic<bool> stopping_{false};
  std::atomic<bool> closing_{false};

  // Guarded by the engine's mutex.
  int flushes_ = 0;
  int compactions_ = 0;
  int manual_compactions_ = 0;
  int holds_ = 0;
  std::vector<const Compaction*> running_compactions_;
  size_t next_family_ = 0;  // Where to look first for a compaction: each gets its turn.
};

}  // namespace varve
