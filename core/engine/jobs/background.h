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
#include "core/engine/files/file_gc.h"
#include "core/engine/files/version_log.h"
#include "core/engine/write/wal_set.h"
#include "core/engine/write/write_stall.h"

namespace varve {

class Background {
 public:
  Background(EngineContext& context, VersionLog& log, FileGc& gc, WalSet& wals);

  // Thread-safe, lock-free.
  StallState stall() const { return stall_.load(std::memory_order_relaxed); }
  bool HasWork() const { return running_.load(std::memory_order_relaxed) > 0; }

  void QueueFlush(Family* family) REQUIRES(engine_mutex);
  // Something changed: computes the stall anew and starts what is due.
  void Reconsider() REQUIRES(engine_mutex);
  // Which families somebody is concerned with.
  using Concerns = std::function<bool(const Family&)>;
  // Forgets failures of those families, so that what failed is tried again.
  void RetryFailed(const Concerns& concerns) REQUIRES(engine_mutex);
  // For a writer who is stopped. What keeps one of his families' stall from ending, if something
  // does; ok and `*may_go_on` if all that are stopped are others', and will not go on by
  // themselves: one family that cannot be flushed is no reason to take nothing for the rest.
  Status StallFailure(const Concerns& concerns, bool* may_go_on) const REQUIRES(engine_mutex);
  // The first failure of any family; ok if there is none.
  Status Failure() const REQUIRES(engine_mutex);
  // Nothing runs and nothing is due.
  bool Idle() const REQUIRES(engine_mutex) { return !HasWork() && !AnythingQueued(); }
  bool CompactionsRunning() const REQUIRES(engine_mutex) {
    return compactions_ + manual_compactions_ > 0;
  }
  // kShutdown once Stop() was called: what is queued will not be run.
  Status CheckRunning() const;

  // The next step of compacting [begin, end] from `level` to `output_level`: waits while files of
  // the range are busy; false when the level has none left.
  Result<bool> CompactLevel(Family* family, int level, int output_level,
                            std::optional<std::string_view> begin,
                            std::optional<std::string_view> end) EXCLUDES(engine_mutex);
  // Families with nothing in memory need no WAL before the present one: says so in the MANIFEST,
  // and deletes those that nobody needs any more.
  Status AdvanceLogNumbers() REQUIRES(write_lead) EXCLUDES(engine_mutex);
  // No compaction starts between the two, manual ones included; those that run go on. Nests.
  void HoldCompactions() EXCLUDES(engine_mutex);
  void ReleaseCompactions() EXCLUDES(engine_mutex);
  // Where the family's running compactions may put tables: user keys, both inclusive.
  struct OutputRange {
    int level = 0;
    std::string begin, end;
  };
  std::vector<OutputRange> RunningOutputs(const Family& family) const EXCLUDES(engine_mutex);
  // Writers no longer wait for stalls to end, so that whoever closes the database gets the lead.
  void EndStalls() EXCLUDES(engine_mutex);
  // Starts nothing any more and returns when nothing runs.
  void Stop() EXCLUDES(engine_mutex);

 private:
  JobContext JobOf(const Family& family) const;

  struct Compaction {
    Family* family = nullptr;
    std::shared_ptr<const Version> version;
    CompactionPlan plan;
  };

  void StartFlushes() REQUIRES(engine_mutex);
  void StartCompactions() REQUIRES(engine_mutex);
  std::optional<Compaction> PickFor(Family* family) REQUIRES(engine_mutex);
  void MarkInputs(const Compaction& compaction, bool busy) REQUIRES(engine_mutex);
  static OutputRange OutputRangeOf(const Compaction& compaction);
  // Its outputs may meet those of a compaction that runs: it has to wait.
  bool MeetsRunning(const Compaction& compaction) const REQUIRES(engine_mutex);
  // Between being picked and being done with.
  void Begin(const Compaction& compaction) REQUIRES(engine_mutex);
  void End(const Compaction& compaction) REQUIRES(engine_mutex);
  bool AnythingQueued() const REQUIRES(engine_mutex);
  StallState StallOf(const Family& family, const Version& version) const REQUIRES(engine_mutex);
  StallState ComputeWorstStall() REQUIRES(engine_mutex);
  void JobDone() REQUIRES(engine_mutex);

  // That the families which are flushed, but for `except`, need no WAL before the present one.
  void AddAdvances(std::optional<ColumnFamilyId> except, uint64_t below,
                   std::vector<VersionEdit>* edits) const REQUIRES(engine_mutex);
  void RunFlushJob(Family* family) EXCLUDES(engine_mutex);
  Status Flush(Family* family) EXCLUDES(engine_mutex);
  std::vector<VersionEdit> FlushEdits(const Family& family, uint64_t next_wal,
                                      const std::optional<FileDescription>& table)
      REQUIRES(engine_mutex);
  Status LogOutputs(const VersionLog::MakeEdits& make, const JobContext& job,
                    const std::vector<FileDescription>& outputs,
                    const std::function<void()>& on_install) EXCLUDES(engine_mutex);
  void RunCompactionJob(const std::shared_ptr<Compaction>& compaction) EXCLUDES(engine_mutex);
  Status Compact(const Compaction& compaction) EXCLUDES(engine_mutex);
  Result<VersionEdit> CompactionEdit(const Compaction& compaction, const JobContext& job);
  void ForgetWals() REQUIRES(engine_mutex);

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

  int flushes_ GUARDED_BY(engine_mutex) = 0;
  int compactions_ GUARDED_BY(engine_mutex) = 0;
  int manual_compactions_ GUARDED_BY(engine_mutex) = 0;
  int holds_ GUARDED_BY(engine_mutex) = 0;
  std::vector<const Compaction*> running_compactions_ GUARDED_BY(engine_mutex);
  // Where to look first for a compaction: each gets its turn.
  size_t next_family_ GUARDED_BY(engine_mutex) = 0;
};

}  // namespace varve
