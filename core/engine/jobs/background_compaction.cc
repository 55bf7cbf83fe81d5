// SPDX-License-Identifier: Apache-2.0
// Compactions: which one is next, what they may not touch at once, and running one.
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/base/try.h"
#include "core/compaction/chosen_files.h"
#include "core/compaction/table_path.h"
#include "core/compaction/universal_picker.h"
#include "core/engine/jobs/background.h"
#include "core/engine/jobs/compaction_info.h"

namespace varve {
namespace {

bool IsCancelled(const std::atomic<bool>* cancelled) {
  return cancelled != nullptr && cancelled->load(std::memory_order_relaxed);
}

}  // namespace

std::optional<Background::Compaction> Background::PickFor(Family* family) {
  Compaction compaction;
  compaction.family = family;
  compaction.version = log_.VersionOf(family->id());
  if (compaction.version == nullptr) return std::nullopt;
  std::optional<CompactionPlan> plan =
      PickCompaction(*compaction.version, family->options(), busy_files_);
  if (!plan) return std::nullopt;
  compaction.plan = *std::move(plan);
  if (MeetsRunning(*family, compaction.plan)) return std::nullopt;
  return compaction;
}

void Background::MarkInputs(const Compaction& compaction, bool busy) {
  // A file may be in only one compaction at a time: two would both write its entries.
  for (const auto& [level, file] : InputsOf(compaction.plan)) {
    const size_t changed = busy ? static_cast<size_t>(busy_files_.insert(file->number()).second)
                                : busy_files_.erase(file->number());
    CHECK_OP(changed, ==, 1);
  }
}

void Background::Begin(const Compaction& compaction) {
  CHECK_OP(holds_, ==, 0);
  DCHECK(!MeetsRunning(*compaction.family, compaction.plan));
  MarkInputs(compaction, true);
  running_compactions_.push_back(&compaction);
}

void Background::End(const Compaction& compaction) {
  const size_t erased = std::erase(running_compactions_, &compaction);
  CHECK_OP(erased, ==, 1);
  // Its files, and the keys between them, are free for others.
  context_.changed_families.Push(compaction.family);
}

Background::OutputRange Background::OutputRangeOf(const Family& family,
                                                  const CompactionPlan& plan) {
  const ClosedKeyRange range = RangeOf(*family.comparator(), plan);
  return {
      .level = plan.output_level, .begin = std::string(range.begin), .end = std::string(range.end)};
}

bool Background::OutputRange::Meets(const Comparator& order, std::string_view smallest,
                                    std::string_view largest) const {
  return CompareIgnoringTimestamps(order, begin, largest) <= 0 &&
         CompareIgnoringTimestamps(order, smallest, end) <= 0;
}

// An output table may span keys between the inputs, and overlap a table of another job there. (In
// level 0 overlap is allowed.)
bool Background::MeetsRunning(const Family& family, const CompactionPlan& plan) const {
  if (plan.output_level == 0) return false;
  const Comparator& order = *family.comparator();
  const OutputRange range = OutputRangeOf(family, plan);
  return std::any_of(
      running_compactions_.begin(), running_compactions_.end(), [&](const Compaction* running) {
        if (running->family != &family || running->plan.output_level != plan.output_level) {
          return false;
        }
        return OutputRangeOf(family, running->plan).Meets(order, range.begin, range.end);
      });
}

std::vector<Background::OutputRange> Background::RunningOutputs(const Family& family) const {
  MutexLock lock(context_.mutex());
  std::vector<OutputRange> ranges;
  for (const Compaction* compaction : running_compactions_) {
    if (compaction->family == &family) ranges.push_back(OutputRangeOf(family, compaction->plan));
  }
  return ranges;
}

std::vector<RunningCompaction> Background::RunningCompactions(const Family& family) const {
  std::vector<RunningCompaction> all;
  for (const Compaction* compaction : running_compactions_) {
    if (compaction->family != &family) continue;
    OutputRange range = OutputRangeOf(family, compaction->plan);
    RunningCompaction& running = all.emplace_back();
    running.output_level = range.level;
    running.smallest = std::move(range.begin);
    running.largest = std::move(range.end);
    for (const auto& [level, file] : InputsOf(compaction->plan)) {
      running.inputs.push_back(file->number());
    }
  }
  return all;
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
  const uint64_t begin = context_.clock().NowNanos();
  JobListener* const listener = context_.listener;
  const uint64_t number = jobs_begun_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (listener != nullptr) {
    listener->OnCompactionBegin(number, NamesOf(*compaction.family), compaction.plan);
  }
  JobOutputs outputs;
  RemoteOutcome remote;
  JobEnd end;
  Status compacted = CompactInto(compaction, &outputs, &remote, &end);
  end.status = compacted;
  end.micros = MicrosSince(begin);
  end.compaction = &compaction.plan;
  end.outputs = outputs.tables;
  end.remote = remote.done;
  end.remote_failure = remote.failure;
  if (listener != nullptr) listener->OnEnd(number, NamesOf(*compaction.family), end);
  if (compaction.info != nullptr && compacted.ok()) {
    *compaction.info = DescribeCompaction(number, *compaction.family, end, outputs.blobs,
                                          outputs.blob_garbage, context_.directory);
  }
  return compacted;
}

Status Background::CompactInto(const Compaction& compaction, JobOutputs* outputs,
                               RemoteOutcome* remote, JobEnd* end) {
  JobContext job = JobOf(*compaction.family);
  job.path_id = compaction.plan.output_path;
  job.table_directory = DirectoryOfPath(job.options, job.path_id, context_.directory);
  job.cancelled = [closing = std::move(job.cancelled), cancelled = compaction.cancelled] {
    return closing() || IsCancelled(cancelled);
  };
  ASSIGN_OR_RETURN(VersionEdit edit, CompactionEdit(compaction, job, remote));
  if (!compaction.plan.trivial_move) {
    for (const VersionEdit::NewFile& file : edit.new_files) outputs->tables.push_back(file.file);
  }
  outputs->blobs = edit.blob_additions;
  outputs->blob_garbage = edit.blob_garbage;
  const auto make = [&edit] { return std::vector{edit}; };
  // Once installed, other compactions may take the files: a file that only moved is the same
  // object.
  return LogOutputs(make, job, *outputs, [&]() REQUIRES(engine_mutex) {
    MarkInputs(compaction, false);
    NoteState(*compaction.family, end);
  });
}

Result<CompactionOutcome> Background::Merge(const Compaction& compaction, const JobContext& job,
                                            RemoteOutcome* remote) {
  if (remote_.Takes(compaction.plan)) {
    Result<CompactionOutcome> outcome =
        remote_.Run(job, *compaction.version, compaction.plan, remote);
    if (outcome.ok() || !remote->fall_back) return outcome;
  }
  const int subcompactions = compaction.subcompactions > 0 ? compaction.subcompactions
                                                           : context_.options.max_subcompactions;
  return RunCompaction(job, *compaction.version, compaction.plan, subcompactions);
}

Result<VersionEdit> Background::CompactionEdit(const Compaction& compaction, const JobContext& job,
                                               RemoteOutcome* remote) {
  const CompactionPlan& plan = compaction.plan;
  CHECK(plan.output_overlap.empty() || (!plan.trivial_move && !plan.delete_only));
  VersionEdit edit;
  edit.family = compaction.family->id();
  for (const auto& [level, file] : InputsOf(plan)) {
    edit.deleted_files.push_back({level, file->number()});
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
  const uint64_t begin = context_.clock().NowNanos();
  ASSIGN_OR_RETURN(CompactionOutcome outcome, Merge(compaction, job, remote));
  for (FileDescription& output : outcome.outputs) {
    edit.new_files.push_back({plan.output_level, std::move(output)});
  }
  edit.blob_additions = std::move(outcome.blobs);
  edit.blob_garbage = std::move(outcome.garbage);
  context_.stats.compaction_durations.Record(context_.clock().NowNanos() - begin);
  context_.stats.compactions.Add(1);
  context_.stats.compaction_bytes_written.Add(outcome.bytes_written);
  return edit;
}

Result<bool> Background::CompactLevel(const CompactRangeOptions& options, Family* family, int level,
                                      int output_level, std::optional<std::string_view> begin,
                                      std::optional<std::string_view> end) {
  CHECK_OP(level, <=, output_level);
  return CompactManually(
      {.family = family,
       .cancelled = options.cancelled,
       .pick =
           [&](const Version& version, const BusyFiles& busy) {
             return PickManualCompaction(version, family->options(), busy, level, output_level,
                                         begin, end);
           },
       .is_done =
           [&](const Version& version) { return version.Overlapping(level, begin, end).empty(); }});
}

Result<bool> Background::CompactRuns(const CompactRangeOptions& options, Family* family,
                                     std::optional<std::string_view> begin,
                                     std::optional<std::string_view> end) {
  const auto touches = [&](const Version& version) {
    for (int level = 0; level < version.num_levels(); ++level) {
      if (!version.Overlapping(level, begin, end).empty()) return true;
    }
    return false;
  };
  return CompactManually(
      {.family = family,
       .cancelled = options.cancelled,
       .pick = [&](const Version& version,
                   const BusyFiles& busy) { return PickAllRuns(version, family->options(), busy); },
       .is_done =
           [&](const Version& version) {
             if (!touches(version)) return true;
             const int last = version.num_levels() - 1;
             if (CountSortedRuns(version) > 1 || version.files(last).empty()) return false;
             // The table of an only level is rewritten here if that is wanted, others by
             // RewriteLevel().
             return last > 0 || !options.force_bottommost;
           }});
}

Status Background::CompactFiles(const CompactFilesOptions& options, Family* family,
                                std::span<const std::string> names, int output_level,
                                CompactionJobInfo* info) {
  const auto plan = [&](const Version& version, const BusyFiles& busy)
                        REQUIRES(engine_mutex) -> Result<std::optional<CompactionPlan>> {
    ASSIGN_OR_RETURN(CompactionPlan chosen, PlanChosenFiles(version, family->options(), busy, names,
                                                            output_level, options));
    if (MeetsRunning(*family, chosen)) {
      return Status::Busy("a running compaction writes to level " + std::to_string(output_level) +
                          " in an overlapping range of keys");
    }
    return std::optional(std::move(chosen));
  };
  ASSIGN_OR_RETURN(const bool compacted,
                   CompactManually({.family = family,
                                    .cancelled = options.cancelled,
                                    .pick = plan,
                                    .is_done = [](const Version& /*version*/) { return false; },
                                    .subcompactions = options.max_subcompactions,
                                    .info = info,
                                    .pauses = false}));
  return compacted ? Status::Ok() : Status::InvalidArgument("the family was dropped");
}

Result<bool> Background::CompactManually(const Request& request) {
  const Status ended = Status::Shutdown("the compaction was cancelled");
  Compaction compaction;
  compaction.family = request.family;
  compaction.cancelled = request.cancelled;
  compaction.subcompactions = request.subcompactions;
  compaction.info = request.info;
  Status failure;
  bool picked = false;
  context_.WaitUntil([&]() REQUIRES(engine_mutex) {
    failure = context_.errors.CheckWritable();
    if (failure.ok() && stopping_.load(std::memory_order_relaxed)) {
      failure = Status::Shutdown("the database is closing");
    }
    if (failure.ok() && IsCancelled(request.cancelled)) failure = ended;
    if (!failure.ok()) return true;
    if (holds_ > 0 || (request.pauses && IsPaused(compaction_pauses_))) return false;
    compaction.version = log_.VersionOf(request.family->id());
    if (compaction.version == nullptr) return true;
    if (request.is_done(*compaction.version)) return true;
    Result<std::optional<CompactionPlan>> plan = request.pick(*compaction.version, busy_files_);
    failure = plan.status();
    if (!failure.ok()) return true;
    // Busy: the compaction that holds the files will finish.
    if (!*plan) return !CompactionsRunning();
    compaction.plan = **std::move(plan);
    if (MeetsRunning(*request.family, compaction.plan)) return false;
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
  if (compacted.code() == Code::kShutdown && IsCancelled(request.cancelled)) return ended;
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

}  // namespace varve
