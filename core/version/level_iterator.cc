// SPDX-License-Identifier: Apache-2.0
#include "core/version/level_iterator.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"

namespace varve {
namespace {

void CollectTombstones(const TableReader& reader, const FileMetadata& file,
                       TombstoneCollector* tombstones) {
  if (tombstones == nullptr) return;
  std::shared_ptr<const FragmentedTombstones> list = reader.Tombstones();
  if (list == nullptr || list->empty()) return;
  tombstones->Add(file.number(), std::move(list), file.smallest, file.largest);
}

class LevelIterator final : public InternalIterator {
 public:
  LevelIterator(const Version& version, std::shared_ptr<const FileIndex> index,
                const TableIteratorOptions& options, const KeyBounds& bounds,
                TombstoneCollector* tombstones)
      : version_(version),
        index_(std::move(index)),
        files_(index_->files()),
        options_(WithRun(options, bounds, &run_)),
        tombstones_(tombstones),
        end_(files_.size()) {
    const Comparator& order = version.comparator();
    if (bounds.lower) {
      begin_ = index_->FirstNotBefore(LookupKey(*bounds.lower, kMaxSequence));
    }
    if (bounds.upper) {
      const auto beyond =
          std::partition_point(files_.begin(), files_.end(), [&](const FilePtr& file) {
            return order.Compare(file->smallest.user_key, *bounds.upper) < 0;
          });
      end_ = std::max(begin_, static_cast<size_t>(beyond - files_.begin()));
    }
  }

  void SeekToFirst() override {
    BeginSeek();
    if (!OpenFile(begin_)) return;
    table_->SeekToFirst();
    SkipForward();
  }

  void SeekToLast() override {
    BeginSeek();
    if (begin_ == end_) return Exhaust();
    if (!OpenFile(end_ - 1)) return;
    table_->SeekToLast();
    SkipBackward();
  }

  bool Prepare(const InternalKey& target) override {
    if (!prepared_.has_value()) {
      Exhaust();
      prepared_ = FileOf(target);
    }
    // If a table cannot be opened, the next Seek fails.
    return OpenFile(*prepared_) && table_->Prepare(target);
  }

  void Seek(const InternalKey& target) override {
    const std::optional<size_t> prepared = prepared_;
    BeginSeek();
    if (!OpenFile(prepared.has_value() ? *prepared : FileOf(target))) return;
    table_->Seek(target);
    SkipForward();
  }

  void SeekForPrev(const InternalKey& target) override {
    BeginSeek();
    size_t end = index_->FirstNotBefore(target);  // Files before it have only smaller keys.
    if (end < end_ && !StartsAfter(*files_[end], target)) end++;
    end = std::min(end, end_);
    if (end <= begin_) return Exhaust();
    if (!OpenFile(end - 1)) return;
    table_->SeekForPrev(target);
    SkipBackward();
  }

  void Next() override {
    DCHECK(Valid());
    table_->Next();
    SkipForward();
  }

  void Prev() override {
    DCHECK(Valid());
    table_->Prev();
    SkipBackward();
  }

  size_t ReadRun(const RunLimits& limits, RecordRun* run) override {
    DCHECK(Valid());
    const size_t appended = table_->ReadRun(limits, run);
    if (appended > 0) Expose(*table_);
    return appended;
  }

 private:
  static TableIteratorOptions WithRun(TableIteratorOptions options, const KeyBounds& bounds,
                                      ReadaheadRun* run) {
    options.run = run;
    options.upper_bound = bounds.upper;
    return options;
  }
  void BeginSeek() {
    ClearFailure();
    prepared_.reset();
    run_.consumed = 0;
  }

  // The first file within the bounds that may have a key >= target.
  size_t FileOf(const InternalKey& target) const {
    return std::max(begin_, index_->FirstNotBefore(target));
  }

  bool StartsAfter(const FileMetadata& file, const InternalKey& target) const {
    const VirtualOrder order{&version_.comparator()};
    return CompareInternalKeys(order, file.smallest, target) > 0;
  }

