// SPDX-License-Identifier: Apache-2.0
// From the bytes of a write batch to memtables.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/engine/family_set.h"
#include "core/engine/locks.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

// What a batch holds, learnt by walking it once before anything is done with it.
struct BatchSummary {
  uint64_t user_bytes = 0;        // Keys and values.
  Family* only_family = nullptr;  // Null: several, or none.
};

// Corruption if the bytes are no batch, kInvalidArgument if a family does not exist or an entry is
// larger than a table takes (format/entry_size.h),
// kNotSupported for two-phase-commit sections, blob indexes, and merge operands of a family without
// a merge operator: their keys could not be read until somebody provides one.
Status CheckBatch(std::string_view batch, const FamilySet& families, BatchSummary* summary);

// Those that have entries in the batch, each once, ascending. Requires a batch that CheckBatch passed.
std::vector<ColumnFamilyId> FamiliesOf(std::string_view batch);

// Adds the entries to their families' memtables, numbered from `first` on. Entries of families
// dropped meanwhile use up their number and go nowhere. Requires a batch that CheckBatch passed.
void InsertBatch(std::string_view batch, Sequence first, const FamilySet& families)
    REQUIRES_SHARED(write_lead);

}  // namespace varve
