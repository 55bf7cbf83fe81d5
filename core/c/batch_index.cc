// SPDX-License-Identifier: Apache-2.0
// rocksdb_writebatch_wi_t, a batch with an index: it is filled and written as any other batch, and
// read by key, alone or over a database.
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/indexed_batch.h"
#include "core/c/iterator.h"

using Indexed = rocksdb_writebatch_wi_t;
using varve::c::IndexedBatch;
using varve::c::KeyIndex;
using varve::c::View;

namespace varve::c {
namespace {

// What the batch alone says of a key. As in RocksDB, only the handle of a family has a merge
// operator.
char* GetFromBatch(Indexed* handle, const rocksdb_column_family_handle_t* family,
                   std::string_view key, size_t* size, char** errptr) {
  using Base = KeyIndex::Effect::Base;
  *size = 0;
  handle->rep->Order(family);
  const KeyIndex::Effect* const effect = handle->rep->Index().Find(IdOf(family), key);
  if (effect == nullptr) return nullptr;
  if (effect->operands.empty()) {
    return effect->base == Base::kDeleted ? nullptr : CopyBytes(effect->value, size);
  }
  if (effect->base == Base::kUnchanged) {
    SaveErrorText(errptr, "Merge in progress: ");
    return nullptr;
  }
  const FamilyReading reading = family == nullptr ? FamilyReading() : ReadingOf(*family);
  const Result<std::string> merged = Merged(reading, key, *effect, std::nullopt);
  return SaveError(errptr, merged.status()) ? nullptr : CopyBytes(*merged, size);
}

char* GetFromBatchAndDb(Indexed* handle, rocksdb_t* db, const rocksdb_readoptions_t* options,
                        const rocksdb_column_family_handle_t* family, std::string_view key,
                        size_t* size, char** errptr) {
  *size = 0;
  const auto value = ReadOver(db, *options, FamilyOf(*db, family), *handle->rep, key);
  if (SaveReadError(errptr, options->read.cache_only, value.status()) || !value->has_value())
    return nullptr;
  return CopyBytes((**value).view(), size);
}

rocksdb_iterator_t* IterateOver(Indexed* handle, rocksdb_iterator_t* base,
                                const FamilyReading& family) {
  handle->rep->Order(family);
  return NewIteratorOver(std::unique_ptr<rocksdb_iterator_t>(base), *handle->rep, family);
}

}  // namespace
}  // namespace varve::c

