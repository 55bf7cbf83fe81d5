// SPDX-License-Identifier: Apache-2.0
// The entries of one family in a database's WALs: the contents that its memtables would have.
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

// What recovery would replay from these WALs (wal/wal_walk.h), which were read together with
// `families` (version/database_files.h), by family; only of family `only` if given. One pass for
// any number of families. Sets *last (may be null) to the newest sequence number of any batch (0:
// none). Corruption if recovery would refuse to open.
Result<std::map<ColumnFamilyId, LoggedFamily>> ReadLogsByFamily(const std::vector<WalFile>& wals,
                                                                const ColumnFamilies& families,
                                                                std::optional<ColumnFamilyId> only,
                                                                Sequence* last = nullptr);

// The same for one family; its range deletions are added to *tombstones.
Result<std::vector<LogEntry>> ReadLogs(const std::vector<WalFile>& wals,
                                       const ColumnFamilies& families, const FamilyState& family,
                                       std::vector<RangeTombstone>* tombstones,
                                       Sequence* last = nullptr);

// In internal-key order. `comparator` must outlive the iterator.
std::unique_ptr<InternalIterator> NewLogEntriesIterator(const Comparator& comparator,
                                                        std::vector<LogEntry> entries);

}  // namespace varve
