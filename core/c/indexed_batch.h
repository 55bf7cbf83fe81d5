// SPDX-License-Identifier: Apache-2.0
// A write batch that can be read by key, alone or over a database: rocksdb_writebatch_wi_t, and
// what a transaction has written so far.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/c/handles.h"
#include "core/c/key_index.h"

namespace varve::c {

// What reading of a family needs.
struct FamilyReading {
  ColumnFamilyId id = kDefaultColumnFamilyId;
  const Comparator* comparator = BytewiseComparator();
  const MergeOperator* merge_operator = nullptr;  // Null: none that is known.
};
FamilyReading ReadingOf(const rocksdb_column_family_handle_t& family);
// NotSupported for keys with timestamps, which neither batches with an index nor transactions know.
Status CheckIndexable(const FamilyReading& family);

// Thread-compatible.
class IndexedBatch {
 public:
  IndexedBatch() = default;
  explicit IndexedBatch(std::string bytes) : batch{WriteBatch(std::move(bytes))} {}

  // Call with the family of each change, unless its order is the bytewise one.
  void Order(const FamilyReading& family) { index_.SetOrder(family.id, family.comparator); }
  void Order(const rocksdb_column_family_handle_t* family) {
    if (family != nullptr) Order(ReadingOf(*family));
  }
  // The index of all changes so far.
  KeyIndex& Index() {
    index_.CatchUp(batch.batch);
    return index_;
  }
  // Call when the batch became shorter.
  void Shortened() { index_.Reset(); }

  rocksdb_writebatch_t batch = {};

 private:
  KeyIndex index_;
};

// The operands of `effect` on its own base, or on `under` if it has none.
Result<std::string> Merged(const FamilyReading& family, std::string_view key,
                           const KeyIndex::Effect& effect, std::optional<std::string_view> under);

// The value of a key with the changes of the batch.
Result<std::optional<Value>> ReadOver(rocksdb_t* db, const rocksdb_readoptions_t& options,
                                      const rocksdb_column_family_handle_t& family,
                                      IndexedBatch& batch, std::string_view key);

}  // namespace varve::c

// Only points: a program releases that of a transaction with free().
struct rocksdb_writebatch_wi_t {
  varve::c::IndexedBatch* rep;
};