extern "C" {

// A read finds the newest change of a key, whether older ones are overwritten or not.
Indexed* rocksdb_writebatch_wi_create(size_t /*reserved_bytes*/, unsigned char /*overwrite_keys*/) {
  return new Indexed{new IndexedBatch};
}
void rocksdb_writebatch_wi_destroy(Indexed* batch) {
  delete batch->rep;
  delete batch;
}

void rocksdb_writebatch_wi_clear(Indexed* batch) {
  rocksdb_writebatch_clear(&batch->rep->batch);
  batch->rep->Shortened();
}
int rocksdb_writebatch_wi_count(Indexed* batch) {
  return rocksdb_writebatch_count(&batch->rep->batch);
}
void rocksdb_writebatch_wi_put(Indexed* batch, const char* key, size_t klen, const char* val,
                               size_t vlen) {
  rocksdb_writebatch_put(&batch->rep->batch, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_put_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t klen, const char* val, size_t vlen) {
  batch->rep->Order(column_family);
  rocksdb_writebatch_put_cf(&batch->rep->batch, column_family, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_putv(Indexed* batch, int num_keys, const char* const* keys_list,
                                const size_t* keys_list_sizes, int num_values,
                                const char* const* values_list, const size_t* values_list_sizes) {
  rocksdb_writebatch_putv(&batch->rep->batch, num_keys, keys_list, keys_list_sizes, num_values,
                          values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_putv_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                   int num_keys, const char* const* keys_list,
                                   const size_t* keys_list_sizes, int num_values,
                                   const char* const* values_list,
                                   const size_t* values_list_sizes) {
  batch->rep->Order(column_family);
  rocksdb_writebatch_putv_cf(&batch->rep->batch, column_family, num_keys, keys_list,
                             keys_list_sizes, num_values, values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_merge(Indexed* batch, const char* key, size_t klen, const char* val,
                                 size_t vlen) {
  rocksdb_writebatch_merge(&batch->rep->batch, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_merge_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                    const char* key, size_t klen, const char* val, size_t vlen) {
  batch->rep->Order(column_family);
  rocksdb_writebatch_merge_cf(&batch->rep->batch, column_family, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_mergev(Indexed* batch, int num_keys, const char* const* keys_list,
                                  const size_t* keys_list_sizes, int num_values,
                                  const char* const* values_list, const size_t* values_list_sizes) {
  rocksdb_writebatch_mergev(&batch->rep->batch, num_keys, keys_list, keys_list_sizes, num_values,
                            values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_mergev_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                     int num_keys, const char* const* keys_list,
                                     const size_t* keys_list_sizes, int num_values,
                                     const char* const* values_list,
                                     const size_t* values_list_sizes) {
  batch->rep->Order(column_family);
  rocksdb_writebatch_mergev_cf(&batch->rep->batch, column_family, num_keys, keys_list,
                               keys_list_sizes, num_values, values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_delete(Indexed* batch, const char* key, size_t klen) {
  rocksdb_writebatch_delete(&batch->rep->batch, key, klen);
}
void rocksdb_writebatch_wi_singledelete(Indexed* batch, const char* key, size_t klen) {
  rocksdb_writebatch_singledelete(&batch->rep->batch, key, klen);
}
void rocksdb_writebatch_wi_delete_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                     const char* key, size_t klen) {
  batch->rep->Order(column_family);
  rocksdb_writebatch_delete_cf(&batch->rep->batch, column_family, key, klen);
}
void rocksdb_writebatch_wi_singledelete_cf(Indexed* batch,
                                           rocksdb_column_family_handle_t* column_family,
                                           const char* key, size_t klen) {
  batch->rep->Order(column_family);
  rocksdb_writebatch_singledelete_cf(&batch->rep->batch, column_family, key, klen);
}
void rocksdb_writebatch_wi_deletev(Indexed* batch, int num_keys, const char* const* keys_list,
                                   const size_t* keys_list_sizes) {
  rocksdb_writebatch_deletev(&batch->rep->batch, num_keys, keys_list, keys_list_sizes);
}
void rocksdb_writebatch_wi_deletev_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                      int num_keys, const char* const* keys_list,
                                      const size_t* keys_list_sizes) {
  batch->rep->Order(column_family);
  rocksdb_writebatch_deletev_cf(&batch->rep->batch, column_family, num_keys, keys_list,
                                keys_list_sizes);
}
// An index has no range deletions: as in RocksDB, which has no errptr for it either, none is added.
void rocksdb_writebatch_wi_delete_range(Indexed* /*batch*/, const char* /*start_key*/,
                                        size_t /*start_key_len*/, const char* /*end_key*/,
                                        size_t /*end_key_len*/) {}
void rocksdb_writebatch_wi_delete_range_cf(Indexed* /*batch*/,
                                           rocksdb_column_family_handle_t* /*column_family*/,
                                           const char* /*start_key*/, size_t /*start_key_len*/,
                                           const char* /*end_key*/, size_t /*end_key_len*/) {}
void rocksdb_writebatch_wi_delete_rangev(Indexed* /*batch*/, int /*num_keys*/,
                                         const char* const* /*start_keys_list*/,
                                         const size_t* /*start_keys_list_sizes*/,
                                         const char* const* /*end_keys_list*/,
                                         const size_t* /*end_keys_list_sizes*/) {}
void rocksdb_writebatch_wi_delete_rangev_cf(
    Indexed* /*batch*/, rocksdb_column_family_handle_t* /*column_family*/, int /*num_keys*/,
    const char* const* /*start_keys_list*/, const size_t* /*start_keys_list_sizes*/,
    const char* const* /*end_keys_list*/, const size_t* /*end_keys_list_sizes*/) {}
void rocksdb_writebatch_wi_put_log_data(Indexed* batch, const char* blob, size_t len) {
  rocksdb_writebatch_put_log_data(&batch->rep->batch, blob, len);
}
void rocksdb_writebatch_wi_iterate(Indexed* batch, void* state,
                                   void (*put)(void*, const char* k, size_t klen, const char* v,
                                               size_t vlen),
                                   void (*deleted)(void*, const char* k, size_t klen)) {
  rocksdb_writebatch_iterate(&batch->rep->batch, state, put, deleted);
}
const char* rocksdb_writebatch_wi_data(Indexed* batch, size_t* size) {
  return rocksdb_writebatch_data(&batch->rep->batch, size);
}
void rocksdb_writebatch_wi_set_save_point(Indexed* batch) {
  rocksdb_writebatch_set_save_point(&batch->rep->batch);
}
void rocksdb_writebatch_wi_rollback_to_save_point(Indexed* batch, char** errptr) {
  rocksdb_writebatch_rollback_to_save_point(&batch->rep->batch, errptr);
  batch->rep->Shortened();
}

void rocksdb_write_writebatch_wi(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                                 Indexed* batch, char** errptr) {
  rocksdb_write(db, options, &batch->rep->batch, errptr);
}

// --- reading

char* rocksdb_writebatch_wi_get_from_batch(Indexed* batch, const rocksdb_options_t* /*options*/,
                                           const char* key, size_t key_size, size_t* size,
                                           char** errptr) {
  return varve::c::GetFromBatch(batch, nullptr, View(key, key_size), size, errptr);
}
char* rocksdb_writebatch_wi_get_from_batch_cf(Indexed* batch, const rocksdb_options_t* /*options*/,
                                              rocksdb_column_family_handle_t* family,
                                              const char* key, size_t key_size, size_t* size,
                                              char** errptr) {
  return varve::c::GetFromBatch(batch, family, View(key, key_size), size, errptr);
}
char* rocksdb_writebatch_wi_get_from_batch_and_db(Indexed* batch, rocksdb_t* db,
                                                  const rocksdb_readoptions_t* options,
                                                  const char* key, size_t key_size, size_t* size,
                                                  char** errptr) {
  return varve::c::GetFromBatchAndDb(batch, db, options, nullptr, View(key, key_size), size,
                                     errptr);
}
char* rocksdb_writebatch_wi_get_from_batch_and_db_cf(Indexed* batch, rocksdb_t* db,
                                                     const rocksdb_readoptions_t* options,
                                                     rocksdb_column_family_handle_t* family,
                                                     const char* key, size_t key_size, size_t* size,
                                                     char** errptr) {
  return varve::c::GetFromBatchAndDb(batch, db, options, family, View(key, key_size), size, errptr);
}

// The new iterator takes over its base.
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base(Indexed* batch,
                                                                    rocksdb_iterator_t* base) {
  varve::c::FamilyReading family = base->family;
  family.id = varve::kDefaultColumnFamilyId;
  return varve::c::IterateOver(batch, base, family);
}
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf(
    Indexed* batch, rocksdb_iterator_t* base, rocksdb_column_family_handle_t* family) {
  return varve::c::IterateOver(batch, base, varve::c::ReadingOf(*family));
}

}  // extern "C"
