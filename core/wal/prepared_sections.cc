// SPDX-License-Identifier: Apache-2.0
#include "core/wal/prepared_sections.h"

#include <utility>

#include "core/base/check.h"
#include "core/format/log/write_batch_format.h"

namespace varve {
namespace {

// The bytes of one record of a batch, with a batch's header for that record alone.
WriteBatch Alone(std::string_view record) {
  std::string bytes(kWriteBatchHeaderSize, '\0');
  bytes[sizeof(uint64_t)] = 1;
  bytes.append(record);
  return WriteBatch(std::move(bytes));
}

}  // namespace

std::string_view PreparedSections::Resolve(uint64_t wal, std::string_view record) {
  resolved_.Clear();
  met_unknown_ = false;
  WriteBatch section;
  WriteBatch* to = &resolved_;
  BatchReader in(record);
  BatchRecord part;
  for (bool more = in.Next(&part); more;) {
    const BatchRecord now = part;
    more = in.Next(&part);
    const uint64_t end = more ? part.offset : record.size();
    switch (now.kind) {
      case BatchRecordKind::kEntry:
        to->Append(Alone(record.substr(now.offset, end - now.offset)));
        break;
      case BatchRecordKind::kBeginPrepare:
        to = &section;
        break;
      case BatchRecordKind::kEndPrepare:
        pending_[std::string(now.key)] = {wal, std::exchange(section, WriteBatch())};
        to = &resolved_;
        break;
      case BatchRecordKind::kCommit:
        if (const auto known = pending_.find(now.key); known != pending_.end()) {
          resolved_.Append(known->second.batch);
          pending_.erase(known);
        } else {
          met_unknown_ = true;
        }
        break;
      case BatchRecordKind::kRollback:
        if (const auto known = pending_.find(now.key); known != pending_.end()) {
          pending_.erase(known);
        }
        break;
      default:
        break;  // Notes, which are not applied.
    }
  }
  CHECK(in.status().ok(), "CheckReplayable() walked the same bytes");
  StampBatch(&resolved_.mutable_bytes(), in.header().sequence);
  return resolved_.bytes();
}

}  // namespace varve
