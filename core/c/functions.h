// SPDX-License-Identifier: Apache-2.0
// Functions of c.h that others are made of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/c/refused.h"

extern "C" {

// Databases.

rocksdb_t* rocksdb_open(const rocksdb_options_t* options, const char* name, char** errptr);
rocksdb_t* rocksdb_open_column_families(const rocksdb_options_t* options, const char* name,
                                        int num_column_families,
                                        const char* const* column_family_names,
                                        const rocksdb_options_t* const* column_family_options,
                                        rocksdb_column_family_handle_t** column_family_handles,
                                        char** errptr);
void rocksdb_close(rocksdb_t* db);
void rocksdb_list_column_families_destroy(char** list, size_t len);
rocksdb_column_family_handle_t* rocksdb_create_column_family(
    rocksdb_t* db, const rocksdb_options_t* column_family_options, const char* column_family_name,
    char** errptr);
rocksdb_column_family_handle_t* rocksdb_create_column_family_with_ttl(
    rocksdb_t* db, const rocksdb_options_t* column_family_options, const char* column_family_name,
    int ttl, char** errptr);
const rocksdb_snapshot_t* rocksdb_create_snapshot(rocksdb_t* db);
void rocksdb_release_snapshot(rocksdb_t* db, const rocksdb_snapshot_t* snapshot);
char* rocksdb_property_value(rocksdb_t* db, const char* propname);
int rocksdb_property_int(rocksdb_t* db, const char* propname, uint64_t* out_val);
char* rocksdb_get(rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
                  size_t keylen, size_t* vallen, char** errptr);
char* rocksdb_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                     rocksdb_column_family_handle_t* column_family, const char* key, size_t keylen,
                     size_t* vallen, char** errptr);
rocksdb_pinnableslice_t* rocksdb_get_pinned(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                            const char* key, size_t keylen, char** errptr);
rocksdb_pinnableslice_t* rocksdb_get_pinned_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                               rocksdb_column_family_handle_t* column_family,
                                               const char* key, size_t keylen, char** errptr);
void rocksdb_multi_get(rocksdb_t* db, const rocksdb_readoptions_t* options, size_t num_keys,
                       const char* const* keys_list, const size_t* keys_list_sizes,
                       char** values_list, size_t* values_list_sizes, char** errs);
void rocksdb_multi_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                          const rocksdb_column_family_handle_t* const* column_families,
                          size_t num_keys, const char* const* keys_list,
                          const size_t* keys_list_sizes, char** values_list,
                          size_t* values_list_sizes, char** errs);
void rocksdb_put(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                 size_t keylen, const char* val, size_t vallen, char** errptr);
void rocksdb_put_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                    rocksdb_column_family_handle_t* column_family, const char* key, size_t keylen,
                    const char* val, size_t vallen, char** errptr);
void rocksdb_delete(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                    size_t keylen, char** errptr);
void rocksdb_delete_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                       rocksdb_column_family_handle_t* column_family, const char* key,
                       size_t keylen, char** errptr);
void rocksdb_merge(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                   size_t keylen, const char* val, size_t vallen, char** errptr);
void rocksdb_merge_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                      rocksdb_column_family_handle_t* column_family, const char* key, size_t keylen,
                      const char* val, size_t vallen, char** errptr);
rocksdb_iterator_t* rocksdb_create_iterator(rocksdb_t* db, const rocksdb_readoptions_t* options);
rocksdb_iterator_t* rocksdb_create_iterator_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                               rocksdb_column_family_handle_t* column_family);
void rocksdb_flush(rocksdb_t* db, const rocksdb_flushoptions_t* options, char** errptr);
void rocksdb_flush_cf(rocksdb_t* db, const rocksdb_flushoptions_t* options,
                      rocksdb_column_family_handle_t* column_family, char** errptr);
void rocksdb_flush_wal(rocksdb_t* db, unsigned char sync, char** errptr);
rocksdb_checkpoint_t* rocksdb_checkpoint_object_create(rocksdb_t* db, char** errptr);

// Batches.

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

void rocksdb_writebatch_pop_save_point(rocksdb_writebatch_t*, char** errptr);

}  // extern "C"
