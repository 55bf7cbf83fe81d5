// SPDX-License-Identifier: Apache-2.0
#include "core/table/read/batch_search.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <type_traits>
#include <vector>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/prefetch.h"
#include "core/base/threads/epoch.h"
#include "core/fs/direct_io.h"
#include "core/table/read/table_search.h"

namespace varve {
namespace {

using Impl = TableReader::Impl;

// A data block that some lookups need.
struct WantedBlock {
  const Impl* table;
  BlockHandle handle;
  std::shared_ptr<const Block> block;
  Status status;
};

// A lookup whose data block is known.
struct Search {
  Lookup* lookup;
  const Impl* table;
  uint32_t block;       // In the wanted blocks.
  bool next_block_too;  // Versions of the key may continue in the next block.
  // Of the block; if it has heads, `tied` is the result of searching them.
  const BlockHeads* heads = nullptr;
  BlockHeads::Range tied = {};
  std::optional<PointIndex::Place> place = {};  // If the table's point index says it.
};

// Maps table and offset to an index in the wanted blocks; open addressing, sized for a window.
class BlockSet {
 public:
  BlockSet() { places_.fill(kFree); }

  // Adds it if it is new.
  uint32_t Find(const Impl& table, BlockHandle handle, std::vector<WantedBlock>* blocks) {
    const BlockCacheKey key = table.fetcher.CacheKey(handle);
    const auto identity = static_cast<uint64_t>(std::bit_cast<uintptr_t>(&table));
    uint64_t at = ((identity >> 6) * 31 + key.offset * 0x9E3779B97F4A7C15) >> 57;
    for (;; at = (at + 1) % places_.size()) {
      if (places_[at] == kFree) break;
      const WantedBlock& there = (*blocks)[places_[at]];
      if (there.table == &table && there.handle == handle) return places_[at];
    }
    DCHECK_OP(blocks->size(), <, kBatchWindow, "a window's lookups want one block each");
    places_[at] = static_cast<uint8_t>(blocks->size());
    blocks->push_back({&table, handle, nullptr, {}});
    return places_[at];
  }

 private:
  static constexpr uint8_t kFree = 255;
  std::array<uint8_t, 2 * kBatchWindow> places_;
};
static_assert(2 * kBatchWindow == 1 << (64 - 57), "BlockSet's hash has 7 bits");

template <typename Order>
class BatchSearch {
 public:
  BatchSearch(Order order, const ReadOptions& options, MultiGetIo io)
      : order_(order), options_(ToFetchOptions(options)), io_(io) {
    searches_.reserve(kBatchWindow);
    blocks_.reserve(kBatchWindow);
  }

  void Run(std::span<const TableProbe> probes) {
    LocateAll(probes);
    FindCached();
    ReadMissing();
    PrefetchEntries();
    for (const Search& search : searches_) Feed(search);
  }

 private:
  // Whether the lookup has to search the table's entries.
  bool Enters(const TableProbe& probe) {
    const Impl& table = probe.table->impl();
    Lookup* const lookup = probe.lookup;
    if (table.tombstones != nullptr) {
      lookup->CoverBy(table.tombstones->NewestCovering(lookup->user_key, lookup->snapshot));
    }
    if (table.global_sequence > lookup->snapshot) return false;
    if (kHasHeads && table.point != nullptr) {
      lookup->filters.EnterUnasked();
      return probe.filter != FilterVerdict::kNo;
    }
    switch (probe.filter) {
      case FilterVerdict::kMaybe:
        lookup->filters.Enter();
        return true;
      case FilterVerdict::kNo:
        return false;
      case FilterVerdict::kNotAsked:
        break;
    }
    if (table.index.partitions == nullptr) {
      return table.filter.MayMatch(order_, table.fetcher, options_, lookup);
    }
    const PartitionMap::Place place =
        table.index.partitions->Find(order_, SearchTarget(table, *lookup));
    return FilterMayMatch(order_, table, options_, place, probe.filter, lookup);
  }

  void LocateAll(std::span<const TableProbe> probes) {
    DCHECK(probes.size() <= kBatchWindow);
    std::array<const TableProbe*, kBatchWindow> entering;
    size_t count = 0;
    for (const TableProbe& probe : probes) {
      if (!Enters(probe)) continue;
      entering[count++] = &probe;
      if constexpr (kHasHeads) {
        const Impl& table = probe.table->impl();
        if (table.point != nullptr) {
          table.point->Prefetch(probe.lookup);
        } else {
          table.index.heads.PrefetchStart(probe.lookup->user_key);
        }
      }
    }
    if constexpr (kHasHeads) {
      for (size_t i = 0; i < count; ++i) {
        const Impl& table = entering[i]->table->impl();
        if (table.point != nullptr) continue;
        table.index.heads.PrefetchEntries(entering[i]->lookup->user_key);
      }
    }
    for (size_t i = 0; i < count; ++i) Locate(entering[i]->table->impl(), entering[i]->lookup);
  }

