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

// Beside the bytes of its name and its changes.
constexpr uint64_t kSectionOverhead = 256;

uint64_t BytesOf(std::string_view name, const PreparedSections::Section& section) {
  return name.size() + section.batch.bytes().size() + kSectionOverhead;
}

constexpr uint64_t kPendingBytesAlways = 128 << 20;
constexpr uint64_t kPendingBytesPerLogByte = 64;

}  // namespace

void PreparedSections::Add(std::string_view name, Section section) {
  pending_bytes_ += BytesOf(name, section);
  const auto [at, fresh] = pending_.try_emplace(std::string(name));
  if (!fresh) pending_bytes_ -= BytesOf(name, at->second);
  at->second = std::move(section);
}

void PreparedSections::Remove(Map::iterator at) {
  pending_bytes_ -= BytesOf(at->first, at->second);
  pending_.erase(at);
}

Status PreparedSections::CheckSize(uint64_t log_bytes) const {
  if (pending_bytes_ <= kPendingBytesAlways ||
      pending_bytes_ / kPendingBytesPerLogByte <= log_bytes) {
    return Status::Ok();
  }
  return Status::NotSupported("prepared transactions take " + std::to_string(pending_bytes_) +
                              " bytes of memory, and the logs so far have " +
                              std::to_string(log_bytes));
}

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
        Add(now.key, {wal, std::exchange(section, WriteBatch())});
        to = &resolved_;
        break;
      case BatchRecordKind::kCommit:
        if (const auto known = pending_.find(now.key); known != pending_.end()) {
          resolved_.Append(known->second.batch);
          Remove(known);
        } else {
          met_unknown_ = true;
        }
        break;
      case BatchRecordKind::kRollback:
        if (const auto known = pending_.find(now.key); known != pending_.end()) Remove(known);
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
