// SPDX-License-Identifier: Apache-2.0
// Iterator walks the visible records of one column family in key order, both ways, over the
// snapshot taken when it was made (or last refreshed).
//
//   for (it->Seek("user:"); it->Valid(); it->Next()) use(it->key(), it->value());
//   if (!it->status().ok()) ...            // Valid() is false at the end *and* on an error.
//
// key() and value() stay valid until the next non-const call. One thread.
#pragma once

#include <memory>
#include <string_view>

#include "varve/export.h"
#include "varve/status.h"

namespace varve {

class DbIterator;

// A position among the visible records of one column family; made by DB::NewIterator(), not
// positioned at first. One thread at a time; it must be gone before the DB is, and keeps the
// memtables and tables that it reads until then. It moves within the bounds of its ReadOptions;
// where there is no record, and on an error, it is then not Valid(). A seek copies its target, and
// forgets a former error.
class VARVE_EXPORT Iterator {
 public:
  explicit Iterator(std::unique_ptr<DbIterator> impl);  // For the engine: see DB::NewIterator().
  ~Iterator();                                          // Lets go of what was kept for it.
  // One that was moved from may be destroyed or assigned to, nothing else.
  Iterator(Iterator&&) noexcept;
  // Lets go of what it kept before; else as the constructor.
  Iterator& operator=(Iterator&&) noexcept;

  void SeekToFirst();                         // First record.
  void SeekToLast();                          // Last record.
  void Seek(std::string_view target);         // First record >= target, in the comparator's order.
  void SeekForPrev(std::string_view target);  // Last record <= target.
  void Next();                                // The record behind this one. Requires Valid().
  void Prev();                                // The record before this one. Requires Valid().

  // It stands on a record. False at either end, before the first seek and after an error: see
  // status().
  bool Valid() const;
  std::string_view key() const;    // The record's key. Requires Valid().
  std::string_view value() const;  // Its value, merge operands folded. Requires Valid().
  // Ok, or why the last movement failed: kCorruption, kIoError or kNotFound of a file,
  // kNotSupported of a codec or merge operator that is not here, kBusy with
  // ReadOptions::cache_only; or kInvalidArgument, if ReadOptions::prefix does not go with the
  // order.
  const Status& status() const;

  // Moves to the database's present moment, also if it was made for a snapshot; the iterator is
  // then unpositioned. Ok, or kInvalidArgument for the ReadOptions::prefix; what cannot be read
  // shows in status() after the next seek.
  Status Refresh();

 private:
  std::unique_ptr<DbIterator> impl_;
};

}  // namespace varve
