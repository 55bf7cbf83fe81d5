// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/wal_replay.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/log/write_batch_format.h"
#include "core/version/database_files.h"

namespace varve {

WalReplay::WalReplay(EngineContext& context, const DatabaseState& state, RecoveryReport* report,
                     AfterBatch after_batch)
    : context_(context),
      state_(state),
      after_batch_(std::move(after_batch)),
      walk_(context.options.wal_recovery_mode, report, LogStatesOf(state.families),
            [this](uint64_t wal, const BatchHeader& header, std::string_view batch) REQUIRES(
                write_lead, engine_mutex) { return ApplyBatch(wal, header.sequence, batch); }) {}

Status WalReplay::Run(std::vector<WalFile> wals) {
  DCHECK(std::ranges::is_sorted(wals, {}, &WalFile::number));
  for (WalFile& wal : wals) {
    if (wal.file == nullptr) {
      ASSIGN_OR_RETURN(wal, OpenWal(context_.fs(), context_.directory, wal.number));
    }
    RETURN_IF_ERROR(walk_.Read(wal));
    wal.file.reset();
  }
  for (const auto& [name, section] : prepared().pending()) NoteFamilies(section.batch);
  return walk_.CheckFamilies();
}

void WalReplay::NoteFamilies(const WriteBatch& batch) {
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.family <= kFamilyIdMax) highest_family_ = std::max(highest_family_, record.family);
  }
}

// Applies all or nothing: WalWalk has already parsed the batch to its end.
Status WalReplay::ApplyBatch(uint64_t wal, Sequence sequence, std::string_view batch) {
  BatchReader in(batch);
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    if (record.family <= kFamilyIdMax) highest_family_ = std::max(highest_family_, record.family);
    // Entries of dropped families, and of families whose tables already have this WAL's data, still
    // use up sequence numbers.
    const FamilyState* state = state_.families.Find(record.family);
    if (state != nullptr && wal >= state->log_number) {
      Family* family = context_.families.Find(record.family);
      if (family->memtable() != nullptr) {
        if (family->timestamp_size() != 0) {
          RETURN_IF_ERROR(CheckStoredKey(*family, record.type, record.key));
        }
        family->memtable()->Add(sequence, record.type, record.key, record.value);
      }
    }
    ++sequence;
  }
  RETURN_IF_ERROR(in.status());
  return after_batch_(batch.size());
}

}  // namespace varve