  void Locate(const Impl& table, Lookup* lookup) {
    if constexpr (kHasHeads) {
      if (table.point != nullptr) {
        const std::optional<PointIndex::Place> place = table.point->Find(lookup);
        if (!place.has_value()) return;
        if (!SpansBlocks(*table.point, *place)) return WantPlace(table, lookup, *place);
      }
      BlockHandle handle;
      const IndexHeads::Found where = table.index.LocateByHeads(lookup->user_key, &handle);
      if (where == IndexHeads::Found::kPastEnd) return;
      if (where == IndexHeads::Found::kHandle) return Want(table, lookup, handle, false);
    }
    IndexCursor index(table.index, table.fetcher, options_);
    if (!index.Seek(order_, SearchTarget(table, *lookup))) {
      if (!index.status().ok()) lookup->Fail(index.status());
      return;
    }
    Want(table, lookup, index.handle(),
         NextBlockMayHold(order_, table, index.key(), lookup->user_key));
  }

  void Want(const Impl& table, Lookup* lookup, BlockHandle handle, bool next_block_too) {
    if (table.filter.is_per_block() &&
        !table.filter.BlockMayMatch(handle.offset, lookup->user_key)) {
      if (next_block_too) GoOn(table, lookup);
      return;
    }
    searches_.push_back({lookup, &table, known_.Find(table, handle, &blocks_), next_block_too});
  }

  void WantPlace(const Impl& table, Lookup* lookup, PointIndex::Place place) {
    const uint32_t block = known_.Find(table, table.point->handle(place.block), &blocks_);
    searches_.push_back({lookup, &table, block, false, nullptr, {}, place});
  }

  // All tables of a batch share one cache, or none has one.
  void FindCached() {
    if (blocks_.empty() || blocks_.front().table->fetcher.cache() == nullptr) return;
    std::array<ClockCache::Wanted, kBatchWindow> wanted;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      DCHECK(blocks_[i].table->fetcher.cache() == blocks_.front().table->fetcher.cache());
      wanted[i].key = blocks_[i].table->fetcher.CacheKey(blocks_[i].handle);
    }
    blocks_.front().table->fetcher.cache()->FindMany(std::span(wanted).first(blocks_.size()));
    for (size_t i = 0; i < blocks_.size(); ++i) {
      WantedBlock& block = blocks_[i];
      if (wanted[i].block == nullptr || wanted[i].block->kind() != BlockKind::kData) continue;
      block.block = std::move(wanted[i].block);
      block.table->fetcher.NoteLookup(*block.block);
    }
  }

  void ReadMissing() {
    std::vector<FileRead> reads;
    std::vector<std::shared_ptr<Block>> buffers;
    std::vector<WantedBlock*> reading;
    for (WantedBlock& wanted : blocks_) {
      if (wanted.block != nullptr) continue;
      const BlockFetcher& fetcher = wanted.table->fetcher;
      wanted.status = fetcher.CheckHandle(wanted.handle, BlockKind::kData);
      if (options_.cache_only) {
        wanted.status =
            Status::Busy("block is not in the cache").At(fetcher.Where(wanted.handle.offset));
      }
      if (!wanted.status.ok()) continue;
      const uint64_t size = wanted.handle.size + kBlockTrailerSize;
      std::shared_ptr<Block> buffer = fetcher.MakeBuffer(wanted.handle, BlockKind::kData);
      if (buffer == nullptr) {
        wanted.status = fetcher.NoMemory(size, wanted.handle);
        continue;
      }
      buffers.push_back(std::move(buffer));
      reads.push_back({&fetcher.file(),
                       {.offset = wanted.handle.offset,
                        .size = static_cast<size_t>(size),
                        .buffer = buffers.back()->writable()}});
      reading.push_back(&wanted);
    }
    if (reads.empty()) return;
    ReadAll(reads);
    for (size_t i = 0; i < reads.size(); ++i) {
      Accept(reads[i].request, std::move(buffers[i]), reading[i]);
    }
  }

  void ReadAll(std::span<FileRead> reads) const {
    if (io_ == MultiGetIo::kGlobal) return ReadManyFiles(reads);
    for (size_t i = 0; i < reads.size();) {  // One submission per table, in key order.
      std::vector<ReadRequest> requests;
      const size_t first = i;
      for (; i < reads.size() && reads[i].file == reads[first].file; ++i) {
        requests.push_back(reads[i].request);
      }
      ReadManyAnywhere(*reads[first].file, requests);
      for (size_t j = first; j < i; ++j) reads[j].request = std::move(requests[j - first]);
    }
  }

