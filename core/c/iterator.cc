// SPDX-License-Identifier: Apache-2.0
// Iterators. One that could not be made is never valid and says why. A function that needs a valid
// iterator does nothing with another one.
#include "core/c/error.h"
#include "core/c/handles.h"

using varve::c::FamilyOf;
using varve::c::View;

struct rocksdb_iterator_t {
  std::optional<varve::Iterator> it;
  varve::Status failure;
  bool tailing = false;
  bool cache_only = false;
  // With prefix_same_as_start and a prefix extractor; else null.
  std::shared_ptr<const varve::c::FamilyObjects> objects;
  // The prefix that the iterator stays within; none before a seek.
  std::optional<std::string> prefix = {};

  const varve::Status& status() const { return it ? it->status() : failure; }
  bool Valid() const { return it && it->Valid() && WithinPrefix(); }

  // Whether it may seek now.
  bool BeforeSeek() {
    prefix.reset();
    if (!it) return false;
    if (tailing) it->Refresh().Ignore("shows in status()");
    return true;
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

 private:
  bool WithinPrefix() const {
    return !prefix || objects->prefix_extractor->PrefixOf(it->key()) == *prefix;
  }
};

namespace varve::c {
namespace {

rocksdb_iterator_t* NewIterator(rocksdb_t* db, const rocksdb_readoptions_t& options,
                                const rocksdb_column_family_handle_t& family) {
  auto iterator = std::make_unique<rocksdb_iterator_t>();
  iterator->failure = CheckIterate(options);
  iterator->cache_only = options.read.cache_only;
  if (!iterator->failure.ok()) return iterator.release();
  auto made = db->db->NewIterator(options.read, family.id);
  if (made.ok()) {
    iterator->it = *std::move(made);
  } else {
    iterator->failure = made.status();
  }
  iterator->tailing = options.tailing;
  const bool has_prefix = family.objects != nullptr && family.objects->prefix_extractor != nullptr;
  if (options.prefix_same_as_start && has_prefix) iterator->objects = family.objects;
  return iterator.release();
}

// An index of a batch is not read: the base, which the new iterator takes over, says so.
rocksdb_iterator_t* RefuseIndex(rocksdb_iterator_t* base, std::string_view name) {
  base->it.reset();
  base->failure = Refusal(name);
  return base;
}

}  // namespace
}  // namespace varve::c

extern "C" {

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base(
    struct rocksdb_writebatch_wi_t* /*batch*/, rocksdb_iterator_t* base) {
  return varve::c::RefuseIndex(base, __func__);
}

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf(
    struct rocksdb_writebatch_wi_t* /*batch*/, rocksdb_iterator_t* base,
    rocksdb_column_family_handle_t* /*family*/) {
  return varve::c::RefuseIndex(base, __func__);
}

rocksdb_iterator_t* rocksdb_create_iterator(rocksdb_t* db, const rocksdb_readoptions_t* options) {
  return varve::c::NewIterator(db, *options, db->default_family);
}

rocksdb_iterator_t* rocksdb_create_iterator_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                               rocksdb_column_family_handle_t* family) {
  return varve::c::NewIterator(db, *options, FamilyOf(*db, family));
}

// All of one state of the database.
void rocksdb_create_iterators(rocksdb_t* db, rocksdb_readoptions_t* options,
                              rocksdb_column_family_handle_t** families,
                              rocksdb_iterator_t** iterators, size_t count, char** errptr) {
  rocksdb_readoptions_t at = *options;
  std::optional<varve::Snapshot> snapshot;
  if (at.read.snapshot == nullptr) {
    snapshot = db->db->GetSnapshot();
    at.read.snapshot = &*snapshot;
  }
  for (size_t i = 0; i < count; ++i) {
    iterators[i] = varve::c::NewIterator(db, at, FamilyOf(*db, families[i]));
    varve::c::SaveError(errptr, iterators[i]->failure);
  }
}

void rocksdb_iter_destroy(rocksdb_iterator_t* iterator) { delete iterator; }

unsigned char rocksdb_iter_valid(const rocksdb_iterator_t* iterator) { return iterator->Valid(); }

void rocksdb_iter_seek_to_first(rocksdb_iterator_t* iterator) {
  if (!iterator->BeforeSeek()) return;
  iterator->it->SeekToFirst();
  iterator->KeepPrefixOfPosition();
}

void rocksdb_iter_seek_to_last(rocksdb_iterator_t* iterator) {
  if (!iterator->BeforeSeek()) return;
  iterator->it->SeekToLast();
  iterator->KeepPrefixOfPosition();
}

void rocksdb_iter_seek(rocksdb_iterator_t* iterator, const char* key, size_t size) {
  if (!iterator->BeforeSeek()) return;
  iterator->it->Seek(View(key, size));
  iterator->KeepPrefixOf(View(key, size));
}

void rocksdb_iter_seek_for_prev(rocksdb_iterator_t* iterator, const char* key, size_t size) {
  if (!iterator->BeforeSeek()) return;
  iterator->it->SeekForPrev(View(key, size));
  iterator->KeepPrefixOf(View(key, size));
}

void rocksdb_iter_next(rocksdb_iterator_t* iterator) {
  if (!iterator->Valid()) return;
  if (iterator->tailing) {
    iterator->NextOfNow();
  } else {
    iterator->it->Next();
  }
}

void rocksdb_iter_prev(rocksdb_iterator_t* iterator) {
  if (iterator->Valid()) iterator->it->Prev();
}

const char* rocksdb_iter_key(const rocksdb_iterator_t* iterator, size_t* size) {
  const std::string_view key = iterator->Valid() ? iterator->it->key() : std::string_view();
  *size = key.size();
  return key.data();
}

const char* rocksdb_iter_value(const rocksdb_iterator_t* iterator, size_t* size) {
  const std::string_view value = iterator->Valid() ? iterator->it->value() : std::string_view();
  *size = value.size();
  return value.data();
}

// There are none.
const char* rocksdb_iter_timestamp(const rocksdb_iterator_t* /*iterator*/, size_t* size) {
  *size = 0;
  return nullptr;
}

void rocksdb_iter_get_error(const rocksdb_iterator_t* iterator, char** errptr) {
  varve::c::SaveReadError(errptr, iterator->cache_only, iterator->status());
}

}  // extern "C"
