// SPDX-License-Identifier: Apache-2.0
// Reading: values without a copy, into a buffer, and by slices.
#include <cstring>

#include "core/c/eleven/handles.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/iterator.h"

struct rocksdb_pinnable_handle_t {
  rocksdb_pinnableslice_t* slice;
};

using Family = rocksdb_column_family_handle_t;
using Handle = rocksdb_pinnable_handle_t;

namespace {

rocksdb_slice_t SliceOf(std::string_view bytes) {
  size_t size = 0;
  const char* const data = varve::c::BytesOf(bytes, &size);
  return {data, size};
}

Handle* HandleOf(rocksdb_pinnableslice_t* slice) {
  return slice == nullptr ? nullptr : new Handle{slice};
}

}  // namespace

extern "C" {

void rocksdb_readoptions_clear_table_index_factory(rocksdb_readoptions_t* options);
void rocksdb_readoptions_clear_table_filter(rocksdb_readoptions_t* options);
void rocksdb_pinnableslice_destroy(rocksdb_pinnableslice_t* slice);
void rocksdb_batched_multi_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                  Family* family, size_t count, const char* const* keys,
                                  const size_t* key_sizes, rocksdb_pinnableslice_t** values,
                                  char** errors, const bool sorted_input);

Handle* rocksdb_get_pinned_v2(rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
                              size_t key_size, char** errptr) {
  return HandleOf(rocksdb_get_pinned(db, options, key, key_size, errptr));
}
Handle* rocksdb_get_pinned_cf_v2(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                 Family* family, const char* key, size_t key_size, char** errptr) {
  return HandleOf(rocksdb_get_pinned_cf(db, options, family, key, key_size, errptr));
}
const char* rocksdb_pinnable_handle_get_value(const Handle* handle, size_t* size) {
  *size = 0;
  if (handle == nullptr) return nullptr;
  return varve::c::BytesOf(handle->slice->value.view(), size);
}
void rocksdb_pinnable_handle_destroy(Handle* handle) {
  if (handle == nullptr) return;
  rocksdb_pinnableslice_destroy(handle->slice);
  delete handle;
}

// 1: the value is in the buffer. 0: there is none, an error, or the buffer is too small; *found and
// *size say which.
unsigned char rocksdb_get_into_buffer_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                         Family* family, const char* key, size_t key_size,
                                         char* buffer, size_t buffer_size, size_t* size,
                                         unsigned char* found, char** errptr) {
  *size = 0;
  *found = 0;
  auto value =
      varve::c::ReadValue(*db, *options, varve::c::IdOf(family), varve::c::View(key, key_size));
  if (varve::c::SaveReadError(errptr, options->read.cache_only, value.status()) || !*value)
    return 0;
  const std::string_view bytes = (*value)->view();
  *found = 1;
  *size = bytes.size();
  if (bytes.size() > buffer_size) return 0;
  if (!bytes.empty()) std::memcpy(buffer, bytes.data(), bytes.size());
  return 1;
}
unsigned char rocksdb_get_into_buffer(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                      const char* key, size_t key_size, char* buffer,
                                      size_t buffer_size, size_t* size, unsigned char* found,
                                      char** errptr) {
  return rocksdb_get_into_buffer_cf(db, options, nullptr, key, key_size, buffer, buffer_size, size,
                                    found, errptr);
}

void rocksdb_batched_multi_get_cf_slice(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                        Family* family, size_t count, const rocksdb_slice_t* keys,
                                        rocksdb_pinnableslice_t** values, char** errors,
                                        const bool sorted_input) {
  std::vector<const char*> data(count);
  std::vector<size_t> sizes(count);
  for (size_t i = 0; i < count; ++i) {
    data[i] = keys[i].data;
    sizes[i] = keys[i].size;
  }
  rocksdb_batched_multi_get_cf(db, options, family, count, data.data(), sizes.data(), values,
                               errors, sorted_input);
}

uint64_t rocksdb_snapshot_get_sequence_number(const rocksdb_snapshot_t* snapshot) {
  return snapshot->snapshot == nullptr ? 0 : snapshot->snapshot->sequence();
}

// --- iterators

