// SPDX-License-Identifier: Apache-2.0
// CompactionFilter removes or changes values while their tables are compacted, e.g. what has
// expired.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "varve/export.h"

namespace varve {

// Decides what becomes of values. Used by one thread. Must not throw: the engine is compiled
// without exceptions.
class VARVE_EXPORT CompactionFilter {
 public:
  // What becomes of a value.
  enum class Decision : uint8_t {
    kKeep,    // It stays.
    kRemove,  // The key is deleted, also older versions of it.
    kChange,  // It becomes another one.
  };

  virtual ~CompactionFilter() = default;  // Its part of the compaction has ended.
  // Called once for each key whose newest change in the compaction is a put, also for those that a
  // snapshot still sees; not for values in blob files or of columns. With kChange, `new_value`
  // becomes its value. `level`: the one that is compacted. The arguments are valid during the call.
  virtual Decision Filter(int level, std::string_view key, std::string_view value,
                          std::string* new_value) = 0;
};

// Makes a filter for each part of a compaction: ColumnFamilyOptions::compaction_filter_factory.
// Must outlive every DB that uses it; called by many threads at once. Flushes, and compactions that
// only move tables to another level, filter nothing: CompactRangeOptions::force_bottommost rewrites
// all tables of a range.
class VARVE_EXPORT CompactionFilterFactory {
 public:
  // What is known of a compaction when it begins.
  struct Context {
    bool full = false;    // All tables of the family take part.
    bool manual = false;  // DB::CompactRange() asked for it.
  };

  virtual ~CompactionFilterFactory() = default;  // No DB may use it any more.
  // Under which workers of a CompactionService find it: its compactions are only given to those
  // that have registered a factory of this name. Empty: to none. Valid as long as the factory.
  // Defined here for the reason given at Comparator::FindShortestSeparator().
  virtual std::string_view name() const { return {}; }
  // Null: this one filters nothing.
  virtual std::unique_ptr<CompactionFilter> Create(const Context& context) const = 0;
};

}  // namespace varve
