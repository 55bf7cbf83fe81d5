// SPDX-License-Identifier: Apache-2.0
#include "core/repair/flushed_logs.h"

#include <algorithm>
#include <string_view>

#include "core/base/check.h"
#include "core/format/log/write_batch_format.h"
#include "core/wal/wal_walk.h"

namespace varve {
namespace {

void NoteNewest(Sequence sequence, std::string_view batch, NewestSequences* newest) {
  BatchReader in(batch);
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind == BatchRecordKind::kEntry) (*newest)[record.family] = sequence++;
  }
}

}  // namespace

std::map<ColumnFamilyId, FileNumber> LogsBehindTables(FileSystem& fs, const std::string& directory,
                                                      const std::vector<uint64_t>& logs,
                                                      const NewestSequences& in_tables) {
  CHECK(std::is_sorted(logs.begin(), logs.end()));
  std::map<ColumnFamilyId, FileNumber> needed;
  NewestSequences logged;  // Of the current log.
  RecoveryReport unseen;
  WalWalk walk(WalRecoveryMode::kPointInTime, &unseen, /*families=*/{},
               [&](uint64_t, const BatchHeader& header, std::string_view batch) {
                 NoteNewest(header.sequence, batch, &logged);
                 return Status::Ok();
               });
  for (const uint64_t number : logs) {
    logged.clear();
    const auto wal = OpenWal(fs, directory, number);
    // Ignore errors: recovery finds the same and reports it.
    if (!wal.ok() || !walk.Read(*wal).ok()) break;
    for (const auto& [id, newest] : logged) {
      const auto found = in_tables.find(id);
      if (found != in_tables.end() && newest <= found->second) needed[id] = number + 1;
    }
  }
  return needed;
}

}  // namespace varve