rocksdb_slice_t rocksdb_iter_key_slice(const rocksdb_iterator_t* iterator) {
  return SliceOf(iterator->Valid() ? iterator->key() : std::string_view());
}
rocksdb_slice_t rocksdb_iter_value_slice(const rocksdb_iterator_t* iterator) {
  return SliceOf(iterator->Valid() ? iterator->value() : std::string_view());
}
rocksdb_slice_t rocksdb_iter_timestamp_slice(const rocksdb_iterator_t* iterator) {
  return SliceOf(iterator->timestamp());
}

// Const by c.h; the iterator changes, as in RocksDB. One over a batch is refused there, too.
void rocksdb_iter_refresh(const rocksdb_iterator_t* iterator, char** errptr) {
  auto& shown = const_cast<rocksdb_iterator_t&>(*iterator);
  if (shown.over != nullptr || !shown.it) {
    varve::c::SaveError(errptr, shown.it || shown.over != nullptr
                                    ? varve::Status::NotSupported("Refresh() is not supported")
                                    : shown.failure);
    return;
  }
  varve::c::SaveError(errptr, shown.it->Refresh());
  shown.prefix.reset();
  shown.failure = varve::Status::Ok();
}

// --- options of reads

void rocksdb_readoptions_set_merge_operand_count_threshold(rocksdb_readoptions_t* options,
                                                           size_t threshold) {
  options->merge_operand_threshold = threshold;
}
size_t rocksdb_readoptions_get_merge_operand_count_threshold(rocksdb_readoptions_t* options) {
  return options->merge_operand_threshold.value_or(0);
}
void rocksdb_readoptions_clear_merge_operand_count_threshold(rocksdb_readoptions_t* options) {
  options->merge_operand_threshold.reset();
}
unsigned char rocksdb_readoptions_has_merge_operand_count_threshold(
    rocksdb_readoptions_t* options) {
  return options->merge_operand_threshold.has_value();
}

void rocksdb_readoptions_set_request_id(rocksdb_readoptions_t* options, const char* id,
                                        size_t size) {
  options->request_id.reset();
  if (id != nullptr) options->request_id.emplace(id, size);
}
const char* rocksdb_readoptions_get_request_id(rocksdb_readoptions_t* options, size_t* size) {
  *size = options->request_id ? options->request_id->size() : 0;
  return options->request_id ? options->request_id->data() : nullptr;
}
void rocksdb_readoptions_clear_request_id(rocksdb_readoptions_t* options) {
  options->request_id.reset();
}

// Iterators are refused with it.
void rocksdb_readoptions_set_table_filter(
    rocksdb_readoptions_t* options, void* state, void (*destructor)(void*),
    unsigned char (*filter)(void*, const struct rocksdb_table_properties_t*)) {
  rocksdb_readoptions_clear_table_filter(options);
  if (filter == nullptr) return;
  options->table_filter_state = std::shared_ptr<void>(state, [destructor](void* object) {
    if (destructor != nullptr) destructor(object);
  });
  options->has_table_filter = true;
  options->refused_by_iterators.insert("rocksdb_readoptions_set_table_filter");
}
void rocksdb_readoptions_clear_table_filter(rocksdb_readoptions_t* options) {
  options->table_filter_state.reset();
  options->has_table_filter = false;
  options->refused_by_iterators.erase("rocksdb_readoptions_set_table_filter");
}
unsigned char rocksdb_readoptions_has_table_filter(const rocksdb_readoptions_t* options) {
  return options->has_table_filter;
}

// Kept for its getter; reads with one are refused.
void rocksdb_readoptions_set_table_index_factory_from_string(rocksdb_readoptions_t* options,
                                                             const char* value, size_t size,
                                                             char** /*errptr*/) {
  rocksdb_readoptions_clear_table_index_factory(options);
  options->table_index_factory.assign(value, size);
  if (size != 0) options->refused.insert(__func__);
}
const char* rocksdb_readoptions_get_table_index_factory_name(const rocksdb_readoptions_t* options,
                                                             size_t* size) {
  *size = options->table_index_factory.size();
  return *size == 0 ? nullptr : options->table_index_factory.data();
}
void rocksdb_readoptions_clear_table_index_factory(rocksdb_readoptions_t* options) {
  options->table_index_factory.clear();
  options->refused.erase("rocksdb_readoptions_set_table_index_factory_from_string");
}

}  // extern "C"
