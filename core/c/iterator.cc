// SPDX-License-Identifier: Apache-2.0
#include "core/c/iterator.h"

#include "core/c/error.h"
#include "core/format/internal_key.h"

using varve::ValueType;
using varve::VersionKind;
using varve::c::FamilyOf;
using varve::c::View;

namespace {

ValueType TypeOf(VersionKind kind) {
  switch (kind) {
    case VersionKind::kDeletion:
      return ValueType::kDeletionWithTimestamp;
    case VersionKind::kSingleDeletion:
      return ValueType::kSingleDeletion;
    case VersionKind::kValue:
      break;
  }
  return ValueType::kValue;
}

}  // namespace

std::string_view rocksdb_iterator_t::InternalKeyOf(const varve::Iterator& shown) const {
  const std::string stored = std::string(shown.key()).append(shown.timestamp());
  internal_key_.clear();
  varve::AppendInternalKey(&internal_key_, {stored, shown.sequence(), TypeOf(shown.kind())});
  return internal_key_;
}

namespace varve::c {

rocksdb_iterator_t* NewIterator(rocksdb_t* db, const rocksdb_readoptions_t& options,
                                const rocksdb_column_family_handle_t& family) {
  auto iterator = std::make_unique<rocksdb_iterator_t>();
  iterator->family = ReadingOf(family);
  iterator->failure = CheckIterate(options);
  iterator->cache_only = options.read.cache_only;
  iterator->versions = options.read.iter_start_timestamp.has_value();
  if (!iterator->failure.ok()) return iterator.release();
  auto made = db->db->NewIterator(options.read, family.id);
  if (made.ok()) {
    iterator->it = *std::move(made);
  } else {
    iterator->failure = made.status();
  }
  iterator->tailing = options.tailing;
  iterator->stamped = db->ttl_clock != nullptr;
  const bool has_prefix = family.objects != nullptr && family.objects->prefix_extractor != nullptr;
  if (options.prefix_same_as_start && has_prefix) iterator->objects = family.objects;
  return iterator.release();
}

rocksdb_iterator_t* NewIteratorOver(std::unique_ptr<rocksdb_iterator_t> base, IndexedBatch& batch,
                                    const FamilyReading& family, BatchBounds bounds) {
  auto iterator = std::make_unique<rocksdb_iterator_t>();
  iterator->cache_only = base->cache_only;
  iterator->family = family;
  iterator->failure = CheckIndexable(family);
  if (!iterator->failure.ok()) return iterator.release();
  iterator->over = std::make_unique<BatchCursor>(std::move(base), batch, family, std::move(bounds));
  return iterator.release();
}

}  // namespace varve::c

extern "C" {

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

void rocksdb_iter_seek_to_first(rocksdb_iterator_t* iterator) { iterator->SeekToFirst(); }

void rocksdb_iter_seek_to_last(rocksdb_iterator_t* iterator) { iterator->SeekToLast(); }

void rocksdb_iter_seek(rocksdb_iterator_t* iterator, const char* key, size_t size) {
  iterator->Seek(View(key, size));
}

void rocksdb_iter_seek_for_prev(rocksdb_iterator_t* iterator, const char* key, size_t size) {
  iterator->SeekForPrev(View(key, size));
}

void rocksdb_iter_next(rocksdb_iterator_t* iterator) { iterator->Next(); }

void rocksdb_iter_prev(rocksdb_iterator_t* iterator) { iterator->Prev(); }

const char* rocksdb_iter_key(const rocksdb_iterator_t* iterator, size_t* size) {
  return varve::c::BytesOf(iterator->Valid() ? iterator->key() : std::string_view(), size);
}

const char* rocksdb_iter_value(const rocksdb_iterator_t* iterator, size_t* size) {
  return varve::c::BytesOf(iterator->Valid() ? iterator->value() : std::string_view(), size);
}

const char* rocksdb_iter_timestamp(const rocksdb_iterator_t* iterator, size_t* size) {
  return varve::c::BytesOf(iterator->timestamp(), size);
}

void rocksdb_iter_get_error(const rocksdb_iterator_t* iterator, char** errptr) {
  varve::c::SaveReadError(errptr, iterator->cache_only, iterator->status());
}

}  // extern "C"
