// SPDX-License-Identifier: Apache-2.0
// Flushes, and which WALs nobody needs after them.
#include <algorithm>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/blob_output.h"
#include "core/compaction/table_output.h"
#include "core/engine/jobs/background.h"

namespace varve {

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
  context_.changed_families.Push(family);
  --flushes_;
  JobDone();
}

Status Background::Flush(Family* family) {
  std::vector<std::shared_ptr<MemTable>> memtables;
  uint64_t next_wal = 0;
  FlushReason reason = FlushReason::kMemTableFull;  // Of the newest.
  JobContext job;
  {
    MutexLock lock(context_.mutex());
    if (stopping_.load(std::memory_order_relaxed)) return Status::Shutdown("closing");
    RETURN_IF_ERROR(context_.errors.CheckWritable());
    for (const ImmutableMemTable& sealed : family->immutables()) {
      memtables.push_back(sealed.memtable);
      next_wal = sealed.next_wal;
      reason = sealed.reason;
    }
    if (memtables.empty()) return Status::Ok();  // The family was dropped meanwhile.
    job = JobOf(*family);
  }
  const uint64_t begin = context_.clock().NowNanos();
  JobListener* const listener = context_.listener;
  const uint64_t number = jobs_begun_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (listener != nullptr) listener->OnFlushBegin(number, NamesOf(*family), memtables, reason);
  JobOutputs outputs;
  JobEnd end;
  Status flushed = FlushInto(family, memtables, next_wal, job, &outputs, &end);
  if (listener != nullptr) {
    end.status = flushed;
    end.micros = MicrosSince(begin);
    end.outputs = outputs.tables;
    listener->OnEnd(number, NamesOf(*family), end);
  }
  return flushed;
}

Status Background::FlushInto(Family* family,
                             const std::vector<std::shared_ptr<MemTable>>& memtables,
                             uint64_t next_wal, const JobContext& job, JobOutputs* outputs,
                             JobEnd* end) {
  const uint64_t begin = context_.clock().NowNanos();
  ASSIGN_OR_RETURN(const FlushOutcome outcome, RunFlush(job, memtables));
  context_.stats.flush_durations.Record(context_.clock().NowNanos() - begin);
  uint64_t bytes = outcome.table ? outcome.table->size : 0;
  for (const BlobFileAddition& blob : outcome.blobs) bytes += blob.bytes;
  if (outcome.table) outputs->tables.push_back(*outcome.table);
  outputs->blobs = outcome.blobs;
  const auto make = [&]() REQUIRES(engine_mutex) {
    return FlushEdits(*family, memtables.size(), next_wal, outcome);
  };
  return LogOutputs(make, job, *outputs, [&]() REQUIRES(engine_mutex) {
    // Count before waiters can look.
    context_.stats.flushes.Add(1);
    context_.stats.flush_bytes_written.Add(bytes);
    CHECK(family->immutables().front().memtable == memtables.front(),
          "the memtables that were flushed are still the oldest ones");
    family->RemoveFlushed(memtables.size());
    family->Publish(log_.VersionOf(family->id()));
    NoteState(*family, end);
    ForgetWals();
  });
}

Status Background::LogOutputs(const VersionLog::MakeEdits& make, const JobContext& job,
                              const JobOutputs& outputs, const std::function<void()>& on_install) {
  Status logged = log_.Log(make, on_install);
  // Refused, e.g. because the family was dropped meanwhile. If the MANIFEST write failed, writes
  // are closed, and the outputs stay because the MANIFEST may name them.
  if (!logged.ok() && context_.errors.writable()) {
    RemoveOutputs(job, outputs.tables);
    RemoveBlobFiles(job, outputs.blobs);
  }
  return logged;
}

std::vector<VersionEdit> Background::FlushEdits(const Family& family, size_t flushed,
                                                uint64_t next_wal, const FlushOutcome& outcome) {
  CHECK_OP(next_wal, <=, wals_.present_number(),
           "a number that is too high leaves out writes at the next opening");
  const FamilyState* const state = log_.state().families.Find(family.id());
  CHECK(state == nullptr || state->log_number <= next_wal);
  VersionEdit flush;
  flush.family = family.id();
  flush.log_number = next_wal;
  flush.prev_log_number = 0;
  if (const std::optional<FileDescription>& table = outcome.table) {
    CHECK_OP(table->largest_sequence, <=, context_.visible.load(std::memory_order_acquire));
    flush.new_files.push_back({0, *table});
    flush.new_files.back().file.epoch = log_.NewEpoch(family.id());
  }
  flush.blob_additions = outcome.blobs;
  std::vector<VersionEdit> edits = {std::move(flush)};
  AddAdvances(family.id(), next_wal, &edits);
  AddLogsToKeep(&family, flushed, &edits);
  return edits;
}

void Background::AddLogsToKeep(const Family* family, size_t flushed,
                               std::vector<VersionEdit>* edits) const {
  const uint64_t kept = log_.state().counters.min_log_number_to_keep;
  CHECK(kept > 0, "Recovery::WriteManifest() sets it");
  std::map<ColumnFamilyId, uint64_t> advanced;
  for (const VersionEdit& edit : *edits) {
    uint64_t& number = advanced[edit.family];
    number = std::max(number, edit.log_number.value_or(0));
  }
  uint64_t keep = wals_.present_number();
  for (const FamilyState& state : log_.state().families.all()) {
    const auto to = advanced.find(state.id);
    keep = std::min(keep, std::max(state.log_number, to == advanced.end() ? 0 : to->second));
    const Family* const open = context_.families.Find(state.id);
    if (open->dropped()) continue;
    keep = OlderWal(keep, open->OldestPreparedIn(open == family ? flushed : 0));
  }
  keep = OlderWal(keep, context_.prepared.OldestWal());
  if (keep <= kept) return;
  if (edits->empty()) edits->emplace_back().family = kDefaultColumnFamilyId;
  edits->front().min_log_number_to_keep = keep;
}

// Without this record, such a family would pin all WALs.
void Background::AddAdvances(std::optional<ColumnFamilyId> except, uint64_t below,
                             std::vector<VersionEdit>* edits) const {
  CHECK_OP(below, <=, wals_.present_number());
  for (const FamilyState& family : log_.state().families.all()) {
    if (family.id == except || family.log_number >= below) continue;
    const Family* open = context_.families.Find(family.id);
    if (open->dropped() || !open->AllFlushed()) continue;
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
    AddLogsToKeep(/*family=*/nullptr, /*flushed=*/0, &edits);
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
  const uint64_t needed = log_.state().families.MinLogNumber();
  for (uint64_t number : wals_.TakeBelow(log_.state().MinLogToReplay(), needed)) {
    gc_.NoteObsoleteWal(number);
  }
}

}  // namespace varve
