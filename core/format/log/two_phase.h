// SPDX-License-Identifier: Apache-2.0
// The batches of two-phase commits, as RocksDB's TransactionDB logs them with its default write
// policy, "write committed" (db-format section 3):
//
//   prepare   | sequence, n | BeginPrepare | n changes | EndPrepare name |
//   commit    | sequence, 0 | Commit name |
//   rollback  | sequence, 0 | Rollback name |
//
// The changes of a prepared section use up sequence numbers when it is committed: those from the
// sequence of the batch that has the mark, behind that batch's own changes before the mark. Several
// batches of one write group are one record.
//
// Source: RocksDB's db/write_batch.cc (MarkEndPrepare, MarkCommit, MemTableInserter).
#pragma once

#include <string_view>

#include "varve/write_batch.h"

namespace varve {

// The names that RocksDB takes have 1 to 512 bytes.
inline constexpr size_t kTransactionNameSizeMax = 512;

WriteBatch PreparedSection(const WriteBatch& batch, std::string_view name);
WriteBatch CommitMark(std::string_view name);
WriteBatch RollbackMark(std::string_view name);

}  // namespace varve
