// SPDX-License-Identifier: Apache-2.0
// rocksdb_writebatch_wi_t, a batch with an index: it is filled and written as any other batch. To
// read through the index is refused (iterators over it: iterator.cc).
#include "core/c/error.h"
#include "core/c/handles.h"
#include "core/c/write_batch.h"

struct rocksdb_writebatch_wi_t {
  rocksdb_writebatch_t batch;
};

using Indexed = rocksdb_writebatch_wi_t;
using varve::c::Refuse;

extern "C" {

// What the index says of a key that is written twice matters to reads alone.
Indexed* rocksdb_writebatch_wi_create(size_t /*reserved_bytes*/, unsigned char /*overwrite_keys*/) {
  return new Indexed;
}
Indexed* rocksdb_writebatch_wi_create_from(const char* bytes, size_t size) {
  return new Indexed{{varve::WriteBatch(std::string(bytes, size))}};
}
void rocksdb_writebatch_wi_destroy(Indexed* batch) { delete batch; }

void rocksdb_writebatch_wi_clear(Indexed* batch) { rocksdb_writebatch_clear(&batch->batch); }
int rocksdb_writebatch_wi_count(Indexed* batch) { return rocksdb_writebatch_count(&batch->batch); }
void rocksdb_writebatch_wi_put(Indexed* batch, const char* key, size_t klen, const char* val,
                               size_t vlen) {
  rocksdb_writebatch_put(&batch->batch, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_put_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t klen, const char* val, size_t vlen) {
  rocksdb_writebatch_put_cf(&batch->batch, column_family, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_putv(Indexed* batch, int num_keys, const char* const* keys_list,
                                const size_t* keys_list_sizes, int num_values,
                                const char* const* values_list, const size_t* values_list_sizes) {
  rocksdb_writebatch_putv(&batch->batch, num_keys, keys_list, keys_list_sizes, num_values,
                          values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_putv_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                   int num_keys, const char* const* keys_list,
                                   const size_t* keys_list_sizes, int num_values,
                                   const char* const* values_list,
                                   const size_t* values_list_sizes) {
  rocksdb_writebatch_putv_cf(&batch->batch, column_family, num_keys, keys_list, keys_list_sizes,
                             num_values, values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_merge(Indexed* batch, const char* key, size_t klen, const char* val,
                                 size_t vlen) {
  rocksdb_writebatch_merge(&batch->batch, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_merge_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                    const char* key, size_t klen, const char* val, size_t vlen) {
  rocksdb_writebatch_merge_cf(&batch->batch, column_family, key, klen, val, vlen);
}
void rocksdb_writebatch_wi_mergev(Indexed* batch, int num_keys, const char* const* keys_list,
                                  const size_t* keys_list_sizes, int num_values,
                                  const char* const* values_list, const size_t* values_list_sizes) {
  rocksdb_writebatch_mergev(&batch->batch, num_keys, keys_list, keys_list_sizes, num_values,
                            values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_mergev_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                     int num_keys, const char* const* keys_list,
                                     const size_t* keys_list_sizes, int num_values,
                                     const char* const* values_list,
                                     const size_t* values_list_sizes) {
  rocksdb_writebatch_mergev_cf(&batch->batch, column_family, num_keys, keys_list, keys_list_sizes,
                               num_values, values_list, values_list_sizes);
}
void rocksdb_writebatch_wi_delete(Indexed* batch, const char* key, size_t klen) {
  rocksdb_writebatch_delete(&batch->batch, key, klen);
}
void rocksdb_writebatch_wi_singledelete(Indexed* batch, const char* key, size_t klen) {
  rocksdb_writebatch_singledelete(&batch->batch, key, klen);
}
void rocksdb_writebatch_wi_delete_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                     const char* key, size_t klen) {
  rocksdb_writebatch_delete_cf(&batch->batch, column_family, key, klen);
}
void rocksdb_writebatch_wi_singledelete_cf(Indexed* batch,
                                           rocksdb_column_family_handle_t* column_family,
                                           const char* key, size_t klen) {
  rocksdb_writebatch_singledelete_cf(&batch->batch, column_family, key, klen);
}
void rocksdb_writebatch_wi_deletev(Indexed* batch, int num_keys, const char* const* keys_list,
                                   const size_t* keys_list_sizes) {
  rocksdb_writebatch_deletev(&batch->batch, num_keys, keys_list, keys_list_sizes);
}
void rocksdb_writebatch_wi_deletev_cf(Indexed* batch, rocksdb_column_family_handle_t* column_family,
                                      int num_keys, const char* const* keys_list,
                                      const size_t* keys_list_sizes) {
  rocksdb_writebatch_deletev_cf(&batch->batch, column_family, num_keys, keys_list, keys_list_sizes);
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
  rocksdb_writebatch_put_log_data(&batch->batch, blob, len);
}
void rocksdb_writebatch_wi_iterate(Indexed* batch, void* state,
                                   void (*put)(void*, const char* k, size_t klen, const char* v,
                                               size_t vlen),
                                   void (*deleted)(void*, const char* k, size_t klen)) {
  rocksdb_writebatch_iterate(&batch->batch, state, put, deleted);
}
const char* rocksdb_writebatch_wi_data(Indexed* batch, size_t* size) {
  return rocksdb_writebatch_data(&batch->batch, size);
}
void rocksdb_writebatch_wi_set_save_point(Indexed* batch) {
  rocksdb_writebatch_set_save_point(&batch->batch);
}
void rocksdb_writebatch_wi_rollback_to_save_point(Indexed* batch, char** errptr) {
  rocksdb_writebatch_rollback_to_save_point(&batch->batch, errptr);
}

void rocksdb_write_writebatch_wi(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                                 Indexed* batch, char** errptr) {
  rocksdb_write(db, options, &batch->batch, errptr);
}

// --- refused

char* rocksdb_writebatch_wi_get_from_batch(rocksdb_writebatch_wi_t* /*wbwi*/,
                                           const rocksdb_options_t* /*options*/,
                                           const char* /*key*/, size_t /*keylen*/, size_t* size,
                                           char** errptr) {
  *size = 0;
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_writebatch_wi_get_from_batch_cf(rocksdb_writebatch_wi_t* /*wbwi*/,
                                              const rocksdb_options_t* /*options*/,
                                              rocksdb_column_family_handle_t* /*column_family*/,
                                              const char* /*key*/, size_t /*keylen*/, size_t* size,
                                              char** errptr) {
  *size = 0;
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_writebatch_wi_get_from_batch_and_db(rocksdb_writebatch_wi_t* /*wbwi*/,
                                                  rocksdb_t* /*db*/,
                                                  const rocksdb_readoptions_t* /*options*/,
                                                  const char* /*key*/, size_t /*keylen*/,
                                                  size_t* size, char** errptr) {
  *size = 0;
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_writebatch_wi_get_from_batch_and_db_cf(
    rocksdb_writebatch_wi_t* /*wbwi*/, rocksdb_t* /*db*/, const rocksdb_readoptions_t* /*options*/,
    rocksdb_column_family_handle_t* /*column_family*/, const char* /*key*/, size_t /*keylen*/,
    size_t* size, char** errptr) {
  *size = 0;
  Refuse(errptr, __func__);
  return nullptr;
}

}  // extern "C"
