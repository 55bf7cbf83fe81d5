// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/scan_run.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/inspect/counting_order.h"
#include "core/table/read/table_state.h"

namespace varve {
namespace {

CountingOrder OrderOf(const ScanContext& context) {
  return {&context.reader.comparator(), context.comparisons};
}

class LogRun : public ScanRun {
 public:
  explicit LogRun(const ScanContext& context)
      : context_(context), entries_(context.reader.logged()) {
    parts_.push_back({.source = "memtable"});
    const auto list = std::make_shared<const FragmentedTombstones>(context.reader.comparator(),
                                                                   context.reader.log_tombstones());
    if (!list->empty()) context.tombstones.Add(0, list, std::nullopt, std::nullopt);
  }

  bool Seek(const InternalKey* target) override {
    next_ = 0;
    if (target != nullptr) {
      const auto before = [order = OrderOf(context_)](const LogEntry& entry,
                                                      const InternalKey& wanted) {
        return CompareInternalKeys(order, entry.internal(), wanted) < 0;
      };
      next_ = static_cast<size_t>(
          std::lower_bound(entries_.begin(), entries_.end(), *target, before) - entries_.begin());
    }
    return Next();
  }
  bool Next() override {
    if (next_ == entries_.size()) return false;
    key_ = entries_[next_].internal();
    value_ = entries_[next_].value;
    ++next_;
    return true;
  }

 private:
  const ScanContext context_;
  const std::vector<LogEntry>& entries_;
  size_t next_ = 0;
};

// Walks one table and records its reads in `part`.
class TableWalk {
 public:
  TableWalk(const ScanContext& context, std::shared_ptr<const TableReader> reader)
      : context_(context),
        order_(OrderOf(context)),
        reader_(std::move(reader)),
        table_(reader_->impl()) {}

  // As ScanRun's. At the end of the scan's range, past_end() becomes true.
  bool Seek(const InternalKey* target, ScanPart* part) {
    part_ = part;
    past_end_ = false;
    stands_ = false;
    return Settle(SeekIndex(target) && SeekData(target));
  }
  bool Next(ScanPart* part) {
    DCHECK(stands_);
    part_ = part;
    before_.assign(entries_.key());
    return Settle(entries_.Next() || NextBlock());
  }

  bool past_end() const { return past_end_; }
  const InternalKey& key() const { return key_; }
  std::string_view value() const { return entries_.value(); }

 private:
  IndexBlockCursor& leaf() { return table_.index.two_levels ? leaf_ : top_; }

  bool SeekIndex(const InternalKey* target) {
    top_.Attach(*table_.index.top, table_.index.encoding);
    const InternalKey wanted = target == nullptr ? InternalKey() : Widened(*target);
    const bool found = target == nullptr ? top_.SeekToFirst() : top_.Seek(order_, wanted);
    if (!found || !table_.index.two_levels) return found;
    if (!EnterPartition()) return false;
    // The partition's last separator equals the top level's, so a block is found unless it is
    // damaged.
    return target == nullptr ? leaf_.SeekToFirst() : leaf_.Seek(order_, wanted);
  }
  bool SeekData(const InternalKey* target) {
    if (!EnterBlock()) return false;
    bool on = false;
    if (target == nullptr) {
      on = entries_.SeekToFirst();
    } else {
      const InternalKey wanted = Widened(*target);
      on = entries_.Seek(CompareStoredKey<CountingOrder>{order_, wanted, table_.bare_keys});
    }
    if (!on && !NextBlock()) return false;
    // With a global sequence number the entry itself may be newer than the target.
    while (target != nullptr && Parse() && CompareInternalKeys(order_, key_, *target) < 0) {
      if (!entries_.Next() && !NextBlock()) return false;
    }
    return true;
  }
  InternalKey Widened(const InternalKey& target) const {
    return table_.global_sequence == 0 ? target : LookupKey(target.user_key, kMaxSequence);
  }

