// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/batch_insert.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/entry_size.h"
#include "core/format/limits.h"
#include "core/format/log/write_batch_format.h"

namespace varve {

namespace {

// Of `changes` changes of the family in the batch, without those in encoded bytes.
Status CheckTimestampsOf(const Family& family, const WriteBatch& batch, uint32_t changes) {
  const size_t size = family.timestamp_size();
  uint32_t timestamped = 0;
  for (const WriteBatch::Timestamped& some : batch.timestamped()) {
    if (some.family != family.id()) continue;
    if (some.timestamp_size != size) {
      return Status::InvalidArgument(
          "a timestamp of " + std::to_string(some.timestamp_size) + " bytes for column family '" +
          EscapeForDisplay(family.name()) + "', whose keys have " +
          (size == 0 ? "none" : "timestamps of " + std::to_string(size) + " bytes"));
    }
    timestamped += some.changes;
  }
  if (size == 0 || timestamped == changes) return Status::Ok();
  return Status::InvalidArgument("a change without timestamp in column family '" +
                                 EscapeForDisplay(family.name()) + "', whose keys have timestamps");
}

bool IsEncoded(const WriteBatch& batch, size_t offset) {
  return std::ranges::any_of(batch.encoded(), [&](const WriteBatch::Encoded& part) {
    return part.begin <= offset && offset < part.end;
  });
}

// Every key of a family with timestamps must have one of that family's size, and no other key may
// have one.
Status CheckTimestamps(const WriteBatch& batch, const FamilySet& families) {
  std::map<ColumnFamilyId, uint32_t> changes;
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    changes[record.family] += IsEncoded(batch, record.offset) ? 0 : 1;
    const Family* const family = families.Find(record.family);
    if (family == nullptr) continue;
    RETURN_IF_ERROR(CheckStoredKey(*family, record.type, record.key));
  }
  for (const auto& [id, count] : changes) {
    const Family* const family = families.Find(id);
    if (family != nullptr) RETURN_IF_ERROR(CheckTimestampsOf(*family, batch, count));
  }
  return Status::Ok();
}

}  // namespace

Status CheckBatch(const WriteBatch& checked, const FamilySet& families, BatchSummary* summary) {
  const std::string_view batch = checked.bytes();
  if (batch.size() > kWriteBatchSizeMax) {
    return Status::InvalidArgument("a write batch of " + std::to_string(batch.size()) +
                                   " bytes is larger than " + std::to_string(kWriteBatchSizeMax));
  }
  BatchReader in(batch);
  BatchRecord record;
  Family* family = nullptr;
  bool several = false;
  while (in.Next(&record)) {
    switch (record.kind) {
      case BatchRecordKind::kEntry:
        break;
      case BatchRecordKind::kLogData:
      case BatchRecordKind::kNoop:
        continue;
      default:
        return Status::NotSupported("a write batch with two-phase-commit markers");
    }
    if (record.type == ValueType::kBlobIndex) {
      return Status::NotSupported("writing a blob index");
    }
    if (family == nullptr || family->id() != record.family) {
      several |= family != nullptr;
      family = families.Find(record.family);
      if (family == nullptr || family->dropped()) {
        return Status::InvalidArgument("there is no column family " +
                                       std::to_string(record.family));
      }
      summary->timestamps |= family->timestamp_size() != 0;
    }
    if (record.type == ValueType::kMerge && family->options().merge_operator == nullptr) {
      return Status::NotSupported("column family '" + EscapeForDisplay(family->name()) +
                                  "' has no merge operator that is known here: provide a merge "
                                  "operator when opening the database");
    }
    RETURN_IF_ERROR(CheckKeySize(record.key.size()));
    const bool ends_range = record.type == ValueType::kRangeDeletion;
    if (ends_range) RETURN_IF_ERROR(CheckKeySize(record.value.size()));
    RETURN_IF_ERROR(CheckEntrySize(record.key.size(), record.value.size()));
    summary->user_bytes += record.key.size() + record.value.size();
  }
  RETURN_IF_ERROR(in.status());
  summary->only_family = several ? nullptr : family;
  if (!summary->timestamps && checked.timestamped().empty()) return Status::Ok();
  return CheckTimestamps(checked, families);
}

std::vector<ColumnFamilyId> FamiliesOf(std::string_view batch) {
  std::vector<ColumnFamilyId> families;
  BatchReader in(batch);
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    if (families.empty() || families.back() != record.family) families.push_back(record.family);
  }
  CHECK(in.status().ok(), "CheckBatch() walked the same bytes");
  std::sort(families.begin(), families.end());
  families.erase(std::unique(families.begin(), families.end()), families.end());
  return families;
}

void InsertBatch(std::string_view batch, Sequence first, const FamilySet& families) {
  BatchReader in(batch);
  BatchRecord record;
  Sequence sequence = first;
  const Family* family = nullptr;
  MemTable* memtable = nullptr;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    if (family == nullptr || family->id() != record.family) {
      family = families.Find(record.family);
      memtable = family == nullptr ? nullptr : family->memtable_to_fill();
    }
    if (memtable != nullptr) memtable->Add(sequence, record.type, record.key, record.value);
    ++sequence;
  }
  CHECK(in.status().ok(), "CheckBatch() walked the same bytes");
}

}  // namespace varve
