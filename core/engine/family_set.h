// SPDX-License-Identifier: Apache-2.0
// FamilySet finds families by id without a lock: every read and write does this.
//
// The set is a sorted table behind an atomic pointer. Ids ascend, so a new family is appended and
// then counted; a full table is replaced by one without the families that nobody can read any more
// and with twice the room. Replaced tables and dropped families are freed with the engine, so
// readers never follow a dangling pointer: together they take memory linear in the number of
// families ever created, 2 KB each. Thread-safe unless noted otherwise.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/engine/family.h"
#include "core/engine/locks.h"
#include "varve/types.h"

namespace varve {

class FamilySet {
 public:
  FamilySet();

  // Null if there is none; may still find a dropped one.
  Family* Find(ColumnFamilyId id) const;
  Family* Add(std::unique_ptr<Family> family) REQUIRES(write_lead, engine_mutex);
  // All families, ascending by id; may include dropped ones.
  std::span<Family* const> all() const {
    const Table& table = *table_.load(std::memory_order_acquire);
    return {table.families.get(), table.count.load(std::memory_order_acquire)};
  }

 private:
  struct Table {
    explicit Table(size_t capacity)
        : capacity(capacity), families(std::make_unique<Family*[]>(capacity)) {}
    const size_t capacity;
    const std::unique_ptr<Family*[]> families;
    std::atomic<size_t> count{0};  // Stored with release after the family is in its slot.
  };

  // A table with all readable families and `added`, and room for more.
  std::unique_ptr<Table> Rebuilt(Family* added) const;

  std::vector<std::unique_ptr<Family>> families_ GUARDED_BY(engine_mutex);
  std::vector<std::unique_ptr<Table>> tables_ GUARDED_BY(engine_mutex);
  std::atomic<Table*> table_;  // Stored with release by Add(), loaded with acquire.
};

}  // namespace varve