  // Moves from the end of a block (or damage in it) to the first entry of the next.
  bool NextBlock() {
    while (!entries_.damaged()) {
      const bool was_last = SeparatorIsPastEnd();
      if (!NextInIndex()) return false;
      past_end_ = was_last;  // Only set if there is a further block that need not be read.
      if (past_end_ || !EnterBlock()) return false;
      if (entries_.SeekToFirst()) return true;
    }
    return false;
  }
  bool NextInIndex() {
    if (leaf().Next()) return true;
    if (leaf().damaged() || !table_.index.two_levels || !top_.Next()) return false;
    return EnterPartition() && leaf_.SeekToFirst();
  }
  bool SeparatorIsPastEnd() {
    if (!context_.question.to) return false;
    std::string_view separator = leaf().key();
    if (!table_.index.encoding.user_keys) {
      if (separator.size() < kPackedSize) return false;
      separator.remove_suffix(kPackedSize);
    }
    return order_(separator, *context_.question.to) >= 0;
  }

  bool EnterPartition() { return Enter(top_.handle(), BlockKind::kKeyValue, &partition_); }
  bool EnterBlock() { return Enter(leaf().handle(), BlockKind::kData, &block_); }

  struct Held {
    std::shared_ptr<const Block> block;
    uint64_t offset = 0;
  };
  // Loads the block at `handle` and sets a cursor on it; does not fetch a block twice.
  bool Enter(BlockHandle handle, BlockKind kind, Held* held) {
    if (held->block == nullptr || held->offset != handle.offset) {
      held->block = nullptr;
      Result<std::shared_ptr<const Block>> block = Fetch(handle, kind);
      if (!block.ok()) {
        part_->problem = block.status();
        return false;
      }
      *held = {*std::move(block), handle.offset};
    }
    if (kind == BlockKind::kData) {
      entries_.Attach(*held->block);
    } else {
      leaf_.Attach(*held->block, table_.index.encoding);
    }
    return true;
  }

  Result<std::shared_ptr<const Block>> Fetch(BlockHandle handle, BlockKind kind) {
    BlockLook look{.kind = kind == BlockKind::kData ? "data" : "index_partition",
                   .offset = handle.offset,
                   .size = handle.size + kBlockTrailerSize};
    look.cached = table_.fetcher.IsCached(handle);
    Clock* const clock = context_.question.clock;
    const uint64_t begin = clock == nullptr ? 0 : clock->NowMicros();
    Result<std::shared_ptr<const Block>> block = table_.fetcher.Fetch(handle, kind, FetchOptions{});
    if (clock != nullptr) look.micros = clock->NowMicros() - begin;
    if (block.ok()) look.raw_size = (*block)->bytes().size();
    if (part_->blocks.size() < ScanPart::kBlocksListed) {
      part_->blocks.push_back(look);
    } else {
      ++part_->blocks_more;
    }
    part_->reads.Add(look);
    return block;
  }

  bool Parse() {
    if (!ParseStoredKey(entries_.key(), table_.bare_keys, &key_)) {
      part_->problem = table_.Damaged(leaf().handle(), entries_.offset());
      return false;
    }
    if (table_.global_sequence != 0) key_.sequence = table_.global_sequence;
    return true;
  }

  // Whether the entry is behind the previous one. Compares stored keys.
  bool Ascends() const {
    InternalKey from, here;
    return ParseStoredKey(before_, table_.bare_keys, &from) &&
           ParseStoredKey(entries_.key(), table_.bare_keys, &here) &&
           CompareInternalKeys(VirtualOrder{&context_.reader.comparator()}, from, here) < 0;
  }

  // Called at the end of every move.
  bool Settle(bool on) {
    if (!on) {
      if (entries_.damaged()) {
        part_->problem = table_.Damaged(leaf().handle(), entries_.offset());
      } else if (top_.damaged() || (table_.index.two_levels && leaf_.damaged())) {
        part_->problem = Status::Corruption("index block is broken")
                             .At(table_.fetcher.Where(table_.index.handle.offset));
      }
      return false;
    }
    if (!part_->problem.ok() || !Parse()) return false;
    if (stands_ && !Ascends()) {
      part_->problem = table_.Disordered(leaf().handle(), entries_.offset());
      return false;
    }
    stands_ = true;
    past_end_ = context_.question.to && order_(key_.user_key, *context_.question.to) >= 0;
    return !past_end_;
  }

