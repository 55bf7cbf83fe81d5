// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/space/leveled_merge.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"
#include "core/inspect/space/space.h"
#include "core/version/level_iterator.h"

namespace varve {

LeveledMerge::LeveledMerge(const Comparator& comparator, const Version& version,
                           std::vector<LogEntry> logged,
                           const std::vector<RangeTombstone>& log_tombstones)
    : comparator_(comparator), version_(version), tombstones_(comparator, kMaxSequence) {
  if (!log_tombstones.empty()) {
    tombstones_.Add(0, std::make_shared<const FragmentedTombstones>(comparator, log_tombstones),
                    std::nullopt, std::nullopt);
  }
  if (!logged.empty()) {
    sources_.push_back({kWalLevel, NewLogEntriesIterator(comparator, std::move(logged))});
  }
}

Status LeveledMerge::Open() {
  const TableIteratorOptions options{.fill_cache = false};
  for (const FilePtr& file : version_.files(0)) {
    ASSIGN_OR_RETURN(auto it, NewFileIterator(version_, *file, options, &tombstones_));
    sources_.push_back({0, std::move(it)});
  }
  for (int level = 1; level < version_.num_levels(); ++level) {
    if (version_.files(level).empty()) continue;
    sources_.push_back(
        {level, NewLevelIterator(version_, version_.index(level), options, {}, &tombstones_)});
  }
  return Status::Ok();
}

bool LeveledMerge::After(size_t a, size_t b) const {
  return CompareInternalKeys(VirtualOrder{&comparator_}, sources_[a].it->key(),
                             sources_[b].it->key()) > 0;
}

void LeveledMerge::Push(size_t source) {
  const InternalIterator& it = *sources_[source].it;
  if (!it.Valid()) {
    if (status_.ok()) status_ = it.status();
    return;
  }
  heap_.push_back(source);
  std::push_heap(heap_.begin(), heap_.end(), [&](size_t a, size_t b) { return After(a, b); });
}

void LeveledMerge::Seek(const std::optional<std::string>& from) {
  heap_.clear();
  status_ = Status::Ok();
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (from) {
      sources_[i].it->Seek(LookupKey(*from, kMaxSequence));
    } else {
      sources_[i].it->SeekToFirst();
    }
    Push(i);
  }
}

void LeveledMerge::Next() {
  CHECK(Valid());
  std::pop_heap(heap_.begin(), heap_.end(), [&](size_t a, size_t b) { return After(a, b); });
  const size_t source = heap_.back();
  heap_.pop_back();
  sources_[source].it->Next();
  Push(source);
}

}  // namespace varve
