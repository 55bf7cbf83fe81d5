// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/write_path.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/engine/write/batch_insert.h"
#include "core/format/log/write_batch_format.h"

namespace varve {
namespace {

// With less to insert, waking other threads costs more than it saves.
constexpr uint64_t kParallelInsertBytesMin = 64 << 10;

// Groups that one leader commits, including its own.
constexpr int kTurnsMax = 4;

bool IsFull(const Family& family) REQUIRES(write_lead) {
  const MemTable* const memtable = family.memtable_to_fill();
  return memtable != nullptr && !memtable->empty() &&
         memtable->MemoryUsage() >= family.options().write_buffer_size;
}

Background::Concerns FamiliesWrittenBy(const WriteBatch& batch) {
  return [families = FamiliesOf(batch.bytes())](const Family& family) {
    return std::binary_search(families.begin(), families.end(), family.id());
  };
}

bool HasRecordOfItsOwn(const WriteQueue::Writer* writer) { return writer->record != nullptr; }

WriteBatch* RecordOf(const WriteQueue::Writer& writer) {
  return writer.record == nullptr ? writer.batch : writer.record;
}

uint64_t BytesOf(const std::vector<WriteQueue::Writer*>& group) {
  uint64_t bytes = 0;
  for (const WriteQueue::Writer* writer : group) bytes += writer->batch->bytes().size();
  return bytes;
}

}  // namespace

WritePath::WritePath(EngineContext& context, VersionLog& log, Background& background, WalSet& wals)
    : context_(context),
      log_(log),
      background_(background),
      wals_(wals),
      throttle_(context.options.delayed_write_rate) {}

WritePath::Lead::Lead(WritePath& path) : path_(path) {
  CHECK(path_.queue_.Join(&writer_) == WriteQueue::Role::kLeads);
}

WritePath::Lead::~Lead() { path_.queue_.Finish(&writer_, writer_, /*keep=*/false); }

Status WritePath::Write(const WriteOptions& options, WriteBatch* batch) {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  if (batch->bytes().empty()) batch->Clear();  // A moved-from batch has no changes.
  BatchSummary summary;
  RETURN_IF_ERROR(CheckBatch(*batch, context_.families, &summary));
  if (options.no_slowdown) RETURN_IF_ERROR(CheckNotHeldUp(*batch));
  WriteQueue::Writer writer;
  writer.batch = batch;
  writer.options = options;
  writer.user_bytes = summary.user_bytes;
  writer.only_family = summary.only_family;
  return Run(&writer);
}

Status WritePath::Run(WriteQueue::Writer* writer) {
  WriteQueue::Role role = queue_.Join(writer);
  if (role == WriteQueue::Role::kHelps) {
    WriteQueue::AssertHelps(*writer);
    InsertBatch(writer->batch->bytes(), writer->first_sequence, context_.families);
    role = queue_.HelpDone(writer);
  }
  CHECK(role == WriteQueue::Role::kLeads || role == WriteQueue::Role::kDone);
  if (role == WriteQueue::Role::kLeads) ServeLine(writer);
  // Without threads, writers run the background work.
  if (background_.HasWork()) context_.options.env.executor->RunOneWhileWaiting();
  return writer->status;
}

void WritePath::ServeLine(WriteQueue::Writer* own) {
  WriteQueue::Writer* first = own;
  for (int turn = 1; first != nullptr; ++turn) {
    WriteQueue::AssertLeads(*first);
    if (Status room = MakeRoom(*first); room.ok()) {
      // If stopped by others' families, the writers in line may be writing to those.
      const bool stopped = background_.stall().kind == StallState::Kind::kStop;
      const std::vector<WriteQueue::Writer*>& group =
          stopped ? queue_.TakeAlone(first) : queue_.TakeGroup(first);
      const Status committed = CommitGroup(group);
      for (WriteQueue::Writer* member : group) member->status = committed;
    } else {
      first->status = std::move(room);
    }
    // Hand over leadership during stalls.
    const bool keep = turn < kTurnsMax && background_.stall().kind == StallState::Kind::kNone;
    first = queue_.Finish(first, *own, keep);
  }
}

Status WritePath::MakeRoom(const WriteQueue::Writer& first) {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  if (switch_due_) RETURN_IF_ERROR(SwitchFull());
  const StallState stall = background_.stall();
  if (stall.kind == StallState::Kind::kNone) return Status::Ok();
  if (first.options.no_slowdown) return CheckNotHeldUp(*first.batch);
  if (stall.kind == StallState::Kind::kStop) RETURN_IF_ERROR(AwaitEndOfStop(*first.batch));
  return context_.errors.CheckWritable();
}

Status WritePath::CheckNotHeldUp(const WriteBatch& batch) const {
  const StallState stall = background_.stall();
  if (stall.kind == StallState::Kind::kNone) return Status::Ok();
  bool may_go_on = false;
  if (stall.kind == StallState::Kind::kStop) {
    MutexLock lock(context_.mutex());
    background_.StallFailure(FamiliesWrittenBy(batch), &may_go_on)
        .Ignore("a write that does not wait is told only that it would have to");
  }
  if (may_go_on) return Status::Ok();
  return Status::Busy("writes are slowed down by " + std::string(StallCauseName(stall.cause)));
}

Status WritePath::AwaitEndOfStop(const WriteBatch& batch) {
  context_.stats.stalls.Add(1);
  const uint64_t start = context_.clock().NowMicros();
  const Background::Concerns writes_to = FamiliesWrittenBy(batch);
  {
    // A failed flush, e.g. for lack of space, is retried by the writer that needs it.
    MutexLock lock(context_.mutex());
    background_.RetryFailed(writes_to);
  }
  Status failure;
  context_.WaitUntil([&]() REQUIRES(engine_mutex) {
    if (background_.stall().kind != StallState::Kind::kStop) return true;
    failure = context_.errors.CheckWritable();
    bool may_go_on = false;
    if (failure.ok()) failure = background_.StallFailure(writes_to, &may_go_on);
    return may_go_on || !failure.ok();
  });
  context_.stats.stall_micros.Add(context_.clock().NowMicros() - start);
  return failure;
}

void WritePath::SlowDown(uint64_t bytes) {
  const uint64_t now = context_.clock().NowMicros();
  const uint64_t micros = throttle_.MicrosToWait(bytes, now);
  if (micros == 0 || context_.options.env.executor->RunOneWhileWaiting()) return;
  if (!background_.HasWork()) return;  // No job is due: waiting would not help.
  {
    MutexLock lock(context_.mutex());
    if (background_.stall().kind == StallState::Kind::kSlow) {
      context_.changed.WaitFor(context_.mutex(), micros);
    }
  }
  context_.stats.stalls.Add(1);
  context_.stats.stall_micros.Add(context_.clock().NowMicros() - now);
}

Status WritePath::CommitGroup(const std::vector<WriteQueue::Writer*>& group) {
  if (background_.stall().kind == StallState::Kind::kSlow) SlowDown(BytesOf(group));
  const Sequence first = context_.visible.load(std::memory_order_relaxed) + 1;
  const bool unlogged = group.front()->options.durability == Durability::kNone;
  uint64_t count = 0, user_bytes = 0;
  for (WriteQueue::Writer* writer : group) {
    CHECK((writer->options.durability == Durability::kNone) == unlogged);
    writer->first_sequence = first + count;
    count += writer->batch->count();
    user_bytes += writer->user_bytes;
  }
  if (first + count > kMaxSequence) {
    return Status::NotSupported("sequence numbers are used up: 2^56 changes were written");
  }
  if (unlogged) {
    has_unlogged_writes_ = true;
  } else if (Status logged = LogGroup(group, first, count); !logged.ok()) {
    context_.errors.CloseWrites(logged);
    MutexLock lock(context_.mutex());
    context_.changed.NotifyAll();
    return logged;
  }
  for (const WriteQueue::Writer* writer : group) {
    if (writer->on_logged != nullptr) (*writer->on_logged)();
  }
  InsertGroup(group);
  DCHECK_OP(context_.visible.load(std::memory_order_relaxed) + 1, ==,
            first);  // Only the leader stores it.
  if (count > 0) context_.visible.store(first + count - 1, std::memory_order_release);
  context_.stats.batches_written.Add(group.size());
  context_.stats.entries_written.Add(count);
  context_.stats.user_bytes_written.Add(user_bytes);
  NoteFull(group);
  return Status::Ok();
}

Status WritePath::LogGroup(const std::vector<WriteQueue::Writer*>& group, Sequence first,
                           uint64_t count) {
  WriteBatch* record = RecordOf(*group.front());
  if (group.size() > 1) {
    group_batch_.Clear();
    for (const WriteQueue::Writer* writer : group) group_batch_.Append(*RecordOf(*writer));
    record = &group_batch_;
  }
  const bool has_marks = std::any_of(group.begin(), group.end(), HasRecordOfItsOwn);
  CHECK(has_marks || record->count() == count);
  const uint64_t size_before = wals_.present_size();
  if (count > 0 || has_marks) {
    StampBatch(&record->mutable_bytes(), first);
    RETURN_IF_ERROR(wals_.Append(record->bytes()));
  }
  context_.stats.wal_bytes_written.Add(wals_.present_size() - size_before);
  const bool sync = std::any_of(group.begin(), group.end(), [](const WriteQueue::Writer* writer) {
    return writer->options.durability == Durability::kSync;
  });
  return sync ? wals_.Sync() : Status::Ok();
}

void WritePath::InsertGroup(const std::vector<WriteQueue::Writer*>& group) {
  const bool together = group.size() > 1 && context_.options.allow_concurrent_memtable_write &&
                        BytesOf(group) >= kParallelInsertBytesMin;
  if (together) queue_.AskForHelp();
  const size_t mine = together ? 1 : group.size();
  for (size_t i = 0; i < mine; ++i) {
    InsertBatch(group[i]->batch->bytes(), group[i]->first_sequence, context_.families);
  }
  if (together) queue_.AwaitHelp();
}

void WritePath::NoteFull(const std::vector<WriteQueue::Writer*>& group) {
  for (const WriteQueue::Writer* writer : group) {
    if (writer->only_family != nullptr) {
      switch_due_ |= IsFull(*writer->only_family);
    } else {
      for (const Family* family : context_.families.all()) switch_due_ |= IsFull(*family);
    }
  }
  switch_due_ |= WalsTooLarge();
}

bool WritePath::WalsTooLarge() const {
  return wals_.TotalBytes() > context_.wal_bytes_limit.load(std::memory_order_relaxed);
}

Status WritePath::SwitchFull() {
  switch_due_ = false;
  std::vector<Family*> due;
  const bool wals_too_large = WalsTooLarge();
  {
    MutexLock lock(context_.mutex());
    for (Family* family : context_.families.all()) {
      const bool pins_oldest = wals_too_large && family->memtable() != nullptr &&
                               !family->memtable()->empty() &&
                               family->memtable_first_wal() <= wals_.oldest_number();
      if (pins_oldest || IsFull(*family)) due.push_back(family);
    }
  }
  if (!due.empty()) {
    return Switch(due, wals_too_large ? FlushReason::kWalsFull : FlushReason::kMemTableFull);
  }
  return wals_too_large ? ReleaseUnneeded() : Status::Ok();
}

Status WritePath::ReleaseUnneeded() {
  bool present_needed = false, closed_ones = false;
  {
    MutexLock lock(context_.mutex());
    closed_ones = !wals_.closed().empty();
    for (const Family* family : context_.families.all()) {
      present_needed |= !family->dropped() && !family->AllFlushed();
    }
  }
  if (!present_needed && WalsTooLarge()) {
    RETURN_IF_ERROR(RollWal());
    closed_ones = true;
  }
  return closed_ones ? background_.AdvanceLogNumbers() : Status::Ok();
}

Status WritePath::ReleaseWals() {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  RETURN_IF_ERROR(ReleaseUnneeded());
  return WalsTooLarge() ? SwitchFull() : Status::Ok();
}

Status WritePath::RollWal() {
  if (wals_.present_size() == 0) return Status::Ok();
  Status rolled = wals_.Roll(log_.NewFileNumber());
  if (!rolled.ok()) {
    context_.errors.CloseWrites(rolled);
    MutexLock lock(context_.mutex());
    context_.changed.NotifyAll();
  }
  return rolled;
}

Status WritePath::Switch(std::span<Family* const> families, FlushReason reason) {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  RETURN_IF_ERROR(RollWal());
  MutexLock lock(context_.mutex());
  for (Family* family : families) {
    if (family->memtable() == nullptr || family->memtable()->empty()) continue;
    family->Seal(wals_.present_number(), reason);
    family->Publish(log_.VersionOf(family->id()));
    background_.QueueFlush(family);
  }
  background_.Reconsider();
  return Status::Ok();
}

}  // namespace varve
