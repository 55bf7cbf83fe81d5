// SPDX-License-Identifier: Apache-2.0
// BatchCursor merges the changes of an indexed batch into an iterator of the database.
//
//   base:   a  b     d  e          (records)
//   batch:     x=v c=v  d deleted  (changes, one per key)
//   shows:  a  b  c     e  x
//
// The position in the batch is a copy of its key, so the batch may change meanwhile. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/c/indexed_batch.h"

struct rocksdb_iterator_t;

namespace varve::c {

// Which changes of the batch are shown. The bounds of the base are its own.
struct BatchBounds {
  std::optional<std::string> upper = {};  // Exclusive.
  std::optional<std::string> lower = {};  // Only if `strict`.
  // RocksDB asks for the upper bound of a transaction only where the base has ended; here, the base
  // ends there, too. With `strict`, both bounds hold wherever the base is.
  bool strict = false;
};

class BatchCursor {
 public:
  // `batch` outlives this.
  BatchCursor(std::unique_ptr<rocksdb_iterator_t> base, IndexedBatch& batch,
              const FamilyReading& family, BatchBounds bounds);
  ~BatchCursor();

  void SeekToFirst();
  void SeekToLast();
  void Seek(std::string_view target);
  void SeekForPrev(std::string_view target);
  void Next();  // Both do nothing unless Valid().
  void Prev();

  bool Valid() const { return status_.ok() && place_ != Place::kNone; }
  std::string_view key() const;  // Both require Valid().
  std::string_view value() const;
  const Status& status() const;

 private:
  enum class Place : uint8_t { kNone, kBase, kBatch, kBoth };

  KeyIndex& index() { return batch_.Index(); }
  // Goes to the nearest record from where the two stand, in the direction of movement.
  void Settle();
  // Which of the two is next.
  Place Nearest() const;
  // Whether the change at `change_` leaves a record, which `value_` becomes.
  bool TakeChange();
  void MoveBase();
  void MoveChange();
  bool BehindBound() const;
  // Moves the position in the batch to the bound that it was in front of; none behind the other.
  void KeepWithinBounds();

  const std::unique_ptr<rocksdb_iterator_t> base_;
  IndexedBatch& batch_;
  const FamilyReading family_;
  const BatchBounds bounds_;
  bool forward_ = true;
  Place place_ = Place::kNone;
  KeyIndex::Key change_;  // The position in the batch; none at its end.
  std::string value_;     // Of kBatch and kBoth.
  Status status_;         // Why a record could not be shown.
};

}  // namespace varve::c
