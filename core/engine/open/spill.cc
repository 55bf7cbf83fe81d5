// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/spill.h"

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/table_output.h"

namespace varve {

Result<FileDescription> SpillMemTable(const JobContext& job, const MemTable& memtable) {
  CHECK(!memtable.empty());
  TableOptions options = job.options.table;
  options.compression = CompressionType::kNone;  // Read once or twice, and soon.
  ASSIGN_OR_RETURN(const std::unique_ptr<TableOutput> output, TableOutput::Create(job, options));
  const std::unique_ptr<InternalIterator> entries = memtable.NewIterator();
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    RETURN_IF_ERROR(output->Add(entries->key(), entries->value()));
  }
  RETURN_IF_ERROR(entries->status());
  if (const auto tombstones = memtable.Tombstones()) {
    for (const auto& list : *tombstones) {
      for (size_t i = 0; i < list->size(); ++i) {
        const FragmentedTombstones::Tombstone one = list->tombstone(i);
        RETURN_IF_ERROR(output->builder().AddRangeTombstone(one.begin, one.end, one.sequence));
      }
    }
  }
  return output->Finish();
}

}  // namespace varve