  const ScanContext context_;
  const CountingOrder order_;
  const std::shared_ptr<const TableReader> reader_;
  const TableReader::Impl& table_;
  ScanPart* part_ = nullptr;
  Held partition_, block_;
  IndexBlockCursor top_, leaf_;  // leaf_ of a partitioned index only.
  BlockCursor entries_;
  InternalKey key_;
  bool past_end_ = false;
  // Whether it is on an entry; before a step from it, before_ is its stored key.
  bool stands_ = false;
  std::string before_;
};

class FileRun : public ScanRun {
 public:
  FileRun(const ScanContext& context, std::span<const FilePtr> files, int level)
      : context_(context), files_(files), level_(level) {}

  bool Seek(const InternalKey* target) override {
    size_t first = 0;
    if (target != nullptr) {
      const auto before = [order = OrderOf(context_)](const FilePtr& file,
                                                      const InternalKey& wanted) {
        return CompareInternalKeys(order, file->largest, wanted) < 0;
      };
      first = static_cast<size_t>(std::lower_bound(files_.begin(), files_.end(), *target, before) -
                                  files_.begin());
    }
    // RocksDB searches a table of level 0 even if it ends before the target: its index tells that.
    if (first == files_.size()) {
      walk_ = nullptr;
      if (parts_.empty() && level_ == 0) {
        parts_.push_back(
            {.source = "file", .file = files_[0]->number(), .verdict = "out_of_range"});
      }
      return false;
    }
    if (walk_ == nullptr || first != at_) {
      if (!Open(first)) return false;
    }
    return Show(walk_->Seek(target, &part()));
  }
  bool Next() override {
    DCHECK(walk_ != nullptr);
    return Show(walk_->Next(&part()));
  }

 private:
  bool Open(size_t index) {
    at_ = index;
    const FileMetadata& file = *files_[index];
    parts_.push_back({.source = "file", .file = file.number(), .level = level_});
    walk_ = nullptr;
    Result<std::shared_ptr<const TableReader>> table = context_.reader.OpenTable(file);
    if (!table.ok()) {
      part().problem = table.status();
      return false;
    }
    if (auto list = (*table)->Tombstones(); list != nullptr && !list->empty()) {
      context_.tombstones.Add(file.number(), std::move(list), file.smallest, file.largest);
    }
    walk_ = std::make_unique<TableWalk>(context_, *std::move(table));
    return true;
  }

  // Shows the current entry, or the first entry of a later file.
  bool Show(bool on) {
    while (!on) {
      if (!part().problem.ok() || walk_->past_end() || at_ + 1 == files_.size()) return false;
      if (IsPastEnd(files_[at_ + 1]->smallest.user_key) || !Open(at_ + 1)) return false;
      on = walk_->Seek(nullptr, &part());
    }
    key_ = walk_->key();
    value_ = walk_->value();
    return true;
  }
  bool IsPastEnd(std::string_view key) const {
    return context_.question.to && OrderOf(context_)(key, *context_.question.to) >= 0;
  }

  const ScanContext context_;
  const std::span<const FilePtr> files_;
  const int level_;
  size_t at_ = 0;
  std::unique_ptr<TableWalk> walk_;
};

}  // namespace

std::unique_ptr<ScanRun> NewLogRun(const ScanContext& context) {
  return std::make_unique<LogRun>(context);
}

std::unique_ptr<ScanRun> NewFileRun(const ScanContext& context, std::span<const FilePtr> files,
                                    int level) {
  CHECK(!files.empty());
  CHECK(level > 0 || files.size() == 1, "tables of level 0 may overlap");
  return std::make_unique<FileRun>(context, files, level);
}

}  // namespace varve
