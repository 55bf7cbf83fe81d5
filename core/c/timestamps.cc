// SPDX-License-Identifier: Apache-2.0
// Reading and writing keys with user-defined timestamps; batches of them are in write_batch.cc.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/handles.h"
#include "core/c/time_to_live.h"

using varve::ColumnFamilyId;
using varve::WriteBatch;
using varve::c::IdOf;
using varve::c::View;

namespace varve::c {
namespace {

using MaybeValue = Result<std::optional<TimestampedValue>>;

MaybeValue ReadAt(rocksdb_t* db, const rocksdb_readoptions_t& options, ColumnFamilyId family,
                  std::string_view key) {
  RETURN_IF_ERROR(CheckRead(*db, options));
  MaybeValue read = db->db->GetWithTimestamp(options.read, key, family);
  if (db->ttl_clock == nullptr || !read.ok() || !read->has_value()) return read;
  RETURN_IF_ERROR(Unstamp(&(**read).value));
  return read;
}

char* Get(rocksdb_t* db, const rocksdb_readoptions_t& options, ColumnFamilyId family,
          std::string_view key, size_t* size, char** timestamp, size_t* timestamp_size,
          char** errptr) {
  *size = 0;
  *timestamp_size = 0;
  const MaybeValue read = ReadAt(db, options, family, key);
  if (SaveReadError(errptr, options.read.cache_only, read.status()) || !read->has_value()) {
    return nullptr;
  }
  *timestamp = CopyBytes((**read).timestamp, timestamp_size);
  return CopyBytes((**read).value.view(), size);
}

// As RocksDB, the elements of the arrays are set without being read.
void GetMany(rocksdb_t* db, const rocksdb_readoptions_t& options,
             const rocksdb_column_family_handle_t* const* families, size_t count,
             const char* const* keys, const size_t* key_sizes, char** values, size_t* sizes,
             char** timestamps, size_t* timestamp_sizes, char** errors) {
  rocksdb_readoptions_t at = options;
  std::optional<Snapshot> snapshot;
  if (at.read.snapshot == nullptr) {
    snapshot = db->db->GetSnapshot();
    at.read.snapshot = &*snapshot;
  }
  for (size_t i = 0; i < count; ++i) {
    values[i] = timestamps[i] = errors[i] = nullptr;
    values[i] =
        Get(db, at, IdOf(families == nullptr ? nullptr : families[i]), View(keys[i], key_sizes[i]),
            &sizes[i], &timestamps[i], &timestamp_sizes[i], &errors[i]);
  }
}

}  // namespace
}  // namespace varve::c

extern "C" {

void rocksdb_put_cf_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                            rocksdb_column_family_handle_t* family, const char* key,
                            size_t key_size, const char* timestamp, size_t timestamp_size,
                            const char* value, size_t value_size, char** errptr) {
  WriteBatch batch;
  batch.PutAt(View(key, key_size), View(timestamp, timestamp_size), View(value, value_size),
              IdOf(family));
  varve::c::Write(db, options, batch, errptr);
}
void rocksdb_put_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                         size_t key_size, const char* timestamp, size_t timestamp_size,
                         const char* value, size_t value_size, char** errptr) {
  rocksdb_put_cf_with_ts(db, options, nullptr, key, key_size, timestamp, timestamp_size, value,
                         value_size, errptr);
}

void rocksdb_delete_cf_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                               rocksdb_column_family_handle_t* family, const char* key,
                               size_t key_size, const char* timestamp, size_t timestamp_size,
                               char** errptr) {
  WriteBatch batch;
  batch.DeleteAt(View(key, key_size), View(timestamp, timestamp_size), IdOf(family));
  varve::c::Write(db, options, batch, errptr);
}
void rocksdb_delete_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options, const char* key,
                            size_t key_size, const char* timestamp, size_t timestamp_size,
                            char** errptr) {
  rocksdb_delete_cf_with_ts(db, options, nullptr, key, key_size, timestamp, timestamp_size, errptr);
}

void rocksdb_singledelete_cf_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                                     rocksdb_column_family_handle_t* family, const char* key,
                                     size_t key_size, const char* timestamp, size_t timestamp_size,
                                     char** errptr) {
  WriteBatch batch;
  batch.SingleDeleteAt(View(key, key_size), View(timestamp, timestamp_size), IdOf(family));
  varve::c::Write(db, options, batch, errptr);
}
void rocksdb_singledelete_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                                  const char* key, size_t key_size, const char* timestamp,
                                  size_t timestamp_size, char** errptr) {
  rocksdb_singledelete_cf_with_ts(db, options, nullptr, key, key_size, timestamp, timestamp_size,
                                  errptr);
}

char* rocksdb_get_cf_with_ts(rocksdb_t* db, const rocksdb_readoptions_t* options,
                             rocksdb_column_family_handle_t* family, const char* key,
                             size_t key_size, size_t* size, char** timestamp,
                             size_t* timestamp_size, char** errptr) {
  return varve::c::Get(db, *options, IdOf(family), View(key, key_size), size, timestamp,
                       timestamp_size, errptr);
}
char* rocksdb_get_with_ts(rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
                          size_t key_size, size_t* size, char** timestamp, size_t* timestamp_size,
                          char** errptr) {
  return rocksdb_get_cf_with_ts(db, options, nullptr, key, key_size, size, timestamp,
                                timestamp_size, errptr);
}

void rocksdb_multi_get_with_ts(rocksdb_t* db, const rocksdb_readoptions_t* options, size_t count,
                               const char* const* keys, const size_t* key_sizes, char** values,
                               size_t* sizes, char** timestamps, size_t* timestamp_sizes,
                               char** errors) {
  varve::c::GetMany(db, *options, nullptr, count, keys, key_sizes, values, sizes, timestamps,
                    timestamp_sizes, errors);
}
void rocksdb_multi_get_cf_with_ts(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                  const rocksdb_column_family_handle_t* const* families,
                                  size_t count, const char* const* keys, const size_t* key_sizes,
                                  char** values, size_t* sizes, char** timestamps,
                                  size_t* timestamp_sizes, char** errors) {
  varve::c::GetMany(db, *options, families, count, keys, key_sizes, values, sizes, timestamps,
                    timestamp_sizes, errors);
}

void rocksdb_increase_full_history_ts_low(rocksdb_t* db, rocksdb_column_family_handle_t* family,
                                          const char* timestamp, size_t size, char** errptr) {
  varve::c::SaveFamilyError(errptr, *db, IdOf(family),
                            db->db->IncreaseFullHistoryTsLow(View(timestamp, size), IdOf(family)));
}
char* rocksdb_get_full_history_ts_low(rocksdb_t* db, rocksdb_column_family_handle_t* family,
                                      size_t* size, char** errptr) {
  *size = 0;
  const auto low = db->db->FullHistoryTsLow(IdOf(family));
  if (varve::c::SaveFamilyError(errptr, *db, IdOf(family), low.status())) return nullptr;
  return varve::c::CopyBytes(*low, size);
}

}  // extern "C"
