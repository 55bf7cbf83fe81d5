// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/flush_job.h"

#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/blob_separator.h"
#include "core/compaction/block_compression.h"
#include "core/compaction/collapsing_iterator.h"
#include "core/compaction/compaction_iterator.h"
#include "core/compaction/compaction_tombstones.h"
#include "core/compaction/entry_pipe.h"
#include "core/compaction/table_output.h"
#include "core/compaction/visibility.h"
#include "core/fs/durable.h"
#include "core/iterator/merging_iterator.h"

namespace varve {
namespace {

// Writes what stays of the entries.
Result<std::optional<FileDescription>> WriteTable(
    const JobContext& job, std::span<const std::shared_ptr<MemTable>> memtables,
    BlobSeparator* blobs) {
  const Comparator& comparator = *job.options.comparator;
  const Visibility visibility(job.snapshots, /*bottommost=*/false);
  TombstoneCollector covering(comparator, kMaxSequence);
  CompactionTombstones carried(comparator, &visibility);
  std::vector<std::unique_ptr<InternalIterator>> inputs;
  for (const std::shared_ptr<MemTable>& memtable : memtables) {
    inputs.push_back(memtable->NewIterator());
    if (const auto tombstones = memtable->Tombstones()) {
      for (const auto& list : *tombstones) {
        covering.Add(0, list, std::nullopt, std::nullopt);
        carried.Add(*list, std::nullopt, std::nullopt);
      }
    }
  }
  RETURN_IF_ERROR(carried.Finish());
  CompactionScope scope;
  scope.comparator = &comparator;
  scope.merge_operator = job.options.merge_operator;
  scope.tombstones = &covering;
  scope.full_history_ts_low = job.full_history_ts_low;
  CompactionIterator entries(
      scope, &visibility,
      NewCollapsingIterator(NewMergingIterator(comparator, std::move(inputs)), comparator,
                            visibility, job.full_history_ts_low));

  ASSIGN_OR_RETURN(const std::unique_ptr<TableOutput> output,
                   TableOutput::Create(job, TableOptionsOfFlush(job.options)));
  RETURN_IF_ERROR(PipeEntries(job, &entries, [&](const EntryBatch::Entry& entry) -> Status {
    InternalKey key = entry.key;
    std::string_view value = entry.value;
    RETURN_IF_ERROR(blobs->Separate(&key, &value));
    return output->Add(key, value);
  }));
  for (const RangeTombstone& tombstone : carried.Within(std::nullopt, std::nullopt)) {
    RETURN_IF_ERROR(
        output->builder().AddRangeTombstone(tombstone.begin, tombstone.end, tombstone.sequence));
  }
  if (output->builder().empty()) return std::optional<FileDescription>();
  RETURN_IF_ERROR(blobs->Finish());
  ASSIGN_OR_RETURN(FileDescription table, output->Finish());
  Status lasting = VerifyOutput(job, table, output->builder().entries());
  if (lasting.ok()) lasting = SyncDirectory(*job.env.file_system, job.directory);
  if (!lasting.ok()) {
    RemoveOutputs(job, {table});
    return lasting;
  }
  return std::optional<FileDescription>(std::move(table));
}

}  // namespace

Result<FlushOutcome> RunFlush(const JobContext& job,
                              std::span<const std::shared_ptr<MemTable>> memtables) {
  CHECK(!memtables.empty());
  BlobSeparator blobs(job, /*level=*/0, /*collect_below=*/0);
  Result<std::optional<FileDescription>> table = WriteTable(job, memtables, &blobs);
  if (!table.ok()) {
    blobs.Abandon();
    return table.status();
  }
  return FlushOutcome{.table = *std::move(table), .blobs = blobs.TakeFiles()};
}

}  // namespace varve
