// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/get.h"

#include <algorithm>

#include "core/engine/read/value_resolver.h"
#include "core/iterator/lookup.h"

namespace varve {
namespace {

void Search(const ReadView& view, const ReadOptions& options, Lookup* lookup) {
  bool done = view.memtable != nullptr && view.memtable->Get(lookup);
  for (size_t i = 0; !done && i < view.immutables.size(); ++i) {
    done = view.immutables[i]->Get(lookup);
  }
  if (!done) view.version->Get(options, lookup);
}

}  // namespace

Result<std::optional<Value>> GetFromView(const ReadView& view, const ReadOptions& options,
                                         std::string_view key, Sequence at,
                                         FilterCounts* filter_counts) {
  Lookup lookup(key, at);
  Search(view, options, &lookup);
  if (filter_counts != nullptr) *filter_counts = lookup.filters;
  return FinishLookup(view, &lookup);
}

Result<Sequence> NewestSequence(const ReadView& view, std::string_view key, Sequence at) {
  Lookup lookup(key, at);
  Search(view, {}, &lookup);
  if (lookup.state == Lookup::State::kFailed) return lookup.status;
  return std::max(lookup.newest, lookup.covered_by);
}

}  // namespace varve
