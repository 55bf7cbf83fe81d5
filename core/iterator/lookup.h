// SPDX-License-Identifier: Apache-2.0
// Lookup is the state of one Get. Sources (memtables, then tables, newest first) pass it the
// versions of its key, newest first, until the result is final.
//
//   searching --put--> found
//             --deletion, or covered by a tombstone--> deleted
//             --merge--> merging --put--> merged onto it
//                                --deletion, or covered--> merged onto nothing
//
// It pins what it returns: the value of a put and every merge operand.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/hash/hash.h"
#include "core/format/internal_key.h"
#include "varve/status.h"
#include "varve/value.h"

namespace varve {

// Filter checks of a lookup, and whether the results were right.
struct FilterCounts {
  uint32_t asked = 0;
  uint32_t passed = 0;  // "Maybe": the table was searched.
  uint32_t right = 0;   // Of those, the key was found.
  uint32_t open = 0;    // 1 while a table whose filter passed is being searched.

  void Asked(bool pass) {
    ++asked;
    open = pass ? 1 : 0;
    passed += open;
  }
  // Starts the search of a table whose filter passed, possibly earlier.
  void Enter() { open = 1; }
  // The same for a table whose filter is not asked.
  void EnterUnasked() { open = 0; }
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
    kMerging,     // Operands seen, but no base yet. At the end of the tree: there is no base.
    kMergedOnto,  // Operands and their base (`value`) seen.
    kMergedOntoNothing,
    kFailed,  // `status` says why.
  };

  Lookup() = default;
  Lookup(std::string_view key, Sequence at) : user_key(key), snapshot(at) {}

  bool done() const { return state > State::kSearching && state != State::kMerging; }

  // Sources with range tombstones report the newest one over the key before its entries.
  void CoverBy(Sequence tombstone) {
    if (tombstone > covered_by) covered_by = tombstone;
  }

  // Call where all versions left are in older sources: a tombstone seen over the key then covers
  // them all, and the result is final. Returns done(). RocksDB's Version::Get() stops there, too.
  bool EndIfCovered() {
    if (covered_by == 0 || done()) return done();
    state = state == State::kMerging ? State::kMergedOntoNothing : State::kDeleted;
    return true;
  }

  // Adds one version of `user_key` with sequence <= snapshot, newest first. `pin` keeps `value`
  // valid and is copied only if the value is kept. Returns done().
  bool Feed(Sequence sequence, ValueType type, std::string_view value,
            const std::shared_ptr<const void>& pin);

  void Fail(Status why) {
    VARVE_CHECK(!why.ok());
    status = std::move(why);
    state = State::kFailed;
  }

  // XXPH3 of user_key, as used by filters: computed at most once per operation.
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
  Sequence newest = 0;          // Of the newest version that was fed.
  Status status;
};

// Sorts ascending, with duplicates adjacent, as needed for batched lookups.
template <typename Order>
bool AreSorted(Order order, std::span<Lookup* const> lookups) {
  return std::is_sorted(lookups.begin(), lookups.end(), [&](const Lookup* a, const Lookup* b) {
    return order(a->user_key, b->user_key) < 0;
  });
}

}  // namespace varve