  void Accept(const ReadRequest& request, std::shared_ptr<Block> buffer, WantedBlock* wanted) {
    wanted->status = request.status;
    if (!wanted->status.ok()) return;
    const BlockFetcher& fetcher = wanted->table->fetcher;
    Result<std::shared_ptr<const Block>> block =
        fetcher.DecodeInto(std::move(buffer), request.result, wanted->handle, BlockKind::kData,
                           options_.verify_checksums);
    if (!block.ok()) {
      wanted->status = block.status();
      return;
    }
    wanted->block = *std::move(block);
    if (options_.fill_cache && options_.verify_checksums) {
      wanted->block = fetcher.Insert(wanted->handle, std::move(wanted->block), BlockKind::kData);
    }
  }

  // Prefetches the entries of all keys before the first is read.
  void PrefetchEntries() {
    if constexpr (kHasHeads) {
      for (Search& search : searches_) {
        const Block* const block = blocks_[search.block].block.get();
        if (block == nullptr) continue;
        const std::string_view key = search.lookup->user_key;
        search.heads = block->heads();
        if (search.place.has_value()) {
          PrefetchPlace(*block, search);
        } else if (search.heads != nullptr) {
          search.tied = search.heads->Search(key);
          if (search.tied.begin == search.tied.end) continue;
          const char* const entry = search.heads->entry(search.tied.begin);
          PrefetchLine(entry);
          PrefetchLine(entry + 64);
        } else if (!block->hints().empty()) {
          block->PrefetchInterval(block->hints().Narrow(key).left);
        }
      }
    }
  }

  void PrefetchPlace(const Block& block, const Search& search) {
    const uint32_t slot = search.place->slot;
    if (search.heads != nullptr && slot < search.heads->count()) {
      PrefetchLine(search.heads->entry(slot));
      return;
    }
    const uint64_t interval = search.table->properties.data_block_restart_interval;
    if (interval > 0 && slot / interval < block.view().num_restarts) {
      block.PrefetchInterval(static_cast<uint32_t>(slot / interval));
    }
  }

  void Feed(const Search& search) {
    Lookup* const lookup = search.lookup;
    const WantedBlock& wanted = blocks_[search.block];
    if (search.place.has_value()) {
      const Impl& table = *search.table;
      if (wanted.status.ok() && FeedFromPlace(order_, table, *search.place, wanted.block,
                                              SearchTarget(table, *lookup), lookup)) {
        return;
      }
      // Another key is there, or nothing that can be read.
      return SearchByIndex(order_, table, options_, FilterVerdict::kNotAsked, lookup);
    }
    if (!wanted.status.ok()) return lookup->Fail(wanted.status);
    const Impl& table = *search.table;
    const InternalKey target = SearchTarget(table, *lookup);
    bool done = false;
    if (search.heads != nullptr && search.tied.end - search.tied.begin <= kTiedHeadsMax) {
      done = FeedThroughHeads(order_, table, wanted.handle, *wanted.block, *search.heads,
                              wanted.block, target, search.tied, lookup);
    } else {
      done = FeedFromBlock(order_, table, wanted.handle, wanted.block, target, lookup);
    }
    if (done) return;
    if (search.next_block_too) GoOn(table, lookup);
  }

  // Continues in the following blocks, for a key whose versions span blocks.
  void GoOn(const Impl& table, Lookup* lookup) {
    const InternalKey target = SearchTarget(table, *lookup);
    IndexCursor index(table.index, table.fetcher, options_);
    const bool found = index.Seek(order_, target) && index.Next();
    SearchBlocks(order_, table, options_, found, target, &index, lookup);
  }

  static constexpr bool kHasHeads = std::is_same_v<Order, BytewiseOrder>;

  [[no_unique_address]] const Order order_;
  const FetchOptions options_;
  const MultiGetIo io_;
  std::vector<Search> searches_;
  std::vector<WantedBlock> blocks_;
  BlockSet known_;
};

FilterVerdict VerdictOf(bool may_match) {
  return may_match ? FilterVerdict::kMaybe : FilterVerdict::kNo;
}

// The cached filter partitions that AskFilters() checks, without references to them and within one
// epoch: taking references would wait for each partition separately.
class PartitionsToAsk {
 public:
  // If the table has a filter in decoded partitions.
  void Add(TableProbe* probe) {
    const Impl& table = probe->table->impl();
    if (table.point != nullptr) return;
    if (table.index.partitions == nullptr || table.fetcher.cache() == nullptr) return;
    const std::vector<BlockHandle>& handles = table.index.partitions->filter_partitions();
    if (handles.empty()) return;
    const PartitionMap::Place place = WithKeyOrder(*table.comparator, [&](auto order) {
      return table.index.partitions->Find(order, SearchTarget(table, *probe->lookup));
    });
    const BlockHandle& handle = handles[place.filter];
    if (handle.size == 0) return;
    DCHECK_OP(count_, <, asks_.size());
    asks_[count_++] = {probe, &handle, nullptr};
    table.fetcher.PrefetchPlace(handle);
  }

