// SPDX-License-Identifier: Apache-2.0
// Lookup is one Get on its way down the tree. Sources (memtables, then tables, newest first) feed
// it the versions of its key, newest first, until it says that the answer is final.
//
//   searching --put--> found                     searching --merge--> merging --put/delete-->
//   merged
//             --delete, covered by tombstone--> deleted
//
// It pins what it keeps: the value of a put and every merge operand.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/hash.h"
#include "core/format/internal_key.h"
#include "varve/status.h"
#include "varve/value.h"

namespace varve {

// What a lookup asked of the filters of tables, and whether they were right.
struct FilterCounts {
  uint32_t asked = 0;
  uint32_t passed = 0;  // "Maybe there": the table was searched.
  uint32_t right = 0;   // And it was there.
  uint32_t open = 0;    // 1 between passing a filter and finding out.

  void Asked(bool pass) {
    ++asked;
    open = pass ? 1 : 0;
    passed += open;
  }
  // A table whose filter passed, perhaps before those of others were asked, is searched now.
  void Enter() { open = 1; }
  void Found() {
    right += open;
    open = 0;
  }
  void Add(const FilterCounts& other) {
    asked += other.asked;
    passed += other.passed;
    right += other.right;
  }
};

class Lookup {
 public:
  enum class State : uint8_t {
    kSearching,   // Nothing seen yet.
    kFound,       // `value` is the answer (a blob index or an entity: see `type`).
    kDeleted,     // The answer is "absent".
    kMerging,     // Operands seen, the base not yet. At the end of the tree: merge onto nothing.
    kMergedOnto,  // Operands and their base (`value`) seen.
    kMergedOntoNothing,
    kFailed,  // `status` says why.
  };

  Lookup() = default;
  Lookup(std::string_view key, Sequence at) : user_key(key), snapshot(at) {}

  bool done() const { return state > State::kSearching && state != State::kMerging; }

  // A source that holds range tombstones reports the newest one over the key before its entries.
  void CoverBy(Sequence tombstone) {
    if (tombstone > covered_by) covered_by = tombstone;
  }

  // Feeds one version of `user_key` with sequence <= snapshot, newest first. `pin` keeps `value`
  // alive and is copied only if the value is kept. Returns done().
  bool Feed(Sequence sequence, ValueType type, std::string_view value,
            const std::shared_ptr<const void>& pin);

  void Fail(Status why) {
    VARVE_CHECK(!why.ok());
    status = std::move(why);
    state = State::kFailed;
  }

  // XXPH3 of user_key, that of filters: computed once per operation, where it is first needed.
  uint64_t KeyHash() {
    if (!has_key_hash) {
      key_hash = Xxph3_64(user_key);
      has_key_hash = true;
    }
    return key_hash;
  }

  std::string_view user_key;
  Sequence snapshot = kMaxSequence;
  uint64_t key_hash = 0;
  bool has_key_hash = false;
  FilterCounts filters;

  State state = State::kSearching;
  ValueType type = ValueType::kValue;  // Of `value`.
  Value value;
  std::vector<Value> operands;  // Newest first.
  Sequence covered_by = 0;      // Newest range tombstone seen over the key.
  Status status;
};

// Ascending, equal keys next to each other: as those who look up many at once want them.
template <typename Order>
bool AreSorted(Order order, std::span<Lookup* const> lookups) {
  return std::is_sorted(lookups.begin(), lookups.end(), [&](const Lookup* a, const Lookup* b) {
    return order(a->user_key, b->user_key) < 0;
  });
}

}  // namespace varve
