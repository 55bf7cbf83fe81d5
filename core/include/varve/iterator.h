// SPDX-License-Identifier: Apache-2.0
// Iterator walks over the visible records of one column family in key order, in both directions, as
// of the time when it was made (or last refreshed).
//
//   for (it->Seek("user:"); it->Valid(); it->Next()) use(it->key(), it->value());
//   if (!it->status().ok()) ...            // Valid() is false at the end *and* on an error.
//
// Who reads many records takes them by batches, which costs a fraction of a step for each:
//
//   for (it->Seek("user:"); it->Valid();) {
//     for (const Record& record : it->NextBatch(1000)) use(record.key, record.value);
//   }
//   if (!it->status().ok()) ...
//
// key() and value() stay valid until the next non-const call. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "varve/export.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

class DB;
class DbIterator;

// A key with its value, as an iterator shows them.
struct Record {
  std::string_view key;    // As it was written.
  std::string_view value;  // Merge operands folded.
};

// What an iterator shows. Deletions have an empty value.
enum class VersionKind : uint8_t {
  kValue,           // Also merge operands, folded.
  kDeletion,        // By Delete().
  kSingleDeletion,  // By SingleDelete().
};

// A position among the visible records of one column family, made by DB::NewIterator() and not
// positioned at first. One thread at a time. It must be destroyed before the DB and pins the
// memtables and tables that it reads. It moves within the bounds of its ReadOptions; past either
// end, and after an error, it is not Valid(). A seek copies its target and clears an earlier error.
class VARVE_EXPORT Iterator {
 public:
  ~Iterator();  // Releases what it pinned.
  // A moved-from iterator may only be destroyed or assigned to.
  Iterator(Iterator&&) noexcept;
  // Releases what it pinned before.
  Iterator& operator=(Iterator&&) noexcept;

  void SeekToFirst();                         // First record.
  void SeekToLast();                          // Last record.
  void Seek(std::string_view target);         // First record >= target, in the comparator's order.
  void SeekForPrev(std::string_view target);  // Last record <= target.
  void Next();                                // The record behind this one. Requires Valid().
  void Prev();                                // The record before this one. Requires Valid().

  // The current record and those behind it, in order, at most `records_max` of them: moves behind
  // the last one that it returns, as so many calls of Next() would. At least one; fewer than
  // `records_max` if their keys and values reach a megabyte, at the end of the range and before an
  // error, which status() tells: what was returned is right in any case. The records stay valid
  // until the next non-const call. Requires Valid() and records_max > 0.
  std::span<const Record> NextBatch(size_t records_max);

  // It is positioned on a record. False at either end, before the first seek and after an error:
  // see status().
  bool Valid() const;
  std::string_view key() const;    // The record's key. Requires Valid().
  std::string_view value() const;  // Its value, merge operands folded. Requires Valid().
  // Ok, or why the last move failed: kCorruption, kIoError or kNotFound of a file, kNotSupported of
  // a codec or merge operator that is not available, kBusy with ReadOptions::cache_only, or
  // kInvalidArgument if the comparator does not support ReadOptions::prefix.
  const Status& status() const;

  // In a family with timestamps, that of the record's version; else empty. Requires Valid().
  std::string_view timestamp() const;
  // With ReadOptions::iter_start_timestamp, what the shown version is; else a value. Requires
  // Valid().
  VersionKind kind() const;
  // With it, the sequence number of that version; else 0. Requires Valid().
  Sequence sequence() const;

  // Moves to the current state of the database, even if the iterator was made for a snapshot; the
  // iterator is then not positioned. Ok, or kInvalidArgument for the ReadOptions::prefix; read
  // errors show in status() after the next seek.
  Status Refresh();

 private:
  friend class DB;  // Creates iterators.
  explicit Iterator(std::unique_ptr<DbIterator> impl);

  std::unique_ptr<DbIterator> impl_;
};

}  // namespace varve