  void Ask() {
    if (count_ == 0) return;
    const EpochGuard guard;
    const std::span asks = std::span(asks_).first(count_);
    for (const One& ask : asks) ask.fetcher().PrefetchFilter(*ask.handle);
    size_t found = 0;
    for (One& ask : asks) {
      const Block* const block = ask.fetcher().PeekCached(*ask.handle);
      ask.filter = block == nullptr ? nullptr : block->filter();
      if (ask.filter == nullptr) continue;
      ++found;
      ask.reader().PrefetchProbe(*ask.filter, ask.probe->lookup);
    }
    for (const One& ask : asks) {
      if (ask.filter == nullptr) continue;
      ask.probe->filter = VerdictOf(ask.reader().ProbeMayMatch(*ask.filter, ask.probe->lookup));
    }
    asks.front().fetcher().cache()->CountHits(found);  // All tables of a batch have the same cache.
  }

 private:
  struct One {
    TableProbe* probe;
    const BlockHandle* handle;
    const FilterProbe* filter;  // Null until the partition is found.

    const BlockFetcher& fetcher() const { return probe->table->impl().fetcher; }
    const FilterReader& reader() const { return probe->table->impl().filter; }
  };
  std::array<One, kBatchWindow> asks_;
  size_t count_ = 0;
};

// Checks that no lookup occurs twice.
[[maybe_unused]] bool AreDistinct(std::span<const TableProbe> probes) {
  std::set<const Lookup*> seen;
  return std::all_of(probes.begin(), probes.end(),
                     [&](const TableProbe& probe) { return seen.insert(probe.lookup).second; });
}

}  // namespace

void AskFilters(std::span<TableProbe> probes) {
  for (; probes.size() > kBatchWindow; probes = probes.subspan(kBatchWindow)) {
    AskFilters(probes.first(kBatchWindow));
  }
  PartitionsToAsk partitions;
  for (TableProbe& probe : probes) {
    if (probe.table == nullptr) continue;
    if (const PointIndex* point = probe.table->impl().point.get()) {
      point->Prefetch(probe.lookup);
      continue;
    }
    probe.table->impl().filter.Prefetch(probe.lookup);
    partitions.Add(&probe);
  }
  partitions.Ask();
  for (TableProbe& probe : probes) {
    if (probe.table == nullptr) continue;
    if (const PointIndex* point = probe.table->impl().point.get()) {
      if (!point->Find(probe.lookup)) probe.filter = FilterVerdict::kNo;
      continue;
    }
    if (!probe.table->impl().filter.is_resident()) continue;
    probe.filter = VerdictOf(probe.table->impl().filter.ResidentMayMatch(probe.lookup));
  }
}

void SearchTables(const ReadOptions& options, MultiGetIo io, std::span<const TableProbe> probes) {
  CHECK_OP(probes.size(), <=, kBatchWindow);
  DCHECK(AreDistinct(probes));
  const Comparator* comparator = nullptr;
  for (const TableProbe& probe : probes) {
    comparator = probe.table->comparator();
    if (comparator == nullptr) break;
  }
  if (comparator == nullptr) {  // Get() returns the error for such a table.
    for (const TableProbe& probe : probes) probe.table->Get(options, probe.lookup);
    return;
  }
  WithKeyOrder(*comparator,
               [&](auto order) { BatchSearch<decltype(order)>(order, options, io).Run(probes); });
}

void SearchTable(const ReadOptions& options, const TableReader& table,
                 std::span<Lookup* const> lookups) {
  std::vector<TableProbe> probes;
  probes.reserve(lookups.size());
  for (Lookup* lookup : lookups) {
    if (!lookup->done()) probes.push_back({.lookup = lookup, .table = &table});
  }
  AskFilters(probes);
  for (std::span<const TableProbe> rest = probes; !rest.empty();) {
    const size_t count = std::min(rest.size(), kBatchWindow);
    SearchTables(options, MultiGetIo::kPerFile, rest.first(count));
    rest = rest.subspan(count);
  }
}

}  // namespace varve
