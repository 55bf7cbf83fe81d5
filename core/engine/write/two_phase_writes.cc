// SPDX-License-Identifier: Apache-2.0
// The steps of a two-phase commit as writes: what is logged is not what is inserted.
//
//               logged                     inserted     afterwards the section's WAL is needed
//   prepare     the section                nothing      until the transaction ends
//   commit      a mark, and what is new    the changes  until the memtables are flushed
//   rollback    a mark                     nothing      no more
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/engine/write/batch_insert.h"
#include "core/engine/write/write_path.h"
#include "core/format/limits.h"
#include "core/format/log/two_phase.h"

namespace varve {
namespace {

// Marks and sections are logged, whatever the caller's durability: a mark that is missing in the
// log would leave the transaction undecided.
WriteOptions Logged(WriteOptions options) {
  if (options.durability == Durability::kNone) options.durability = Durability::kBuffered;
  return options;
}

// RocksDB gives the keys of a section their timestamps when it is committed.
Status NoTimestamps() { return Status::NotSupported("a two-phase commit of keys with timestamps"); }

}  // namespace

Status WritePath::Prepare(const WriteOptions& options, const std::string& name,
                          const WriteBatch& batch) {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  auto changes = std::make_shared<WriteBatch>(batch);
  if (changes->bytes().empty()) changes->Clear();  // A moved-from batch has no changes.
  BatchSummary summary;
  RETURN_IF_ERROR(CheckBatch(*changes, context_.families, &summary));
  if (summary.timestamps) return NoTimestamps();
  {
    MutexLock lock(context_.mutex());
    RETURN_IF_ERROR(context_.prepared.Begin(name, changes));
  }
  WriteBatch section = PreparedSection(*changes, name);
  WriteBatch nothing;
  // Runs on the leader's thread.
  const std::function<void()> on_logged = [&] {
    MutexLock lock(context_.mutex());
    context_.prepared.Logged(name, wals_.present_number());
  };
  WriteQueue::Writer writer;
  writer.batch = &nothing;
  writer.record = &section;
  writer.on_logged = &on_logged;
  writer.options = Logged(options);
  Status status = section.bytes().size() <= kWriteBatchSizeMax
                      ? Run(&writer)
                      : Status::InvalidArgument("a write batch that is too large to be prepared");
  if (status.ok()) return status;
  MutexLock lock(context_.mutex());
  context_.prepared.Remove(name);
  return status;
}

Status WritePath::EndPrepared(const WriteOptions& options, const std::string& name, WriteBatch mark,
                              WriteBatch changes) {
  const std::vector<ColumnFamilyId> families = FamiliesOf(changes.bytes());
  // In one step: who looks for WALs that are needed finds the section's in the set or at the
  // memtables.
  const std::function<void()> on_logged = [&] {
    WriteQueue::AssertLogged();
    MutexLock lock(context_.mutex());
    const uint64_t wal = context_.prepared.Remove(name);
    for (const ColumnFamilyId id : families) {
      Family* const family = context_.families.Find(id);
      if (family != nullptr) family->NotePreparedIn(wal);
    }
  };
  WriteQueue::Writer writer;
  writer.batch = &changes;
  writer.record = &mark;
  writer.on_logged = &on_logged;
  writer.options = Logged(options);
  Status status = Run(&writer);
  if (status.ok()) return status;
  MutexLock lock(context_.mutex());
  context_.prepared.CancelEnd(name);
  return status;
}

Status WritePath::CommitPrepared(const WriteOptions& options, const std::string& name,
                                 const WriteBatch& more) {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  BatchSummary summary;
  if (!more.bytes().empty()) RETURN_IF_ERROR(CheckBatch(more, context_.families, &summary));
  if (summary.timestamps) return NoTimestamps();
  PreparedSet::Changes changes;
  {
    MutexLock lock(context_.mutex());
    ASSIGN_OR_RETURN(changes, context_.prepared.BeginEnd(name));
  }
  WriteBatch mark = CommitMark(name), all = *changes;
  // Behind the mark, so that recovery numbers them as here.
  mark.Append(more);
  all.Append(more);
  return EndPrepared(options, name, std::move(mark), std::move(all));
}

Status WritePath::RollbackPrepared(const WriteOptions& options, const std::string& name) {
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  {
    MutexLock lock(context_.mutex());
    RETURN_IF_ERROR(context_.prepared.BeginEnd(name).status());
  }
  return EndPrepared(options, name, RollbackMark(name), WriteBatch());
}

}  // namespace varve
