// SPDX-License-Identifier: Apache-2.0
// What the WALs of a database hold for one family: what its memtables would, were it open.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/format/internal_key.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/range_tombstones.h"
#include "core/version/database_files.h"
#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct LogEntry {
  std::string key;
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;
  std::string value;

  InternalKey internal() const { return {key, sequence, type}; }
};

struct LoggedFamily {
  std::vector<LogEntry> entries;
  std::vector<RangeTombstone> deletions;
};

// What recovery would take from these WALs (wal/wal_walk.h), which were read together with
// `families` (version/database_files.h), by family; of one family only if `only` says so. One pass,
// however many families there are. The newest sequence that any batch used goes to *last (may be
// null; 0: none). Corruption where recovery refuses to open.
Result<std::map<ColumnFamilyId, LoggedFamily>> ReadLogsByFamily(const std::vector<WalFile>& wals,
                                                                const ColumnFamilies& families,
                                                                std::optional<ColumnFamilyId> only,
                                                                Sequence* last = nullptr);

// The same of one family; its range deletions go to *tombstones.
Result<std::vector<LogEntry>> ReadLogs(const std::vector<WalFile>& wals,
                                       const ColumnFamilies& families, const FamilyState& family,
                                       std::vector<RangeTombstone>* tombstones,
                                       Sequence* last = nullptr);

// In internal-key order. `comparator` outlives the iterator.
std::unique_ptr<InternalIterator> NewLogEntriesIterator(const Comparator& comparator,
                                                        std::vector<LogEntry> entries);

}  // namespace varve
