// SPDX-License-Identifier: Apache-2.0
// TableIterator walks a table's entries: an IndexCursor over the data blocks, a BlockCursor in the
// current one. A step within a block is inline decoding and one key comparison, which detects
// tables whose entries are out of order.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/text/text.h"
#include "core/base/threads/work_meter.h"
#include "core/iterator/record_run.h"
#include "core/table/block/block_cursor.h"
#include "core/table/block/neighbours.h"
#include "core/table/read/table_state.h"
#include "core/table/readahead/prefetcher.h"

namespace varve {
namespace {

// The order of a table with an unknown comparator: later entries are larger.
struct FileOrder {
  int operator()(std::string_view, std::string_view) const { return -1; }
};

template <typename Order>
class TableIterator final : public InternalIterator, private ReadaheadGuide {
 public:
  TableIterator(const TableReader::Impl& table, const TableIteratorOptions& options, Order order)
      : table_(table),
        order_(order),
        options_(options),
        run_(options.run != nullptr ? options.run : &own_run_),
        fetch_{.verify_checksums = options.verify_checksums,
               .fill_cache = options.fill_cache,
               .cache_only = options.cache_only,
               .in_place = !options.fill_cache},
        index_(table.index, table.fetcher, fetch_) {}

  void SeekToFirst() override {
    BeginSeek();
    if (!OpenBlock(index_.SeekToFirst())) return;
    Move(cursor_.SeekToFirst(), kForward);
  }

  void SeekToLast() override {
    BeginSeek();
    if (!OpenBlock(index_.SeekToLast())) return;
    Move(cursor_.SeekToLast(), kBackward);
  }

  bool Prepare(const InternalKey& target) override {
    if constexpr (std::is_same_v<Order, FileOrder>) {
      return false;
    } else {
      switch (prepared_) {
        case Prepared::kNothing:
          Exhaust();
          cursor_.Detach();
          block_ = nullptr;
          prepared_ = index_.Seek(order_, StoredTarget(target)) ? Prepared::kPlace : Prepared::kEnd;
          if (prepared_ == Prepared::kPlace) table_.fetcher.PrefetchPlace(index_.handle());
          break;
        case Prepared::kPlace:
          table_.fetcher.PrefetchBlock(index_.handle());
          prepared_ = Prepared::kBlock;
          break;
        case Prepared::kBlock:
          FindSoughtBlock(target);
          if (block_ == nullptr) Announce();
          prepared_ = Prepared::kEntries;
          break;
        case Prepared::kEntries:
        case Prepared::kEnd:
          break;
      }
      return prepared_ < Prepared::kEntries;
    }
  }

  void Seek(const InternalKey& target) override {
    const Prepared prepared = prepared_;
    BeginSeek();
    if constexpr (std::is_same_v<Order, FileOrder>) {
      FailUnsearchable();
    } else {
      const InternalKey stored = StoredTarget(target);
      before_.reset();
      if (prepared == Prepared::kEnd ||
          (prepared == Prepared::kNothing && !index_.Seek(order_, stored))) {
        EndOrFail(index_.status());
        return;
      }
      if (prepared != Prepared::kEntries) FindSoughtBlock(target);
      if (!TakeBlock(std::move(block_))) return;
      Move(SeekInBlock(order_, *block_, stored, table_.bare_keys, &cursor_), kForward);
      while (Valid() && CompareInternalKeys(order_, key(), target) < 0) Next();
    }
  }

  void SeekForPrev(const InternalKey& target) override {
    Seek(target);
    if constexpr (!std::is_same_v<Order, FileOrder>) {
      if (!Valid()) {
        if (status().ok()) SeekToLast();
      } else if (CompareInternalKeys(order_, key(), target) > 0) {
        Prev();
      }
    }
  }

  void Next() override {
    DCHECK(Valid());
    const std::string_view before = cursor_.key();
    if (cursor_.Next()) [[likely]] {
      cursor_.PrefetchAhead();
      ShowNext(before);
      return;
    }
    KeepBefore(before);
    Move(false, kForward);
  }

  void Prev() override {
    DCHECK(Valid());
    KeepBefore(cursor_.key());
    if (cursor_.Prev()) [[likely]] {
      Show(&*before_, kBackward);
      return;
    }
    Move(false, kBackward);
  }

  size_t ReadRun(const RunLimits& limits, RecordRun* run) override {
    DCHECK(Valid());
    if constexpr (std::is_same_v<Order, BytewiseOrder>) {
      const bool plain = !table_.bare_keys && table_.global_sequence == 0;
      if (plain && cursor_.HasRuns()) return ReadRunOfBlock(limits, run);
    }
    return 0;
  }

 private:
  enum Direction { kForward, kBackward };
  // How far the next Seek is prepared.
  enum class Prepared : uint8_t {
    kNothing,
    kPlace,  // index_ is on the block; its slot in the cache is prefetched.
    kBlock,  // The block itself is prefetched as well.
    // The block was looked up: it is in block_ with its entries prefetched, or not cached.
    kEntries,
    kEnd,  // index_ is at the end.
  };

