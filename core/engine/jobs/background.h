// SPDX-License-Identifier: Apache-2.0
// Background decides when flushes and compactions run, runs them through the Executor and installs
// their results. There is no polling: every change is followed by Reconsider(), which starts the
// jobs that are due. It looks only at families that changed (EngineContext::changed_families), so a
// job costs the same in a database of one family and of ten thousand.
//
//   flush       QueueFlush -> scheduled -> all sealed memtables of the family -> level-0 table
//   compaction  PickCompaction -> inputs marked -> scheduled -> outputs
//   both        plan with the mutex, act without it, install through VersionLog::Log
//
// A failed job leaves everything unchanged. Its error is stored in the family for callers that wait
// for the result. It is retried when a memtable is sealed, on request, or by a stalled writer (so a
// full disk delays writes but loses nothing).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compaction/compaction_job.h"
#include "core/compaction/flush_job.h"
#include "core/compaction/picker.h"
#include "core/engine/context.h"
#include "core/engine/files/file_gc.h"
#include "core/engine/files/version_log.h"
#include "core/engine/files/wal_set.h"
#include "core/engine/job_listener.h"
#include "core/engine/jobs/remote_compaction.h"
#include "core/engine/write_stall.h"
#include "varve/compact_files.h"
#include "varve/stats.h"

namespace varve {

class Background {
 public:
  Background(EngineContext& context, VersionLog& log, FileGc& gc, WalSet& wals)
      EXCLUDES(engine_mutex);

  // Thread-safe, lock-free.
  StallState stall() const { return stall_.load(std::memory_order_relaxed); }
  bool HasWork() const { return running_.load(std::memory_order_relaxed) > 0; }

  void QueueFlush(Family* family) REQUIRES(engine_mutex);
  // Call after any change: recomputes the stall and starts the jobs that are due. What readers find
  // out about tables (their deletions) does not count as a change of its own, as in RocksDB.
  void Reconsider() REQUIRES(engine_mutex);
  // Selects the families that a caller depends on.
  using Concerns = std::function<bool(const Family&)>;
  // Clears the errors of those families, so that failed jobs are retried.
  void RetryFailed(const Concerns& concerns) REQUIRES(engine_mutex);
  // For a stopped writer. Returns the error that keeps the stall of one of its families from
  // ending. If the stopped families are all others, and none of them can recover by itself, returns
  // ok and sets `*may_go_on`: a family that cannot be flushed must not block writes to the rest.
  Status StallFailure(const Concerns& concerns, bool* may_go_on) const REQUIRES(engine_mutex);
  // The first failure of any family; ok if there is none.
  Status Failure() const REQUIRES(engine_mutex);
  // No job is running or due.
  bool Idle() const REQUIRES(engine_mutex) { return !HasWork() && !AnythingQueued(); }
  bool CompactionsRunning() const REQUIRES(engine_mutex) {
    return compactions_ + manual_compactions_ > 0;
  }
  // kShutdown after Stop(): queued jobs will not run.
  Status CheckRunning() const;

  // The next step of compacting [begin, end] from `level` to `output_level`. Waits while files of
  // the range are busy; false when the level has no more files to compact.
  Result<bool> CompactLevel(const CompactRangeOptions& options, Family* family, int level,
                            int output_level, std::optional<std::string_view> begin,
                            std::optional<std::string_view> end) EXCLUDES(engine_mutex);
  // The same with universal compaction: merges all sorted runs into the last level if one of them
  // has keys in [begin, end]. False if there was nothing to merge.
  Result<bool> CompactRuns(const CompactRangeOptions& options, Family* family,
                           std::optional<std::string_view> begin,
                           std::optional<std::string_view> end) EXCLUDES(engine_mutex);
  // Compacts the named tables, and what has to go with them, into a level (chosen_files.h). Waits
  // only for what holds all compactions. kBusy also if a running compaction writes to that level
  // where this one would. If `info` is not null, it is filled.
  Status CompactFiles(const CompactFilesOptions& options, Family* family,
                      std::span<const std::string> names, int output_level, CompactionJobInfo* info)
      EXCLUDES(engine_mutex);
  // Records in the MANIFEST that families without data in memory need no WAL before the current
  // one, and deletes the WALs that became obsolete.
  Status AdvanceLogNumbers() REQUIRES(write_lead) EXCLUDES(engine_mutex);
  // Between the two calls no compaction starts, including manual ones; running ones continue.
  // Nests.
  void HoldCompactions() EXCLUDES(engine_mutex);
  void ReleaseCompactions() EXCLUDES(engine_mutex);
  // Waits until no job runs; from then on none starts but those of CompactFiles(), until Continue()
  // was called as often. As in RocksDB, flushes may start while it waits.
  Status Pause() EXCLUDES(engine_mutex);
  Status Continue() EXCLUDES(engine_mutex);
  // Where the family's running compactions may put tables: user keys, both inclusive.
  struct OutputRange {
    int level = 0;
    std::string begin, end;

