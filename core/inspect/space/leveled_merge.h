// SPDX-License-Identifier: Apache-2.0
// LeveledMerge walks all entries of a family in internal-key order and knows the level of each. For
// space.cc; readers use iterator/merging_iterator.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/inspect/wal/log_entries.h"
#include "core/version/version.h"

namespace varve {

class LeveledMerge {
 public:
  // `version` and `comparator` must outlive it. `logged`: entries and range deletions of the logs.
  LeveledMerge(const Comparator& comparator, const Version& version, std::vector<LogEntry> logged,
               const std::vector<RangeTombstone>& log_tombstones);

  Status Open();
  // The first entry at or behind `from` (nullopt: the first of all).
  void Seek(const std::optional<std::string>& from);
  void Next();  // Requires Valid().
  bool Valid() const { return !heap_.empty() && status_.ok(); }
  const Status& status() const { return status_; }

  // Each requires Valid().
  const InternalKey& key() const { return front().it->key(); }
  std::string_view value() const { return front().it->value(); }
  int level() const { return front().level; }
  // Whether a newer range deletion covers the entry.
  bool covered() const { return tombstones_.Covers(key()); }

 private:
  struct Source {
    int level = 0;
    std::unique_ptr<InternalIterator> it;
  };
  const Source& front() const {
    VARVE_CHECK(Valid());
    return sources_[heap_.front()];
  }
  bool After(size_t a, size_t b) const;
  void Push(size_t source);

  const Comparator& comparator_;
  const Version& version_;
  TombstoneCollector tombstones_;
  std::vector<Source> sources_;
  std::vector<size_t> heap_;  // Of sources that are valid; the smallest key in front.
  Status status_;
};

}  // namespace varve