  void FailUnsearchable() {
    Fail(Status::NotSupported("the order \"" + EscapeForDisplay(table_.comparator_name) +
                              "\" is not known: the table can be scanned but not searched")
             .At(table_.fetcher.Where(0)));
  }

  void BeginSeek() {
    ClearFailure();
    prepared_ = Prepared::kNothing;
    own_run_.consumed = 0;
  }

  // With a global sequence number the stored ones are all equal and differ from the ones shown:
  // seek to the user key's first entry; Seek then steps over it if the target sorts after what is
  // shown.
  InternalKey StoredTarget(const InternalKey& target) const {
    return table_.global_sequence != 0 ? LookupKey(target.user_key, kMaxSequence) : target;
  }

  bool ReadsInBackground() const {
    return options_.readahead.mode == ScanReadahead::kAdaptive &&
           table_.fetcher.file().alignment() > 1;
  }

  Prefetcher* MakePrefetcher() {
    if (prefetcher_ == nullptr) {
      prefetcher_ = NewPrefetcher(table_.fetcher.file(), table_.fetcher.footer().offset,
                                  options_.readahead, run_, this);
    }
    return prefetcher_.get();
  }

  // The blocks from the current one on that begin in `range`, up to the bound.
  Range Trim(Range range) override {
    if constexpr (std::is_same_v<Order, FileOrder>) {
      return range;
    } else {
      Range wanted{range.end, range.begin};
      IndexCursor ahead(table_.index, table_.fetcher, fetch_);
      InternalKey here;
      bool found = SeparatorKey(index_.key(), &here) && ahead.Seek(order_, here);
      for (; found && ahead.handle().offset < range.end; found = ahead.Next()) {
        const BlockHandle handle = ahead.handle();
        const uint64_t end = handle.offset + handle.size + kBlockTrailerSize;
        if (end > range.begin && !table_.fetcher.IsCached(handle)) {
          wanted.begin = std::min(wanted.begin, std::max(handle.offset, range.begin));
          wanted.end = std::min(end, range.end);
        }
        if (IsPastBound(ahead.key())) break;
      }
      return wanted;
    }
  }

  // A key that seeks to this separator.
  bool SeparatorKey(std::string_view separator, InternalKey* key) const {
    if (table_.index.encoding.user_keys) {
      *key = LookupKey(separator, kMaxSequence);
      return true;
    }
    const std::optional<InternalKey> decoded = DecodeInternalKey(separator);
    if (decoded) *key = *decoded;
    return decoded.has_value();
  }

  // Whether all blocks behind this one's separator are past the bound.
  bool IsPastBound(std::string_view separator) const {
    InternalKey key;
    return options_.upper_bound && SeparatorKey(separator, &key) &&
           order_(key.user_key, *options_.upper_bound) >= 0;
  }

  // After a move of index_: loads its block. False if there is none; the iterator is then at the
  // end or has a status.
  bool OpenBlock(bool found) {
    before_.reset();
    return found ? LoadBlock() : EndOrFail(index_.status());
  }

  bool LoadBlock() {
    return TakeBlock(table_.fetcher.FindCached(index_.handle(), BlockKind::kData));
  }

  // Loads block_ if it is cached, and prefetches the entries around the target.
  void FindSoughtBlock(const InternalKey& target) {
    block_ = table_.fetcher.FindCached(index_.handle(), BlockKind::kData);
    if (block_ == nullptr) return;
    table_.fetcher.NoteLookup(*block_);
    if constexpr (std::is_same_v<Order, BytewiseOrder>) block_->PrefetchEntries(target.user_key);
  }

  // Starts reading the block of index_ in the background, if possible.
  void Announce() {
    const BlockHandle handle = index_.handle();
    if (!ReadsInBackground() || !table_.fetcher.CheckHandle(handle, BlockKind::kData).ok()) return;
    MakePrefetcher()->Announce(handle.offset, handle.size + kBlockTrailerSize);
  }

  // Takes the block of index_ from the cache, or reads it.
  bool TakeBlock(std::shared_ptr<const Block> block) {
    const BlockHandle handle = index_.handle();
    if (block != nullptr) {
      Pass(handle);
    } else {
      fetch_.prefetcher = MakePrefetcher();
      Result<std::shared_ptr<const Block>> fetched =
          table_.fetcher.FetchMissing(handle, BlockKind::kData, fetch_);
      if (!fetched.ok()) return EndOrFail(fetched.status());
      block = *std::move(fetched);
    }
    DCHECK(block != nullptr);
    if (options_.meter != nullptr) options_.meter->Add(handle.size + kBlockTrailerSize);
    cursor_.Attach(*block);
    block_ = std::move(block);
    return true;
  }

  void Pass(BlockHandle handle) {
    const uint64_t size = handle.size + kBlockTrailerSize;
    if (prefetcher_ != nullptr) {
      prefetcher_->Pass(handle.offset, size);
    } else {
      run_->consumed += size;
    }
  }

