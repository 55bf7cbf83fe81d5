// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/background.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/flush_job.h"
#include "core/compaction/table_output.h"
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

}  // namespace

Background::Background(EngineContext& context, VersionLog& log, FileGc& gc, WalSet& wals)
    : context_(context),
      log_(log),
      gc_(gc),
      wals_(wals),
      flushes_max_(FlushesMax(context.options)),
      compactions_max_(CompactionsMax(context.options)) {}

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
  family->jobs().flush_queued = true;
  family->jobs().flush_error = Status::Ok();
}

void Background::Reconsider() {
  stall_.store(ComputeWorstStall(), std::memory_order_relaxed);
  if (!stopping_.load(std::memory_order_relaxed) && context_.errors.writable()) {
    StartFlushes();
    StartCompactions();
  }
  context_.changed.NotifyAll();
}

StallState Background::StallOf(const Family& family, const Version& version) const {
  return ComputeStall({.sealed_memtables = family.immutables().size(),
                       .level0_files = version.files(0).size(),
                       .pending_bytes = family.jobs().pending_compaction_bytes},
                      family.options());
}

StallState Background::ComputeWorstStall() {
  StallState worst;
  for (Family* family : context_.families.all()) {
    if (family->dropped() || family->comparator() == nullptr) continue;
    const std::shared_ptr<const Version> version = log_.VersionOf(family->id());
    if (version == nullptr) continue;
    Family::Jobs& jobs = family->jobs();
    if (jobs.pending_bytes_of.lock() != version) {
      jobs.pending_compaction_bytes = EstimatePendingBytes(*version, family->options());
      jobs.pending_bytes_of = version;
    }
    const StallState state = StallOf(*family, *version);
    if (state.kind > worst.kind) worst = state;
  }
  return worst;
}

void Background::RetryFailed(const Concerns& concerns) {
  for (Family* family : context_.families.all()) {
    if (family->dropped() || !concerns(*family)) continue;
    Family::Jobs& jobs = family->jobs();
    jobs.compaction_error = Status::Ok();
    if (!family->immutables().empty() && !jobs.flush_running) QueueFlush(family);
  }
  Reconsider();
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
    if (family->dropped() || family->comparator() == nullptr) continue;
    const std::shared_ptr<const Version> version = log_.VersionOf(family->id());
    if (version == nullptr) continue;
    const StallState stall = StallOf(*family, *version);
    if (stall.kind != StallState::Kind::kStop) continue;
    const bool memtables = stall.cause == StallState::Cause::kMemtables;
    const Family::Jobs& jobs = family->jobs();
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
  return std::any_of(context_.families.all().begin(), context_.families.all().end(),
                     [](const Family* family)
                         REQUIRES(engine_mutex) { return family->jobs().flush_queued; });
}

