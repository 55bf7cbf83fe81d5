// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/multiget.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/keys/key_order.h"
#include "core/engine/read/get.h"
#include "core/engine/read/value_resolver.h"
#include "core/iterator/key_head.h"
#include "core/iterator/lookup.h"

namespace varve {
namespace {

// The batch in the comparator's order, each key once.
struct SortedBatch {
  std::vector<Lookup> lookups;      // One per distinct key, ascending.
  std::vector<uint32_t> lookup_of;  // Per key of the caller.
};

// Most comparisons only compare the key heads.
template <typename Order>
SortedBatch Sort(Order order, std::span<const std::string_view> keys, Sequence at) {
  struct Place {
    uint64_t head;
    uint32_t key;
  };
  std::vector<Place> by_key(keys.size());
  for (uint32_t i = 0; i < keys.size(); ++i) by_key[i] = {KeyHead(order, keys[i]), i};
  const auto before = [&](const Place& a, const Place& b) {
    return a.head != b.head ? a.head < b.head : order(keys[a.key], keys[b.key]) < 0;
  };
  if (!std::is_sorted(by_key.begin(), by_key.end(), before)) {
    std::sort(by_key.begin(), by_key.end(), before);
  }
  SortedBatch batch;
  batch.lookups.reserve(keys.size());
  batch.lookup_of.resize(keys.size());
  for (const auto& [head, i] : by_key) {
    if (batch.lookups.empty() || order(batch.lookups.back().user_key, keys[i]) != 0) {
      batch.lookups.emplace_back(keys[i], at);
    }
    batch.lookup_of[i] = static_cast<uint32_t>(batch.lookups.size() - 1);
  }
  return batch;
}

// Removes finished lookups, keeping the order.
void DropDone(std::vector<Lookup*>* pending) {
  std::erase_if(*pending, [](const Lookup* lookup) { return lookup->done(); });
}

std::vector<Result<std::optional<Value>>> GetEach(const ReadView& view, const ReadOptions& options,
                                                  std::span<const std::string_view> keys,
                                                  Sequence at, FilterCounts* filter_counts) {
  std::vector<Result<std::optional<Value>>> results;
  results.reserve(keys.size());
  for (const std::string_view key : keys) {
    FilterCounts one;
    results.push_back(GetFromView(view, options, key, at, &one));
    if (filter_counts != nullptr) filter_counts->Add(one);
  }
  return results;
}

}  // namespace

std::vector<Result<std::optional<Value>>> MultiGetFromView(const ReadView& view,
                                                           const ReadOptions& options,
                                                           std::span<const std::string_view> keys,
                                                           Sequence at, MultiGetGrade grade,
                                                           FilterCounts* filter_counts) {
  if (grade.mode == MultiGetMode::kPerKey) return GetEach(view, options, keys, at, filter_counts);
  SortedBatch batch =
      WithKeyOrder(*view.comparator, [&](auto order) { return Sort(order, keys, at); });
  std::vector<Lookup*> pending;
  pending.reserve(batch.lookups.size());
  for (Lookup& lookup : batch.lookups) pending.push_back(&lookup);

  if (view.memtable != nullptr) view.memtable->MultiGet(pending);
  DropDone(&pending);
  for (size_t i = 0; !pending.empty() && i < view.immutables.size(); ++i) {
    view.immutables[i]->MultiGet(pending);
    DropDone(&pending);
  }
  if (!pending.empty()) view.version->MultiGet(options, grade, pending);

  std::vector<Result<std::optional<Value>>> distinct;
  distinct.reserve(batch.lookups.size());
  for (Lookup& lookup : batch.lookups) {
    if (filter_counts != nullptr) filter_counts->Add(lookup.filters);
    distinct.push_back(FinishLookup(view, &lookup));
  }
  if (distinct.size() == keys.size() &&
      std::is_sorted(batch.lookup_of.begin(), batch.lookup_of.end())) {
    return distinct;
  }
  std::vector<Result<std::optional<Value>>> results;
  results.reserve(keys.size());
  for (const uint32_t i : batch.lookup_of) results.push_back(distinct[i]);
  return results;
}

}  // namespace varve