  bool EndOrFail(const Status& status) {
    cursor_.Detach();
    if (status.ok()) {
      Exhaust();
    } else {
      Fail(status);
    }
    return false;
  }

  // `on_entry`: the cursor's last move found an entry. Otherwise continues in the next blocks.
  void Move(bool on_entry, Direction direction) {
    while (!on_entry) {
      if (cursor_.damaged()) return FailDamaged();
      const bool found = direction == kForward ? index_.Next() : index_.Prev();
      if (!found) {
        EndOrFail(index_.status());
        return;
      }
      if (!LoadBlock()) return;
      on_entry = direction == kForward ? cursor_.SeekToFirst() : cursor_.SeekToLast();
    }
    Show(before_.has_value() ? &*before_ : nullptr, direction);
  }

  void FailDamaged() {
    const Status why = table_.Damaged(index_.handle(), cursor_.offset());
    EndOrFail(why);
  }

  // The step may leave the block (or the interval) that holds the key.
  void KeepBefore(std::string_view key) {
    kept_key_.assign(key);
    before_ = kept_key_;
  }

  // Shows the next entry of the block. The order check only compares the bytes that the two keys do
  // not share, and keys in a block share most.
  void ShowNext(std::string_view before) {
    if constexpr (std::is_same_v<Order, BytewiseOrder>) {
      InternalKey shown;
      const InternalKey& from = key();  // Still readable: the bytes of `before`.
      if (!table_.bare_keys && table_.global_sequence == 0 &&
          ParseStoredKey(cursor_.key(), false, &shown)) [[likely]] {
        const int c = CompareBehind(cursor_.shared(), from.user_key, shown.user_key);
        if (c > 0 || (c == 0 && from.packed() <= shown.packed())) [[unlikely]] {
          return FailDisorder();
        }
        return Expose(shown, cursor_.value(), c != 0);
      }
    }
    Show(&before, kForward);
  }

  size_t ReadRunOfBlock(RunLimits limits, RecordRun* run) {
    if (limits.before && EndsBefore(*limits.before)) limits.before.reset();
    const bool pinned = block_->owns_bytes();
    const size_t appended = cursor_.ReadRun(limits, pinned, run);
    if (appended == 0) return 0;
    if (pinned) run->Pin(block_);
    InternalKey shown;
    CHECK(ParseStoredKey(cursor_.key(), /*bare=*/false, &shown));
    Expose(shown, cursor_.value(), /*starts_user_key=*/true);
    return appended;
  }

  // Whether all keys of this block are smaller.
  bool EndsBefore(std::string_view user_key) const {
    InternalKey separator;
    return SeparatorKey(index_.key(), &separator) && order_(separator.user_key, user_key) < 0;
  }

  // Shows the cursor's entry. `before`: the stored key that the step came from, or null.
  void Show(const std::string_view* before, Direction direction) {
    InternalKey shown;
    if (!ParseStoredKey(cursor_.key(), table_.bare_keys, &shown)) [[unlikely]] {
      return FailDamaged();
    }
    if (before != nullptr) [[likely]] {
      InternalKey from;
      ParseStoredKey(*before, table_.bare_keys, &from);
      const int c = direction == kForward ? CompareInternalKeys(order_, from, shown)
                                          : CompareInternalKeys(order_, shown, from);
      if (c >= 0) [[unlikely]]
        return FailDisorder();
    }
    if (table_.global_sequence != 0) [[unlikely]]
      shown.sequence = table_.global_sequence;
    Expose(shown, cursor_.value());
  }

  void FailDisorder() { EndOrFail(table_.Disordered(index_.handle(), cursor_.offset())); }

  const TableReader::Impl& table_;
  [[no_unique_address]] const Order order_;
  const TableIteratorOptions options_;
  ReadaheadRun own_run_;
  ReadaheadRun* const run_;
  std::unique_ptr<Prefetcher> prefetcher_;  // Created when the first block is not cached.
  FetchOptions fetch_;
  IndexCursor index_;
  Prepared prepared_ = Prepared::kNothing;
  std::shared_ptr<const Block> block_;
  BlockCursor cursor_;
  std::string kept_key_;
  std::optional<std::string_view> before_;  // kept_key_ if the step came from there.
};

}  // namespace

std::unique_ptr<InternalIterator> NewTableIterator(const TableReader::Impl& table,
                                                   const TableIteratorOptions& options) {
  if (table.comparator == nullptr) {
    return std::make_unique<TableIterator<FileOrder>>(table, options, FileOrder{});
  }
  return WithKeyOrder(*table.comparator, [&](auto order) -> std::unique_ptr<InternalIterator> {
    // glibc's malloc has what is larger than this in no cache of the thread.
    static_assert(sizeof(TableIterator<decltype(order)>) <= 1032);
    return std::make_unique<TableIterator<decltype(order)>>(table, options, order);
  });
}

}  // namespace varve
