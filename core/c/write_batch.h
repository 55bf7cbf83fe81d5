// SPDX-License-Identifier: Apache-2.0
// The functions of write batches on which those of batches with an index are built
// (batch_index.cc). Defined in write_batch.cc, write_batch_read.cc and write.cc.
#pragma once

#include <cstddef>

#include "core/c/handles.h"

extern "C" {

void rocksdb_writebatch_clear(rocksdb_writebatch_t*);
int rocksdb_writebatch_count(rocksdb_writebatch_t*);
void rocksdb_writebatch_put(rocksdb_writebatch_t*, const char* key, size_t klen, const char* val,
                            size_t vlen);
void rocksdb_writebatch_put_cf(rocksdb_writebatch_t*, rocksdb_column_family_handle_t* column_family,
                               const char* key, size_t klen, const char* val, size_t vlen);
void rocksdb_writebatch_putv(rocksdb_writebatch_t*, int num_keys, const char* const* keys_list,
                             const size_t* keys_list_sizes, int num_values,
                             const char* const* values_list, const size_t* values_list_sizes);
void rocksdb_writebatch_putv_cf(rocksdb_writebatch_t*,
                                rocksdb_column_family_handle_t* column_family, int num_keys,
                                const char* const* keys_list, const size_t* keys_list_sizes,
                                int num_values, const char* const* values_list,
                                const size_t* values_list_sizes);
void rocksdb_writebatch_merge(rocksdb_writebatch_t*, const char* key, size_t klen, const char* val,
                              size_t vlen);
void rocksdb_writebatch_merge_cf(rocksdb_writebatch_t*,
                                 rocksdb_column_family_handle_t* column_family, const char* key,
                                 size_t klen, const char* val, size_t vlen);
void rocksdb_writebatch_mergev(rocksdb_writebatch_t*, int num_keys, const char* const* keys_list,
                               const size_t* keys_list_sizes, int num_values,
                               const char* const* values_list, const size_t* values_list_sizes);
void rocksdb_writebatch_mergev_cf(rocksdb_writebatch_t*,
                                  rocksdb_column_family_handle_t* column_family, int num_keys,
                                  const char* const* keys_list, const size_t* keys_list_sizes,
                                  int num_values, const char* const* values_list,
                                  const size_t* values_list_sizes);
void rocksdb_writebatch_delete(rocksdb_writebatch_t*, const char* key, size_t klen);
void rocksdb_writebatch_singledelete(rocksdb_writebatch_t*, const char* key, size_t klen);
void rocksdb_writebatch_delete_cf(rocksdb_writebatch_t*,
                                  rocksdb_column_family_handle_t* column_family, const char* key,
                                  size_t klen);
void rocksdb_writebatch_singledelete_cf(rocksdb_writebatch_t*,
                                        rocksdb_column_family_handle_t* column_family,
                                        const char* key, size_t klen);
void rocksdb_writebatch_deletev(rocksdb_writebatch_t*, int num_keys, const char* const* keys_list,
                                const size_t* keys_list_sizes);
void rocksdb_writebatch_deletev_cf(rocksdb_writebatch_t*,
                                   rocksdb_column_family_handle_t* column_family, int num_keys,
                                   const char* const* keys_list, const size_t* keys_list_sizes);
void rocksdb_writebatch_put_log_data(rocksdb_writebatch_t*, const char* blob, size_t len);
void rocksdb_writebatch_iterate(rocksdb_writebatch_t*, void* state,
                                void (*put)(void*, const char* k, size_t klen, const char* v,
                                            size_t vlen),
                                void (*deleted)(void*, const char* k, size_t klen));
const char* rocksdb_writebatch_data(rocksdb_writebatch_t*, size_t* size);
void rocksdb_writebatch_set_save_point(rocksdb_writebatch_t*);
void rocksdb_writebatch_rollback_to_save_point(rocksdb_writebatch_t*, char** errptr);
void rocksdb_write(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   rocksdb_writebatch_t* batch, char** errptr);

}  // extern "C"
