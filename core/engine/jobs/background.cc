// SPDX-License-Identifier: Apache-2.0
// When jobs run: what is due, the stall, starting and stopping. Running them: background_flush.cc,
// background_compaction.cc.
#include "core/engine/jobs/background.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/universal_picker.h"
#include "core/engine/jobs/job_for.h"

namespace varve {
namespace {

// A quarter of the jobs are for flushes, as in RocksDB: they are short and writers wait for them.
int FlushesMax(const Options& options) { return std::max(1, options.max_background_jobs / 4); }
int CompactionsMax(const Options& options) {
  return std::max(1, options.max_background_jobs - FlushesMax(options));
}

bool CompactsByItself(const Family& family) {
  return !family.dropped() && family.comparator() != nullptr &&
         !family.options().disable_auto_compactions &&
         family.options().compaction_style != CompactionStyle::kNone;
}

// What the triggers of level 0 count.
size_t RunsToStall(const ColumnFamilyOptions& options, const Version& version) {
  return options.compaction_style == CompactionStyle::kUniversal ? CountSortedRuns(version)
                                                                 : version.files(0).size();
}

}  // namespace

Background::Background(EngineContext& context, VersionLog& log, FileGc& gc, WalSet& wals)
    : context_(context),
      log_(log),
      gc_(gc),
      wals_(wals),
      remote_(context),
      flushes_max_(FlushesMax(context.options)),
      compactions_max_(CompactionsMax(context.options)) {
  MutexLock lock(context_.mutex());
  for (Family* family : context_.families.all()) context_.changed_families.Push(family);
}

JobContext Background::JobOf(const Family& family) const {
  JobContext job = JobFor(context_, family);
  job.bytes_read = &context_.stats.compaction_bytes_read;
  job.new_file_number = [this] { return log_.NewFileNumber(); };
  job.cancelled = [this] {
    return stopping_.load(std::memory_order_relaxed) || !context_.errors.writable();
  };
  return job;
}

void Background::QueueFlush(Family* family) {
  CHECK(!family->immutables().empty());
  flush_queue_.Push(family);
  context_.changed_families.Push(family);
  family->jobs().flush_error = Status::Ok();
}

void Background::Reconsider() {
  while (!context_.changed_families.empty()) LookAt(context_.changed_families.Pop());
  stall_.store(stalls_.Worst(), std::memory_order_relaxed);
  if (!stopping_.load(std::memory_order_relaxed) && context_.errors.writable()) {
    StartFlushes();
    StartCompactions();
  }
  context_.changed.NotifyAll();
}

StallState Background::StallOf(const Family& family, const Version& version) const {
  return ComputeStall({.sealed_memtables = family.immutables().size(),
                       .level0_files = RunsToStall(family.options(), version),
                       .pending_bytes = family.jobs().pending_compaction_bytes},
                      family.options());
}

void Background::LookAt(Family* family) {
  CountStall(family);
  if (CompactsByItself(*family)) compaction_queue_.Push(family);
}

void Background::CountStall(Family* family) {
  Family::Jobs& jobs = family->jobs();
  StallState stall;
  const std::shared_ptr<const Version> version = log_.VersionOf(family->id());
  if (!family->dropped() && family->comparator() != nullptr && version != nullptr) {
    if (jobs.pending_bytes_of.lock() != version) {
      jobs.pending_compaction_bytes = EstimatePendingBytes(*version, family->options());
      jobs.pending_bytes_of = version;
    }
    stall = StallOf(*family, *version);
  }
  stalls_.Replace(std::exchange(jobs.stall, stall), stall);
}

void Background::RetryFailed(const Concerns& concerns) {
  for (Family* family : context_.families.all()) {
    if (family->dropped() || !concerns(*family)) continue;
    Family::Jobs& jobs = family->jobs();
    jobs.compaction_error = Status::Ok();
    context_.changed_families.Push(family);
    if (!family->immutables().empty() && !jobs.flush_running) QueueFlush(family);
  }
  Reconsider();
}

void Background::NoteState(const Family& family, JobEnd* end) const {
  end->sealed_memtables = family.immutables().size();
  const std::shared_ptr<const Version> version = log_.VersionOf(family.id());
  for (int level = 0; version != nullptr && level < version->num_levels(); ++level) {
    end->files_in_levels.push_back(version->files(level).size());
  }
}

uint64_t Background::MicrosSince(uint64_t begin_nanos) const {
  constexpr uint64_t kNanosPerMicro = 1000;
  return (context_.clock().NowNanos() - begin_nanos) / kNanosPerMicro;
}

Status Background::CheckRunning() const {
  return stopping_.load(std::memory_order_relaxed) ? Status::Shutdown("the database is closing")
                                                   : Status::Ok();
}

Status Background::StallFailure(const Concerns& concerns, bool* may_go_on) const {
  *may_go_on = false;
  // A stopped writer holds the lead, which Close() waits for.
  if (closing_.load(std::memory_order_relaxed)) return Status::Shutdown("the database is closing");
  bool ends_by_itself = false;
  for (const Family* family : context_.families.all()) {
    const Family::Jobs& jobs = family->jobs();
    if (jobs.stall.kind != StallState::Kind::kStop) continue;
    const bool memtables = jobs.stall.cause == StallState::Cause::kMemtables;
    const Status& failure = memtables ? jobs.flush_error : jobs.compaction_error;
    if (failure.ok()) {
      ends_by_itself = true;
    } else if (concerns(*family)) {
      return failure;
    }
  }
  *may_go_on = !ends_by_itself;
  return Status::Ok();
}

Status Background::Failure() const {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  for (const Family* family : context_.families.all()) {
    if (family->dropped()) continue;
    RETURN_IF_ERROR(family->jobs().flush_error);
    RETURN_IF_ERROR(family->jobs().compaction_error);
  }
  return Status::Ok();
}

bool Background::AnythingQueued() const {
  if (stopping_.load(std::memory_order_relaxed) || !context_.errors.writable()) return false;
  return !flush_queue_.empty();
}

void Background::StartFlushes() {
  if (IsPaused(pauses_)) return;
  for (size_t left = flush_queue_.size(); left > 0 && flushes_ < flushes_max_; --left) {
    Family* const family = flush_queue_.Pop();
    Family::Jobs& jobs = family->jobs();
    if (jobs.flush_running) {
      flush_queue_.Push(family);  // Its turn comes when that one has ended.
      continue;
    }
    if (family->immutables().empty()) continue;
    jobs.flush_running = true;
    // An earlier error no longer applies; the outcome of this attempt is still unknown.
    jobs.flush_error = Status::Ok();
    ++flushes_;
    running_.fetch_add(1, std::memory_order_relaxed);
    context_.options.env.executor->Schedule(Executor::Lane::kFlush,
                                            [this, family] { RunFlushJob(family); });
  }
}

void Background::StartCompactions() {
  if (IsPaused(compaction_pauses_)) return;
  while (holds_ == 0 && compactions_ < compactions_max_ && !compaction_queue_.empty()) {
    Family* const family = compaction_queue_.Pop();
    if (!CompactsByItself(*family) || !family->jobs().compaction_error.ok()) continue;
    std::optional<Compaction> picked = PickFor(family);
    if (!picked) continue;
    compaction_queue_.Push(family);  // There may be more to do.
    auto compaction = std::make_shared<Compaction>(*std::move(picked));
    Begin(*compaction);
    ++compactions_;
    ++family->jobs().compactions_running;
    running_.fetch_add(1, std::memory_order_relaxed);
    context_.options.env.executor->Schedule(Executor::Lane::kCompaction,
                                            [this, compaction] { RunCompactionJob(compaction); });
  }
}

void Background::JobDone() {
  const int before = running_.fetch_sub(1, std::memory_order_relaxed);
  CHECK(before > 0);
  Reconsider();
}

void Background::EndStalls() {
  MutexLock lock(context_.mutex());
  closing_.store(true, std::memory_order_relaxed);
  Reconsider();  // A pause has ended, too.
}

Status Background::Pause() {
  {
    MutexLock lock(context_.mutex());
    ++compaction_pauses_;
  }
  bool closing = false;
  context_.WaitUntil([&]() REQUIRES(engine_mutex) {
    closing = closing_.load(std::memory_order_relaxed);
    if (!closing && (HasWork() || manual_compactions_ > 0)) return false;
    ++pauses_;
    return true;
  });
  return closing ? Status::Shutdown("the database is closing") : Status::Ok();
}

Status Background::Continue() {
  MutexLock lock(context_.mutex());
  if (pauses_ == 0) return Status::InvalidArgument("Background work already unpaused");
  --compaction_pauses_;
  --pauses_;
  Reconsider();
  return Status::Ok();
}

void Background::Stop() {
  {
    MutexLock lock(context_.mutex());
    closing_.store(true, std::memory_order_relaxed);
    stopping_.store(true, std::memory_order_relaxed);
    context_.changed.NotifyAll();
  }
  context_.WaitUntil([&]()
                         REQUIRES(engine_mutex) { return !HasWork() && manual_compactions_ == 0; });
  MutexLock lock(context_.mutex());
  CHECK(flushes_ == 0 && compactions_ == 0 && running_compactions_.empty());
}

}  // namespace varve
