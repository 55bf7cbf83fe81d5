// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/log_entries.h"

#include <algorithm>

#include "core/base/key_order.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/write_batch_format.h"
#include "core/wal/log_reader.h"

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
  void Next() override { Show(at_ + 1); }
  void Prev() override { Show(at_ - 1); }

 private:
  size_t LowerBound(const InternalKey& target) const {
    const auto found =
        std::partition_point(entries_.begin(), entries_.end(), [&](const LogEntry& entry) {
          return CompareInternalKeys(VirtualOrder{&comparator_}, entry.internal(), target) < 0;
        });
    return static_cast<size_t>(found - entries_.begin());
  }
  // Past either end (unsigned, so -1 is far past it) there is nothing.
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

Result<std::vector<LogEntry>> ReadLogs(FileSystem& fs, const std::string& path,
                                       const RecoveredManifest& manifest, const FamilyState& family,
                                       std::vector<RangeTombstone>* tombstones) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> listing, fs.List(path));
  std::vector<LogEntry> entries;
  for (const DirectoryEntry& item : listing) {
    const auto name = ParseFileName(item.name);
    if (!name || name->kind != FileKind::kWal || name->number < family.log_number ||
        name->number < manifest.state.MinLogToReplay()) {
      continue;
    }
    ASSIGN_OR_RETURN(const auto file, fs.OpenForRead(JoinPath(path, item.name), false));
    ASSIGN_OR_RETURN(const uint64_t size, file->Size());
    LogReader log(*file, size, name->number);
    while (log.Next() == LogReader::Event::kRecord) {
      BatchReader batch(log.record());
      Sequence sequence = batch.header().sequence;
      BatchRecord record;
      while (batch.Next(&record)) {
        if (record.kind != BatchRecordKind::kEntry) continue;
        const Sequence own = sequence++;
        if (record.family != family.id) continue;
        if (record.type == ValueType::kRangeDeletion) {
          tombstones->push_back({std::string(record.key), std::string(record.value), own});
        } else {
          entries.push_back({std::string(record.key), own, record.type, std::string(record.value)});
        }
      }
      RETURN_IF_ERROR(batch.status().At(item.name));
    }
    RETURN_IF_ERROR(log.status());
  }
  return entries;
}

std::unique_ptr<InternalIterator> NewLogEntriesIterator(const Comparator& comparator,
                                                        std::vector<LogEntry> entries) {
  return std::make_unique<LogEntriesIterator>(comparator, std::move(entries));
}

}  // namespace varve