  // False, at the end or with an error, if there is no such file within the bounds or it cannot be
  // opened.
  bool OpenFile(size_t file) {
    if (file >= end_) {
      Exhaust();
      return false;
    }
    DCHECK_OP(begin_, <=, file);
    if (table_ != nullptr && file == current_) return true;
    table_.reset();
    Result<Version::OpenTable> opened = version_.OpenFast(*files_[file]);
    if (!opened.ok()) {
      Fail(opened.status());
      return false;
    }
    hold_ = std::move(opened->hold);
    CollectTombstones(*opened->reader, *files_[file], tombstones_);
    table_ = opened->reader->NewIterator(options_);
    current_ = file;
    return true;
  }

  // Shows the table's entry, or the first one of the following tables: a table may have only
  // tombstones.
  void SkipForward() {
    DCHECK(table_ != nullptr && begin_ <= current_ && current_ < end_);
    while (!table_->Valid()) {
      if (!table_->status().ok()) return Fail(table_->status());
      if (!OpenFile(current_ + 1)) return;
      table_->SeekToFirst();
    }
    Expose(*table_);
  }

  void SkipBackward() {
    DCHECK(table_ != nullptr && begin_ <= current_ && current_ < end_);
    while (!table_->Valid()) {
      if (!table_->status().ok()) return Fail(table_->status());
      if (current_ == begin_) return Exhaust();
      if (!OpenFile(current_ - 1)) return;
      table_->SeekToLast();
    }
    Expose(*table_);
  }

  const Version& version_;
  const std::shared_ptr<const FileIndex> index_;
  const std::vector<FilePtr>& files_;
  ReadaheadRun run_;
  const TableIteratorOptions options_;
  TombstoneCollector* const tombstones_;
  size_t begin_ = 0;  // Files [begin_, end_) overlap the bounds.
  size_t end_ = 0;
  size_t current_ = 0;              // The file of `table_`, if that is set.
  std::optional<size_t> prepared_;  // The file that Prepare() found for the next Seek.
  std::shared_ptr<const TableReader> hold_;
  // Declared after the members that keep its reader open.
  std::unique_ptr<InternalIterator> table_;
};

// A table's iterator together with the reference that keeps the table open.
class HoldingIterator final : public InternalIterator {
 public:
  HoldingIterator(std::shared_ptr<const TableReader> hold, std::unique_ptr<InternalIterator> table)
      : hold_(std::move(hold)), table_(std::move(table)) {
    CHECK(hold_ != nullptr && table_ != nullptr);
  }

  void SeekToFirst() override { table_->SeekToFirst(), Show(); }
  void SeekToLast() override { table_->SeekToLast(), Show(); }
  bool Prepare(const InternalKey& target) override {
    const bool more = table_->Prepare(target);
    Show();
    return more;
  }
  void Seek(const InternalKey& target) override { table_->Seek(target), Show(); }
  void SeekForPrev(const InternalKey& target) override { table_->SeekForPrev(target), Show(); }
  void Next() override { table_->Next(), Show(); }
  void Prev() override { table_->Prev(), Show(); }
  size_t ReadRun(const RunLimits& limits, RecordRun* run) override {
    const size_t appended = table_->ReadRun(limits, run);
    if (appended > 0) Show();
    return appended;
  }

 private:
  void Show() {
    ClearFailure();
    if (table_->Valid()) {
      Expose(*table_);
    } else if (table_->status().ok()) {
      Exhaust();
    } else {
      Fail(table_->status());
    }
  }

  const std::shared_ptr<const TableReader> hold_;
  const std::unique_ptr<InternalIterator> table_;
};

}  // namespace

std::unique_ptr<InternalIterator> NewLevelIterator(const Version& version,
                                                   std::shared_ptr<const FileIndex> files,
                                                   const TableIteratorOptions& options,
                                                   const KeyBounds& bounds,
                                                   TombstoneCollector* tombstones) {
  return std::make_unique<LevelIterator>(version, std::move(files), options, bounds, tombstones);
}

Result<std::unique_ptr<InternalIterator>> NewFileIterator(const Version& version,
                                                          const FileMetadata& file,
                                                          const TableIteratorOptions& options,
                                                          TombstoneCollector* tombstones) {
  ASSIGN_OR_RETURN(Version::OpenTable table, version.OpenFast(file));
  CollectTombstones(*table.reader, file, tombstones);
  std::unique_ptr<InternalIterator> entries = table.reader->NewIterator(options);
  if (table.hold == nullptr) return entries;
  return std::unique_ptr<InternalIterator>(
      std::make_unique<HoldingIterator>(std::move(table.hold), std::move(entries)));
}

}  // namespace varve