    // Whether a table with keys from `smallest` to `largest` could overlap one of these.
    bool Meets(const Comparator& order, std::string_view smallest, std::string_view largest) const;
  };
  std::vector<OutputRange> RunningOutputs(const Family& family) const EXCLUDES(engine_mutex);
  // The same compactions with their inputs, for statistics.
  std::vector<RunningCompaction> RunningCompactions(const Family& family) const
      REQUIRES(engine_mutex);
  // Releases stalled writers, so that a closing thread can take the lead.
  void EndStalls() EXCLUDES(engine_mutex);
  // Starts no more jobs, and returns when none is running.
  void Stop() EXCLUDES(engine_mutex);

 private:
  JobContext JobOf(const Family& family) const;

  // The files that a job has written.
  struct JobOutputs {
    std::vector<FileDescription> tables;
    std::vector<BlobFileAddition> blobs;
    std::vector<BlobFileGarbage> blob_garbage;
  };
  struct Compaction {
    Family* family = nullptr;
    std::shared_ptr<const Version> version;
    CompactionPlan plan;
    const std::atomic<bool>* cancelled = nullptr;  // By whoever asked for it.
    int subcompactions = 0;                        // 0: as the options say.
    CompactionJobInfo* info = nullptr;             // To be filled.
  };

  // What CompactManually() runs.
  struct Request {
    Family* family = nullptr;
    const std::atomic<bool>* cancelled = nullptr;
    // Gives nullopt while files are busy, and is not called if `is_done`.
    std::function<Result<std::optional<CompactionPlan>>(const Version&, const BusyFiles&)> pick;
    std::function<bool(const Version&)> is_done;
    int subcompactions = 0;
    CompactionJobInfo* info = nullptr;
    bool pauses = true;  // With the background work.
  };
  Result<bool> CompactManually(const Request& request) EXCLUDES(engine_mutex);

  void StartFlushes() REQUIRES(engine_mutex);
  void StartCompactions() REQUIRES(engine_mutex);
  std::optional<Compaction> PickFor(Family* family) REQUIRES(engine_mutex);
  void MarkInputs(const Compaction& compaction, bool busy) REQUIRES(engine_mutex);
  static OutputRange OutputRangeOf(const Family& family, const CompactionPlan& plan);
  // Its outputs might overlap those of a running compaction: it has to wait.
  bool MeetsRunning(const Family& family, const CompactionPlan& plan) const REQUIRES(engine_mutex);
  // Begin() when a compaction was picked, and the counterpart when it has ended.
  void Begin(const Compaction& compaction) REQUIRES(engine_mutex);
  void End(const Compaction& compaction) REQUIRES(engine_mutex);
  bool AnythingQueued() const REQUIRES(engine_mutex);
  // A closing database flushes what is in no log.
  bool IsPaused(int pauses) const {
    return pauses > 0 && !closing_.load(std::memory_order_relaxed);
  }
  void LookAt(Family* family) REQUIRES(engine_mutex);
  void CountStall(Family* family) REQUIRES(engine_mutex);
  StallState StallOf(const Family& family, const Version& version) const REQUIRES(engine_mutex);
  void JobDone() REQUIRES(engine_mutex);