void Background::StartFlushes() {
  for (Family* family : context_.families.all()) {
    if (flushes_ >= flushes_max_) return;
    Family::Jobs& jobs = family->jobs();
    if (!jobs.flush_queued || jobs.flush_running) continue;
    jobs.flush_queued = false;
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
  const std::span<Family* const> families = context_.families.all();
  for (size_t tried = 0; tried < families.size() && holds_ == 0;) {
    if (compactions_ >= compactions_max_) return;
    Family* family = families[next_family_ % families.size()];
    std::optional<Compaction> picked;
    if (CompactsByItself(*family) && family->jobs().compaction_error.ok()) picked = PickFor(family);
    ++next_family_;
    if (!picked) {
      ++tried;
      continue;
    }
    tried = 0;
    auto compaction = std::make_shared<Compaction>(*std::move(picked));
    Begin(*compaction);
    ++compactions_;
    ++family->jobs().compactions_running;
    running_.fetch_add(1, std::memory_order_relaxed);
    context_.options.env.executor->Schedule(Executor::Lane::kCompaction,
                                            [this, compaction] { RunCompactionJob(compaction); });
  }
}

std::optional<Background::Compaction> Background::PickFor(Family* family) {
  Compaction compaction;
  compaction.family = family;
  compaction.version = log_.VersionOf(family->id());
  if (compaction.version == nullptr) return std::nullopt;
  std::optional<CompactionPlan> plan =
      PickCompaction(*compaction.version, family->options(), busy_files_);
  if (!plan) return std::nullopt;
  compaction.plan = *std::move(plan);
  if (MeetsRunning(compaction)) return std::nullopt;
  return compaction;
}

void Background::MarkInputs(const Compaction& compaction, bool busy) {
  // A file may be in only one compaction at a time: two would both write its entries.
  for (const auto* files : {&compaction.plan.inputs, &compaction.plan.output_overlap}) {
    for (const FilePtr& file : *files) {
      const size_t changed = busy ? static_cast<size_t>(busy_files_.insert(file->number()).second)
                                  : busy_files_.erase(file->number());
      CHECK_OP(changed, ==, 1);
    }
  }
}

void Background::Begin(const Compaction& compaction) {
  CHECK_OP(holds_, ==, 0);
  DCHECK(!MeetsRunning(compaction));
  MarkInputs(compaction, true);
  running_compactions_.push_back(&compaction);
}

void Background::End(const Compaction& compaction) {
  const size_t erased = std::erase(running_compactions_, &compaction);
  CHECK_OP(erased, ==, 1);
}

void Background::JobDone() {
  const int before = running_.fetch_sub(1, std::memory_order_relaxed);
  CHECK(before > 0);
  Reconsider();
}

void Background::RunFlushJob(Family* family) {
  const Status flushed = Flush(family);
  MutexLock lock(context_.mutex());
  Family::Jobs& jobs = family->jobs();
  if (!flushed.ok() && !family->dropped()) {
    jobs.flush_error = flushed.At("flushing column family " + family->name());
  }
  if (flushed.ok()) jobs.compaction_error = Status::Ok();
  CHECK(jobs.flush_running && flushes_ > 0);
  jobs.flush_running = false;
  --flushes_;
  JobDone();
}

Status Background::Flush(Family* family) {
  std::vector<std::shared_ptr<MemTable>> memtables;
  uint64_t next_wal = 0;
  JobContext job;
  {
    MutexLock lock(context_.mutex());
    if (stopping_.load(std::memory_order_relaxed)) return Status::Shutdown("closing");
    RETURN_IF_ERROR(context_.errors.CheckWritable());
    for (const ImmutableMemTable& sealed : family->immutables()) {
      memtables.push_back(sealed.memtable);
      next_wal = sealed.next_wal;
    }
    if (memtables.empty()) return Status::Ok();  // The family was dropped meanwhile.
    job = JobOf(*family);
  }
  const uint64_t begin = context_.clock().NowNanos();
  ASSIGN_OR_RETURN(std::optional<FileDescription> table, RunFlush(job, memtables));
  context_.stats.flush_durations.Record(context_.clock().NowNanos() - begin);
  const uint64_t bytes = table ? table->size : 0;
  std::vector<FileDescription> outputs;
  if (table) outputs.push_back(*table);
  const auto make = [&]() REQUIRES(engine_mutex) { return FlushEdits(*family, next_wal, table); };
  return LogOutputs(make, job, outputs, [&]() REQUIRES(engine_mutex) {
    // Count before waiters can look.
    context_.stats.flushes.Add(1);
    context_.stats.flush_bytes_written.Add(bytes);
    CHECK(family->immutables().front().memtable == memtables.front());  // Still the oldest one.
    family->RemoveFlushed(memtables.size());
    family->Publish(log_.VersionOf(family->id()));
    ForgetWals();
  });
}

Status Background::LogOutputs(const VersionLog::MakeEdits& make, const JobContext& job,
                              const std::vector<FileDescription>& outputs,
                              const std::function<void()>& on_install) {
  Status logged = log_.Log(make, on_install);
  // Refused, e.g. because the family was dropped meanwhile. If the MANIFEST write failed, writes
  // are closed, and the outputs stay because the MANIFEST may name them.
  if (!logged.ok() && context_.errors.writable()) RemoveOutputs(job, outputs);
  return logged;
}

std::vector<VersionEdit> Background::FlushEdits(const Family& family, uint64_t next_wal,
                                                const std::optional<FileDescription>& table) {
  // A number that is too high leaves out writes at the next opening.
  CHECK_OP(next_wal, <=, wals_.present_number());
  const FamilyState* const state = log_.state().families.Find(family.id());
  CHECK(state == nullptr || state->log_number <= next_wal);
  VersionEdit flush;
  flush.family = family.id();
  flush.log_number = next_wal;
  flush.prev_log_number = 0;
  if (table) {
    CHECK_OP(table->largest_sequence, <=, context_.visible.load(std::memory_order_acquire));
    flush.new_files.push_back({0, *table});
    flush.new_files.back().file.epoch = log_.NewEpoch(family.id());
  }
  std::vector<VersionEdit> edits = {std::move(flush)};
  AddAdvances(family.id(), next_wal, &edits);
  return edits;
}

// Without this record, such a family would pin all WALs.
void Background::AddAdvances(std::optional<ColumnFamilyId> except, uint64_t below,
                             std::vector<VersionEdit>* edits) const {
  CHECK_OP(below, <=, wals_.present_number());
  for (const FamilyState& family : log_.state().families.all()) {
    const Family* open = context_.families.Find(family.id);
    if (family.id == except || open->dropped() || !open->AllFlushed()) continue;
    if (family.log_number >= below) continue;
    VersionEdit& advance = edits->emplace_back();
    advance.family = family.id;
    advance.log_number = wals_.present_number();
  }
}

Status Background::AdvanceLogNumbers() {
  std::vector<VersionEdit> edits;
  {
    MutexLock lock(context_.mutex());
    AddAdvances(/*except=*/std::nullopt, wals_.present_number(), &edits);
    if (edits.empty()) ForgetWals();
  }
  if (edits.empty()) {
    gc_.Collect();
    return Status::Ok();
  }
  // Still true then: only the holder of the lead fills memtables, rolls the WAL or drops families.
  return log_.Log([&] { return edits; }, [this]() REQUIRES(engine_mutex) { ForgetWals(); });
}

void Background::ForgetWals() {
  CHECK_OP(log_.state().MinLogToReplay(), <=, wals_.present_number());
  for (uint64_t number : wals_.TakeBelow(log_.state().MinLogToReplay())) {
    gc_.NoteObsoleteWal(number);
  }
}

void Background::RunCompactionJob(const std::shared_ptr<Compaction>& compaction) {
  const Status compacted = Compact(*compaction);
  {
    MutexLock lock(context_.mutex());
    if (!compacted.ok()) MarkInputs(*compaction, false);
    End(*compaction);
    // The inputs are deleted when the last Version or plan that uses them is gone: release, then
    // collect.
    compaction->plan = CompactionPlan();
    compaction->version.reset();
  }
  gc_.Collect();
  MutexLock lock(context_.mutex());
  Family::Jobs& jobs = compaction->family->jobs();
  if (!compacted.ok() && compacted.code() != Code::kShutdown && !compaction->family->dropped()) {
    jobs.compaction_error = compacted.At("compacting column family " + compaction->family->name());
  }
  CHECK(jobs.compactions_running > 0 && compactions_ > 0);
  --jobs.compactions_running;
  --compactions_;
  JobDone();
}

Status Background::Compact(const Compaction& compaction) {
  if (stopping_.load(std::memory_order_relaxed)) return Status::Shutdown("closing");
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  const JobContext job = JobOf(*compaction.family);
  ASSIGN_OR_RETURN(VersionEdit edit, CompactionEdit(compaction, job));
  std::vector<FileDescription> outputs;
  if (!compaction.plan.trivial_move) {
    for (const VersionEdit::NewFile& file : edit.new_files) outputs.push_back(file.file);
  }
  const auto make = [&edit] { return std::vector{edit}; };
  // Once installed, other compactions may take the files: a file that only moved is the same
  // object.
  return LogOutputs(make, job, outputs,
                    [&]() REQUIRES(engine_mutex) { MarkInputs(compaction, false); });
}

Result<VersionEdit> Background::CompactionEdit(const Compaction& compaction,
                                               const JobContext& job) {
  const CompactionPlan& plan = compaction.plan;
  CHECK(plan.output_overlap.empty() || (!plan.trivial_move && !plan.delete_only));
  VersionEdit edit;
  edit.family = compaction.family->id();
  for (const FilePtr& file : plan.inputs) {
    edit.deleted_files.push_back({plan.input_level, file->number()});
    if (plan.trivial_move) edit.new_files.push_back({plan.output_level, file->description});
  }
  if (plan.trivial_move) {
    context_.stats.trivial_moves.Add(1);
    return edit;
  }
  if (plan.delete_only) {
    context_.stats.compactions.Add(1);
    return edit;
  }
  for (const FilePtr& file : plan.output_overlap) {
    edit.deleted_files.push_back({plan.output_level, file->number()});
  }
  const uint64_t begin = context_.clock().NowNanos();
  ASSIGN_OR_RETURN(CompactionOutcome outcome, RunCompaction(job, *compaction.version, plan,
                                                            context_.options.max_subcompactions));
  for (FileDescription& output : outcome.outputs) {
    edit.new_files.push_back({plan.output_level, std::move(output)});
  }
  context_.stats.compaction_durations.Record(context_.clock().NowNanos() - begin);
  context_.stats.compactions.Add(1);
  context_.stats.compaction_bytes_written.Add(outcome.bytes_written);
  return edit;
}

Result<bool> Background::CompactLevel(Family* family, int level, int output_level,
                                      std::optional<std::string_view> begin,
                                      std::optional<std::string_view> end) {
  CHECK_OP(level, <=, output_level);
  Compaction compaction;
  compaction.family = family;
  Status failure;
  bool picked = false;
  context_.WaitUntil([&]() REQUIRES(engine_mutex) {
    failure = context_.errors.CheckWritable();
    if (failure.ok() && stopping_.load(std::memory_order_relaxed)) {
      failure = Status::Shutdown("the database is closing");
    }
    if (!failure.ok()) return true;
    if (holds_ > 0) return false;
    compaction.version = log_.VersionOf(family->id());
    if (compaction.version == nullptr) return true;
    if (compaction.version->Overlapping(level, begin, end).empty()) return true;
    std::optional<CompactionPlan> plan = PickManualCompaction(
        *compaction.version, family->options(), busy_files_, level, output_level, begin, end);
    // Busy: the compaction that holds the files will finish.
    if (!plan) return !CompactionsRunning();
    compaction.plan = *std::move(plan);
    if (MeetsRunning(compaction)) return false;
    Begin(compaction);
    ++manual_compactions_;
    picked = true;
    return true;
  });
  RETURN_IF_ERROR(failure);
  if (!picked) return false;
  const Status compacted = Compact(compaction);
  {
    MutexLock lock(context_.mutex());
    if (!compacted.ok()) MarkInputs(compaction, false);
    End(compaction);
    --manual_compactions_;
    Reconsider();
  }
  compaction = Compaction();
  gc_.Collect();
  RETURN_IF_ERROR(compacted);
  return true;
}

void Background::HoldCompactions() {
  MutexLock lock(context_.mutex());
  ++holds_;
}

void Background::ReleaseCompactions() {
  MutexLock lock(context_.mutex());
  CHECK(holds_ > 0);
  --holds_;
  Reconsider();
}

Background::OutputRange Background::OutputRangeOf(const Compaction& compaction) {
  const Comparator& order = *compaction.family->comparator();
  OutputRange range{.level = compaction.plan.output_level, .begin = {}, .end = {}};
  bool any = false;
  for (const auto* files : {&compaction.plan.inputs, &compaction.plan.output_overlap}) {
    for (const FilePtr& file : *files) {
      const std::string_view first = file->smallest.user_key, last = file->largest.user_key;
      if (!any || order.Compare(first, range.begin) < 0) range.begin = first;
      if (!any || order.Compare(last, range.end) > 0) range.end = last;
      any = true;
    }
  }
  CHECK(any);
  return range;
}

// An output table may span keys between the inputs, and overlap a table of another job there. (In
// level 0 overlap is allowed.)
bool Background::MeetsRunning(const Compaction& compaction) const {
  if (compaction.plan.output_level == 0) return false;
  const Comparator& order = *compaction.family->comparator();
  const OutputRange range = OutputRangeOf(compaction);
  return std::any_of(running_compactions_.begin(), running_compactions_.end(),
                     [&](const Compaction* running) {
                       if (running->family != compaction.family ||
                           running->plan.output_level != compaction.plan.output_level) {
                         return false;
                       }
                       const OutputRange other = OutputRangeOf(*running);
                       return order.Compare(range.begin, other.end) <= 0 &&
                              order.Compare(other.begin, range.end) <= 0;
                     });
}

std::vector<Background::OutputRange> Background::RunningOutputs(const Family& family) const {
  MutexLock lock(context_.mutex());
  std::vector<OutputRange> ranges;
  for (const Compaction* compaction : running_compactions_) {
    if (compaction->family == &family) ranges.push_back(OutputRangeOf(*compaction));
  }
  return ranges;
}

void Background::EndStalls() {
  MutexLock lock(context_.mutex());
  closing_.store(true, std::memory_order_relaxed);
  context_.changed.NotifyAll();
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
