// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/iterator_sources.h"

#include <optional>
#include <utility>
#include <vector>

#include "core/iterator/merging_iterator.h"

namespace varve {
namespace {

using Sources = std::vector<std::unique_ptr<InternalIterator>>;

// A memtable that is empty now, after the reader's sequence was chosen, will never hold anything
// visible to it.
void AddMemTable(const MemTable* memtable, TombstoneCollector* tombstones, Sources* sources) {
  if (memtable == nullptr || memtable->empty()) return;
  sources->push_back(memtable->NewIterator());
  const std::shared_ptr<const TombstoneLists> lists = memtable->Tombstones();
  if (lists == nullptr) return;
  for (const auto& list : *lists) tombstones->Add(0, list, std::nullopt, std::nullopt);
}

}  // namespace

TableIteratorOptions TableOptionsOf(const ReadView& view, const ReadOptions& options) {
  TableIteratorOptions reading;
  reading.verify_checksums = options.verify_checksums;
  reading.fill_cache = options.fill_cache;
  reading.cache_only = options.cache_only;
  reading.readahead = view.readahead;
  reading.readahead.fixed_window = options.readahead_size;
  return reading;
}

std::unique_ptr<InternalIterator> MergeSources(const ReadView& view,
                                               const TableIteratorOptions& options,
                                               const KeyBounds& bounds,
                                               TombstoneCollector* tombstones) {
  Sources sources;
  sources.reserve(8);  // Nearly always enough.
  AddMemTable(view.memtable.get(), tombstones, &sources);
  for (const std::shared_ptr<MemTable>& memtable : view.immutables) {
    AddMemTable(memtable.get(), tombstones, &sources);
  }
  view.version->AddIterators(options, bounds, tombstones, &sources);
  return NewMergingIterator(*view.comparator, std::move(sources));
}

}  // namespace varve