  // Edits which record that flushed families, except `except`, need no WAL before the current one.
  void AddAdvances(std::optional<ColumnFamilyId> except, uint64_t below,
                   std::vector<VersionEdit>* edits) const REQUIRES(engine_mutex);
  // Adds to them which WALs are needed, by families and for prepared transactions, once the
  // `flushed` oldest immutables of `family` are in tables.
  void AddLogsToKeep(const Family* family, size_t flushed, std::vector<VersionEdit>* edits) const
      REQUIRES(engine_mutex);
  void RunFlushJob(Family* family) EXCLUDES(engine_mutex);
  Status Flush(Family* family) EXCLUDES(engine_mutex);
  Status FlushInto(Family* family, const std::vector<std::shared_ptr<MemTable>>& memtables,
                   uint64_t next_wal, const JobContext& job, JobOutputs* outputs, JobEnd* end)
      EXCLUDES(engine_mutex);
  std::vector<VersionEdit> FlushEdits(const Family& family, size_t flushed, uint64_t next_wal,
                                      const FlushOutcome& outcome) REQUIRES(engine_mutex);
  Status LogOutputs(const VersionLog::MakeEdits& make, const JobContext& job,
                    const JobOutputs& outputs, const std::function<void()>& on_install)
      EXCLUDES(engine_mutex);
  void RunCompactionJob(const std::shared_ptr<Compaction>& compaction) EXCLUDES(engine_mutex);
  Status Compact(const Compaction& compaction) EXCLUDES(engine_mutex);
  Status CompactInto(const Compaction& compaction, JobOutputs* outputs, RemoteOutcome* remote,
                     JobEnd* end) EXCLUDES(engine_mutex);
  // By the service if there is one, otherwise or if it fails here.
  Result<CompactionOutcome> Merge(const Compaction& compaction, const JobContext& job,
                                  RemoteOutcome* remote) EXCLUDES(engine_mutex);
  // What the listener is told.
  static JobFamily NamesOf(const Family& family) {
    return {family.id(), family.name(), family.comparator_name()};
  }
  // The family as the job leaves it: in the step that installs what it made.
  void NoteState(const Family& family, JobEnd* end) const REQUIRES(engine_mutex);
  uint64_t MicrosSince(uint64_t begin_nanos) const;
  Result<VersionEdit> CompactionEdit(const Compaction& compaction, const JobContext& job,
                                     RemoteOutcome* remote) EXCLUDES(engine_mutex);
  void ForgetWals() REQUIRES(engine_mutex);

  EngineContext& context_;
  VersionLog& log_;
  FileGc& gc_;
  WalSet& wals_;
  RemoteCompactions remote_;
  const int flushes_max_;
  const int compactions_max_;
  std::atomic<StallState> stall_{StallState{}};
  std::atomic<int> running_{0};  // Scheduled jobs that have not ended. Written with the mutex held.
  std::atomic<bool> stopping_{false};
  std::atomic<bool> closing_{false};
  std::atomic<uint64_t> jobs_begun_{0};

  int flushes_ GUARDED_BY(engine_mutex) = 0;
  int compactions_ GUARDED_BY(engine_mutex) = 0;
  int manual_compactions_ GUARDED_BY(engine_mutex) = 0;
  int holds_ GUARDED_BY(engine_mutex) = 0;
  // Calls of Pause(): of those that wait and of those that do not any more, and of the latter.
  int compaction_pauses_ GUARDED_BY(engine_mutex) = 0;
  int pauses_ GUARDED_BY(engine_mutex) = 0;
  BusyFiles busy_files_ GUARDED_BY(engine_mutex);
  std::vector<const Compaction*> running_compactions_ GUARDED_BY(engine_mutex);
  StallCounts stalls_ GUARDED_BY(engine_mutex);
  FamilyQueue flush_queue_ GUARDED_BY(engine_mutex);
  // Families that may need a compaction: changed since the picker last had none for them. One that
  // was given a compaction goes to the end, so they take turns.
  FamilyQueue compaction_queue_ GUARDED_BY(engine_mutex);
};

}  // namespace varve
