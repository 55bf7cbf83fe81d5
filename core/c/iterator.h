// SPDX-License-Identifier: Apache-2.0
// What stands behind an iterator of c.h. One that could not be made is never valid and says why. A
// function that needs a valid iterator does nothing with another one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/c/batch_cursor.h"
#include "core/c/handles.h"
#include "core/c/time_to_live.h"

struct rocksdb_iterator_t {
  std::optional<varve::Iterator> it = {};
  varve::Status failure = {};
  bool tailing = false;
  bool stamped = false;  // Of a database with a time to live (time_to_live.h).
  bool cache_only = false;
  // Shows all versions (rocksdb_readoptions_set_iter_start_ts), whose keys are internal ones.
  bool versions = false;
  // With prefix_same_as_start and a prefix extractor; else null.
  std::shared_ptr<const varve::c::FamilyObjects> objects = {};
  // The prefix that the iterator stays within; none before a seek.
  std::optional<std::string> prefix = {};
  // What it reads.
  varve::c::FamilyReading family = {};
  // With it, this shows a batch over another iterator, and nothing above is used.
  std::unique_ptr<varve::c::BatchCursor> over = {};

  const varve::Status& status() const {
    if (over != nullptr) return over->status();
    return it && failure.ok() ? it->status() : failure;
  }
  bool Valid() const {
    if (over != nullptr) return over->Valid();
    return it && failure.ok() && it->Valid() && WithinPrefix();
  }
  // Both require Valid().
  std::string_view key() const {
    if (over != nullptr) return over->key();
    return versions ? InternalKeyOf(*it) : it->key();
  }
  std::string_view value() const {
    if (over != nullptr) return over->value();
    return stamped ? *varve::c::Unstamped(it->value()) : it->value();
  }

  // Empty where keys have none.
  std::string_view timestamp() const {
    return over == nullptr && Valid() ? it->timestamp() : std::string_view();
  }

  void SeekToFirst() {
    if (over != nullptr) return over->SeekToFirst();
    if (!BeforeSeek()) return;
    it->SeekToFirst();
    KeepPrefixOfPosition();
    CheckStamp();
  }
  void SeekToLast() {
    if (over != nullptr) return over->SeekToLast();
    if (!BeforeSeek()) return;
    it->SeekToLast();
    KeepPrefixOfPosition();
    CheckStamp();
  }
  void Seek(std::string_view target) {
    if (over != nullptr) return over->Seek(target);
    if (!BeforeSeek()) return;
    it->Seek(target);
    KeepPrefixOf(target);
    CheckStamp();
  }
  void SeekForPrev(std::string_view target) {
    if (over != nullptr) return over->SeekForPrev(target);
    if (!BeforeSeek()) return;
    it->SeekForPrev(target);
    KeepPrefixOf(target);
    CheckStamp();
  }
  void Next() {
    if (over != nullptr) return over->Next();
    if (!Valid()) return;
    if (tailing) {
      NextOfNow();
    } else {
      it->Next();
    }
    CheckStamp();
  }
  void Prev() {
    if (over != nullptr) return over->Prev();
    if (!Valid()) return;
    it->Prev();
    CheckStamp();
  }

 private:
  // Whether it may seek now.
  bool BeforeSeek() {
    prefix.reset();
    if (!it) return false;
    failure = varve::Status::Ok();
    if (tailing) it->Refresh().Ignore("shows in status()");
    return true;
  }
  // The iterator ends at a value that has no time behind it.
  void CheckStamp() {
    if (stamped && it->Valid()) failure = varve::c::Unstamped(it->value()).status();
  }
  void KeepPrefixOf(std::string_view key) {
    if (objects != nullptr) prefix = objects->prefix_extractor->PrefixOf(key);
  }
  void KeepPrefixOfPosition() {
    if (it->Valid()) KeepPrefixOf(it->key());
  }
  // What was written since the last move counts as well.
  void NextOfNow() {
    const std::string key(it->key());
    it->Refresh().Ignore("shows in status()");
    it->Seek(key);
    if (it->Valid() && it->key() == key) it->Next();
  }
  std::string_view InternalKeyOf(const varve::Iterator& shown) const;
  bool WithinPrefix() const {
    return !prefix || objects->prefix_extractor->PrefixOf(it->key()) == *prefix;
  }

  mutable std::string internal_key_ = {};
};

namespace varve::c {

rocksdb_iterator_t* NewIterator(rocksdb_t* db, const rocksdb_readoptions_t& options,
                                const rocksdb_column_family_handle_t& family);
// An iterator over `base`, which it takes over, with the changes of `batch` in it.
rocksdb_iterator_t* NewIteratorOver(std::unique_ptr<rocksdb_iterator_t> base, IndexedBatch& batch,
                                    const FamilyReading& family, BatchBounds bounds = {});

}  // namespace varve::c
