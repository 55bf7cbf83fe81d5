// SPDX-License-Identifier: Apache-2.0
// Many lookups in one table. The keys are sorted, so each stage does its work for all of them
// before the next begins:
//
//   tombstones -> filter lines prefetched -> filters probed -> index, one seek per run of keys that
//   share a block -> cache -> all missing blocks in one submission -> entries
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/base/key_order.h"
#include "core/fs/direct_io.h"
#include "core/table/read/table_search.h"

namespace varve {
namespace {

constexpr size_t kWindow = 64;  // Keys that are in the pipeline together.

// A data block that some of the window's keys are looked for in.
struct WantedBlock {
  BlockHandle handle;
  std::shared_ptr<const Block> block;
  std::shared_ptr<Block> buffer;  // While it is being read.
  Status status;
};

struct Probe {
  Lookup* lookup;
  size_t block;         // In the wanted blocks.
  bool next_block_too;  // The key may go on after this block.
};

template <typename Order>
class TableMultiGet {
 public:
  TableMultiGet(Order order, const TableReader::Impl& table, const FetchOptions& options)
      : order_(order),
        table_(table),
        options_(options),
        index_(table.index, table.fetcher, options) {}

  void Run(std::span<Lookup*> window) {
    std::array<Lookup*, kWindow> alive;
    size_t count = 0;
    for (Lookup* lookup : window) {
      if (lookup->done()) continue;
      if (table_.tombstones != nullptr) {
        lookup->CoverBy(table_.tombstones->NewestCovering(lookup->user_key, lookup->snapshot));
      }
      if (table_.global_sequence > lookup->snapshot) continue;
      table_.filter.Prefetch(lookup);
      alive[count++] = lookup;
    }
    probes_.clear();
    blocks_.clear();
    for (Lookup* lookup : std::span(alive).first(count)) {
      if (table_.filter.MayMatch(order_, table_.fetcher, options_, lookup)) Locate(lookup);
    }
    FetchMissing();
    PrefetchEntries();
    for (const Probe& probe : probes_) Feed(probe);
  }

 private:
  // Which block the lookup's first entry is in, if any.
  void Locate(Lookup* lookup) {
    const InternalKey target = SearchTarget(table_, *lookup);
    if (!StaysInBlock(target) && !index_.Seek(order_, target)) {
      if (!index_.status().ok()) lookup->Fail(index_.status());
      return;
    }
    const BlockHandle handle = index_.handle();
    if (blocks_.empty() || blocks_.back().handle != handle) {
      blocks_.push_back({.handle = handle, .block = nullptr, .buffer = nullptr, .status = {}});
    }
    probes_.push_back({lookup, blocks_.size() - 1,
                       NextBlockMayHold(order_, table_, index_.key(), lookup->user_key)});
  }

  // Keys ascend: a target at or before the current separator is in the current block.
  bool StaysInBlock(const InternalKey& target) const {
    if (!index_.valid() || probes_.empty()) return false;
    if (table_.index.encoding.user_keys) return order_(index_.key(), target.user_key) >= 0;
    return CompareStoredKey<Order>{order_, target, false}(index_.key()) >= 0;
  }

  void FetchMissing() {
    std::vector<ReadRequest> requests;
    std::vector<size_t> requested;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      WantedBlock& wanted = blocks_[i];
      wanted.block = table_.fetcher.FindCached(wanted.handle, BlockKind::kData);
      if (wanted.block != nullptr) continue;
      if (options_.cache_only) {
        wanted.status = Status::Busy("block is not in the cache")
                            .At(table_.fetcher.Where(wanted.handle.offset));
        continue;
      }
      wanted.status = table_.fetcher.CheckHandle(wanted.handle, BlockKind::kData);
      if (!wanted.status.ok()) continue;
      const uint64_t size = wanted.handle.size + kBlockTrailerSize;
      wanted.buffer = table_.fetcher.MakeBuffer(wanted.handle, BlockKind::kData);
      requests.push_back({.offset = wanted.handle.offset,
                          .size = static_cast<size_t>(size),
                          .buffer = wanted.buffer->writable()});
      requested.push_back(i);
    }
    if (requests.empty()) return;
    ReadManyAnywhere(table_.fetcher.file(), requests);
    for (size_t i = 0; i < requests.size(); ++i) Accept(requests[i], &blocks_[requested[i]]);
  }

  void Accept(const ReadRequest& request, WantedBlock* wanted) {
    wanted->status = request.status;
    if (!wanted->status.ok()) return;
    Result<std::shared_ptr<const Block>> block =
        table_.fetcher.DecodeInto(std::move(wanted->buffer), request.result, wanted->handle,
                                  BlockKind::kData, options_.verify_checksums);
    if (!block.ok()) {
      wanted->status = block.status();
      return;
    }
    wanted->block = *std::move(block);
    if (options_.fill_cache && options_.verify_checksums) {
      wanted->block =
          table_.fetcher.Insert(wanted->handle, std::move(wanted->block), BlockKind::kData);
    }
  }

  // Asks for the entries of all keys before the first one is looked at.
  void PrefetchEntries() const {
    if constexpr (std::is_same_v<Order, BytewiseOrder>) {
      for (const Probe& probe : probes_) {
        const Block* const block = blocks_[probe.block].block.get();
        if (block == nullptr || block->hints().empty()) continue;
        block->PrefetchInterval(block->hints().Narrow(probe.lookup->user_key).left);
      }
    }
  }

  void Feed(const Probe& probe) {
    Lookup* const lookup = probe.lookup;
    const WantedBlock& wanted = blocks_[probe.block];
    const InternalKey target = SearchTarget(table_, *lookup);
    const bool may_match = !table_.filter.is_per_block() ||
                           table_.filter.BlockMayMatch(wanted.handle.offset, lookup->user_key);
    if (may_match) {
      if (!wanted.status.ok()) return lookup->Fail(wanted.status);
      if (FeedFromBlock(order_, table_, wanted.handle, wanted.block, target, lookup)) return;
    }
    if (!probe.next_block_too) return;
    IndexCursor index(table_.index, table_.fetcher, options_);
    const bool found = index.Seek(order_, target) && index.Next();
    SearchBlocks(order_, table_, options_, found, target, &index, lookup);
  }

  [[no_unique_address]] const Order order_;
  const TableReader::Impl& table_;
  const FetchOptions options_;
  IndexCursor index_;
  std::vector<Probe> probes_;
  std::vector<WantedBlock> blocks_;
};

}  // namespace

void TableReader::MultiGet(const ReadOptions& options, std::span<Lookup*> sorted) const {
  const Impl& table = *impl_;
  if (table.comparator == nullptr) {
    for (Lookup* lookup : sorted) {
      if (!lookup->done()) Get(options, lookup);  // Fails, saying why.
    }
    return;
  }
  WithKeyOrder(*table.comparator, [&](auto order) {
    TableMultiGet<decltype(order)> batch(order, table, ToFetchOptions(options));
    while (!sorted.empty()) {
      const size_t count = std::min(sorted.size(), kWindow);
      batch.Run(sorted.first(count));
      sorted = sorted.subspan(count);
    }
  });
}

}  // namespace varve
