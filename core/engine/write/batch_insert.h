// SPDX-License-Identifier: Apache-2.0
// Inserts write batches into memtables.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/engine/family_set.h"
#include "core/engine/locks.h"
#include "varve/status.h"
#include "varve/types.h"
#include "varve/write_batch.h"

namespace varve {

// Summary of a batch, from one pass over it before it is used.
struct BatchSummary {
  uint64_t user_bytes = 0;        // Keys and values.
  Family* only_family = nullptr;  // Null: several, or none.
  bool timestamps = false;        // Some family's keys have timestamps.
};

// Corruption if the bytes are not a valid batch. kInvalidArgument if a family does not exist, an
// entry is too large for a table (format/entry_size.h), or a key has a timestamp where the family's
// keys have none, or none where they have. kNotSupported for two-phase-commit sections, blob
// indexes, range deletions of keys with timestamps, and merge operands of a family without a merge
// operator: their keys could not be read.
Status CheckBatch(const WriteBatch& checked, const FamilySet& families, BatchSummary* summary);

// Ids of the families with entries in the batch, ascending, without duplicates. Requires a batch
// that CheckBatch accepted.
std::vector<ColumnFamilyId> FamiliesOf(std::string_view batch);

// Inserts the entries into their families' memtables, numbered from `first` on. Entries of families
// that were dropped meanwhile use up sequence numbers but are not inserted. Requires a batch that
// CheckBatch accepted.
void InsertBatch(std::string_view batch, Sequence first, const FamilySet& families)
    REQUIRES_SHARED(write_lead);

}  // namespace varve
