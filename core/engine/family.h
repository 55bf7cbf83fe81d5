// SPDX-License-Identifier: Apache-2.0
// Family is one open column family: its options with every default resolved, its memtables and the
// view that readers pin.
//
//   memtable --Seal--> immutables (oldest first) --flushed, oldest first--> tables of the Version
//
// A Family object lives as long as the Engine, even when the family was dropped: a reader may hold
// a reference to it without a lock. Dropping only lets go of its memtables and its Version.
//
// Thread-safe where it says so; the rest is guarded by the engine's mutex.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/read_view.h"
#include "core/memtable/memtable.h"
#include "core/version/version.h"
#include "varve/options.h"
#include "varve/types.h"

namespace varve {

// A sealed memtable on its way to level 0.
struct ImmutableMemTable {
  std::shared_ptr<MemTable> memtable;
  uint64_t next_wal = 0;    // Once it is flushed, WALs below this hold nothing the family needs.
};

class Family {
 public:
  // `options`: comparator and merge operator resolved (the latter may be unknown: null).
  Family(ColumnFamilyId id, std::string name, const ColumnFamilyOptions& options,
         std::string comparator_name);

  // Immutable, thread-safe.
  ColumnFamilyId id() const { return id_; }
  const std::string& name() const { return name_; }
  const ColumnFamilyOptions& options() const { return options_; }
  const std::string& comparator_name() const { return comparator_name_; }
  // Null: a foreign order. Such a family opens read-only and can be listed, not searched.
  const Comparator* comparator() const { return options_.comparator; }
  bool dropped() const { return dropped_.load(std::memory_order_acquire); }

  // Thread-safe: what readers pin.
  const ReadViewHolder& views() const { return views_; }

 private:
  friend class FamilySet;
  const ColumnFamilyId id_;
  const std::string name_;
  const ColumnFamilyOptions options_;
  const std::string comparator_name_;
  std::atomic<bool> dropped_{false};
  ReadViewHolder views_;
};

}  // namespace varve
