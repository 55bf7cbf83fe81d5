// SPDX-License-Identifier: Apache-2.0
// FamilySet finds families by id without a lock: writers and readers do so for every operation.
//
// The set is a sorted table behind an atomic pointer. Ids ascend, so that a new family is written
// behind the others and then counted; a table that is full gives way to one without the families
// that have been dropped, with as much room as the others take. Tables that were replaced and
// families that were dropped stay until the engine goes, so no reader ever follows a dead pointer:
// together they take memory linear in the number of families ever made, 2 KB each.
// Thread-safe where nothing else is required.
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

  // Null if there is none; one that was dropped may still be found.
  Family* Find(ColumnFamilyId id) const;
  Family* Add(std::unique_ptr<Family> family) REQUIRES(write_lead, engine_mutex);
  // All, ascending by id, perhaps with some that were dropped.
  std::span<Family* const> all() const;

 private:
  struct Table {
    explicit Table(size_t capacity)
        : capacity(capacity), families(std::make_unique<Family*[]>(capacity)) {}
    const size_t capacity;
    const std::unique_ptr<Family*[]> families;
    std::atomic<size_t> count{0};  // Stored with release once the family is in its place.
  };

  // With all that are alive and `added`, and room for more.
  std::unique_ptr<Table> Rebuilt(Family* added) const;

  std::vector<std::unique_ptr<Family>> families_ GUARDED_BY(engine_mutex);
  std::vector<std::unique_ptr<Table>> tables_ GUARDED_BY(engine_mutex);
  std::atomic<Table*> table_;  // Stored with release by Add(), loaded with acquire.
};

}  // namespace varve
