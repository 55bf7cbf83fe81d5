// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/wal/log_entries.h"

#include <algorithm>
#include <iterator>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"
#include "core/format/log/write_batch_format.h"
#include "core/version/database_files.h"
#include "core/wal/wal_walk.h"

namespace varve {
namespace {

class LogEntriesIterator : public InternalIterator {
 public:
  LogEntriesIterator(const Comparator& comparator, std::vector<LogEntry> entries)
      : comparator_(comparator), entries_(std::move(entries)) {
    std::sort(entries_.begin(), entries_.end(), [&](const LogEntry& a, const LogEntry& b) {
      return CompareInternalKeys(VirtualOrder{&comparator_}, a.internal(), b.internal()) < 0;
    });
  }

  void SeekToFirst() override { Show(0); }
  void SeekToLast() override { Show(entries_.size() - 1); }
  void Seek(const InternalKey& target) override { Show(LowerBound(target)); }
  void SeekForPrev(const InternalKey& target) override {
    const size_t at = LowerBound(target);
    const bool equal =
        at < entries_.size() &&
        CompareInternalKeys(VirtualOrder{&comparator_}, entries_[at].internal(), target) == 0;
    Show(equal ? at : at - 1);
  }
  void Next() override {
    DCHECK(Valid());
    Show(at_ + 1);
  }
  void Prev() override {
    DCHECK(Valid());
    Show(at_ - 1);
  }

 private:
  size_t LowerBound(const InternalKey& target) const {
    const auto found =
        std::partition_point(entries_.begin(), entries_.end(), [&](const LogEntry& entry) {
          return CompareInternalKeys(VirtualOrder{&comparator_}, entry.internal(), target) < 0;
        });
    return static_cast<size_t>(found - entries_.begin());
  }
  // Past either end (-1 wraps to a large unsigned number) there is no entry.
  void Show(size_t at) {
    at_ = at;
    if (at >= entries_.size()) return Exhaust();
    Expose(entries_[at].internal(), entries_[at].value);
  }

  const Comparator& comparator_;
  std::vector<LogEntry> entries_;
  size_t at_ = 0;
};

}  // namespace

Result<std::map<ColumnFamilyId, LoggedFamily>> ReadLogsByFamily(const std::vector<WalFile>& wals,
                                                                const ColumnFamilies& families,
                                                                std::optional<ColumnFamilyId> only,
                                                                Sequence* last) {
  std::map<ColumnFamilyId, LoggedFamily> logged;
  RecoveryReport report;
  const auto take = [&](uint64_t wal, const BatchHeader& header, std::string_view bytes) {
    BatchReader batch(bytes);
    BatchRecord record;
    Sequence sequence = header.sequence;
    while (batch.Next(&record)) {
      if (record.kind != BatchRecordKind::kEntry) continue;
      const Sequence own = sequence++;
      if (only && record.family != *only) continue;
      const FamilyState* family = families.Find(record.family);
      if (family == nullptr || wal < family->log_number) continue;
      LoggedFamily& to = logged[record.family];
      std::string key(record.key), value(record.value);
      if (record.type == ValueType::kRangeDeletion) {
        to.deletions.push_back({std::move(key), std::move(value), own});
      } else {
        to.entries.push_back({std::move(key), own, record.type, std::move(value)});
      }
    }
    return batch.status();
  };
  WalWalk walk(WalRecoveryMode::kPointInTime, &report, LogStatesOf(families), take);
  for (const WalFile& wal : wals) RETURN_IF_ERROR(walk.Read(wal));
  RETURN_IF_ERROR(walk.CheckFamilies());
  if (last != nullptr) *last = walk.last_sequence();
  return logged;
}

Result<std::vector<LogEntry>> ReadLogs(const std::vector<WalFile>& wals,
                                       const ColumnFamilies& families, const FamilyState& family,
                                       std::vector<RangeTombstone>* tombstones, Sequence* last) {
  ASSIGN_OR_RETURN(auto logged, ReadLogsByFamily(wals, families, family.id, last));
  LoggedFamily& own = logged[family.id];
  std::move(own.deletions.begin(), own.deletions.end(), std::back_inserter(*tombstones));
  return std::move(own.entries);
}

std::unique_ptr<InternalIterator> NewLogEntriesIterator(const Comparator& comparator,
                                                        std::vector<LogEntry> entries) {
  return std::make_unique<LogEntriesIterator>(comparator, std::move(entries));
}

}  // namespace varve
