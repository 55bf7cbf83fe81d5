// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/log_entries.h"

#include <algorithm>

#include "core/base/key_order.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/write_batch_format.h"
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
  std::vector<FileNumber> numbers;
  for (const DirectoryEntry& item : listing) {
    const auto name = ParseFileName(item.name);
    if (name && name->kind == FileKind::kWal && name->number >= manifest.state.MinLogToReplay()) {
      numbers.push_back(name->number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  std::vector<LogEntry> entries;
  const auto take = [&](uint64_t wal, const BatchHeader& header, std::string_view bytes) {
    BatchReader batch(bytes);
    Sequence next = header.sequence;
    BatchRecord record;
    while (batch.Next(&record)) {
      if (record.kind != BatchRecordKind::kEntry) continue;
      const Sequence own = next++;
      if (record.family != family.id || wal < family.log_number) continue;
      if (record.type == ValueType::kRangeDeletion) {
        tombstones->push_back({std::string(record.key), std::string(record.value), own});
      } else {
        entries.push_back({std::string(record.key), own, record.type, std::string(record.value)});
      }
    }
    return batch.status();
  };
  RecoveryReport left_out;  // Whoever shows entries asks recovery_report.h.
  WalWalk walk(Options().wal_recovery_mode, &left_out, take);
  for (const FileNumber number : numbers) {
    ASSIGN_OR_RETURN(const WalFile wal, OpenWal(fs, path, number));
    RETURN_IF_ERROR(walk.Read(wal));
  }
  std::vector<FamilyLogState> states;
  for (const FamilyState& each : manifest.state.families.all()) {
    states.push_back({each.name, each.log_number, each.version->TotalFiles() > 0});
  }
  RETURN_IF_ERROR(walk.CheckFamilies(states));
  return entries;
}

std::unique_ptr<InternalIterator> NewLogEntriesIterator(const Comparator& comparator,
                                                        std::vector<LogEntry> entries) {
  return std::make_unique<LogEntriesIterator>(comparator, std::move(entries));
}

}  // namespace varve
