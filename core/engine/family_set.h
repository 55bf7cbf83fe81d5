// SPDX-License-Identifier: Apache-2.0
// FamilySet finds families by id without a lock: writers and readers do so for every operation.
//
// The set is a sorted table behind an atomic pointer. Adding a family publishes a new table; the
// old ones, a few bytes each, stay until the engine goes, so no reader ever follows a dead pointer.
// Thread-safe, but Add() needs the engine's mutex.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "core/engine/family.h"
#include "varve/types.h"

namespace varve {

class FamilySet {
 public:
  FamilySet();

  // Dropped or not; null if there never was one.
  Family* Find(ColumnFamilyId id) const;
  Family* Add(std::unique_ptr<Family> family);
  // All, dropped ones included, ascending by id.
  const std::vector<Family*>& all() const { return *table_.load(std::memory_order_acquire); }

 private:
  using Table = std::vector<Family*>;

  std::vector<std::unique_ptr<Family>> families_;  // Guarded by the engine's mutex, as tables_.
  std::vector<std::unique_ptr<const Table>> tables_;
  std::atomic<const Table*> table_;  // Stored with release by Add(), loaded with acquire.
};

}  // namespace varve
