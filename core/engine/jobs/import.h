// SPDX-License-Identifier: Apache-2.0
// Import makes a family of tables that were exported from another one:
//
//   copy or link into the directory, read and verify every entry (arrivals.h)
//     -> pause writes -> one append to the MANIFEST, family and tables -> publish
//     -> moved files unlinked
//
// Tables keep level and sequence numbers. Their bounds are those of the entries, and of the range
// deletions as far as the description goes: RocksDB writes one into each table that it spans.
#pragma once

#include "core/engine/engine.h"
#include "varve/db.h"
#include "varve/exported_family.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// As DB::ImportColumnFamily().
Result<ColumnFamilyId> ImportFamily(Engine* engine, const NewFamily& family,
                                    const ImportOptions& options, const ExportedFamily& exported);

}  // namespace varve
