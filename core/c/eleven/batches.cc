// SPDX-License-Identifier: Apache-2.0
// Write batches.
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/handles.h"
#include "core/c/indexed_batch.h"
#include "core/c/iterator.h"
#include "core/c/write_batch_read.h"
#include "core/format/log/write_batch_format.h"

using varve::BatchRecord;
using varve::BatchRecordKind;
using varve::ValueType;
using varve::c::BatchDeleted;
using varve::c::BatchLogData;
using varve::c::BatchPut;
using varve::c::Refuse;
using varve::c::SaveError;
using Batch = rocksdb_writebatch_t;
using Indexed = rocksdb_writebatch_wi_t;

using DeletedCfFn = void (*)(void*, uint32_t family, const char* key, size_t key_size);
using PutCfFn = void (*)(void*, uint32_t family, const char* key, size_t key_size,
                         const char* value, size_t value_size);

extern "C" {

Batch* rocksdb_writebatch_create();
Indexed* rocksdb_writebatch_wi_create(size_t reserved_bytes, unsigned char overwrite_keys);
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base(Indexed* batch,
                                                                    rocksdb_iterator_t* base);
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf(
    Indexed* batch, rocksdb_iterator_t* base, rocksdb_column_family_handle_t* family);
}

namespace varve::c {
namespace {

// The end of `in` says whether the bytes of the batch are in order.
Status Walk(const Batch& batch) {
  BatchReader in(batch.batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
  }
  return in.status();
}

// As RocksDB's iteration with families: single deletions of the default family are passed over, and
// others and range deletions end it, as there are no callbacks for them.
void IterateFamilies(const Batch& batch, void* state, PutCfFn put, DeletedCfFn deleted,
                     PutCfFn merge, BatchLogData log_data) {
  BatchReader in(batch.batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind == BatchRecordKind::kLogData) {
      if (log_data != nullptr) log_data(state, record.value.data(), record.value.size());
      continue;
    }
    if (record.kind != BatchRecordKind::kEntry) continue;
    const std::string_view key = record.key, value = record.value;
    if (record.type == ValueType::kValue) {
      put(state, record.family, key.data(), key.size(), value.data(), value.size());
    } else if (record.type == ValueType::kDeletion) {
      deleted(state, record.family, key.data(), key.size());
    } else if (record.type == ValueType::kMerge) {
      merge(state, record.family, key.data(), key.size(), value.data(), value.size());
    } else if (record.type != ValueType::kSingleDeletion ||
               record.family != kDefaultColumnFamilyId) {
      return;
    }
  }
}

}  // namespace
}  // namespace varve::c

extern "C" {

// Bytes that are reserved, and the checksums of keys in memory, are hints. Keys with timestamps in
// the default family are not, nor is a limit of an indexed batch: writing such a batch is refused.
Batch* rocksdb_writebatch_create_with_params(size_t /*reserved_bytes*/, size_t max_bytes,
                                             size_t /*protection_bytes_per_key*/,
                                             size_t timestamp_size) {
  Batch* const batch = rocksdb_writebatch_create();
  batch->max_bytes = max_bytes;
  if (timestamp_size != 0) batch->refused = __func__;
  return batch;
}

void rocksdb_writebatch_verify_checksum(Batch* batch, char** errptr) {
  SaveError(errptr, varve::c::Walk(*batch));
}

void rocksdb_writebatch_iterate_ld(Batch* batch, void* state, BatchPut put, BatchDeleted deleted,
                                   BatchLogData log_data) {
  varve::c::IterateDefaultFamily(*batch, state, put, deleted, log_data);
}
void rocksdb_writebatch_iterate_cf(Batch* batch, void* state, PutCfFn put, DeletedCfFn deleted,
                                   PutCfFn merge) {
  varve::c::IterateFamilies(*batch, state, put, deleted, merge, nullptr);
}
void rocksdb_writebatch_iterate_cf_ld(Batch* batch, void* state, PutCfFn put, DeletedCfFn deleted,
                                      PutCfFn merge, BatchLogData log_data) {
  varve::c::IterateFamilies(*batch, state, put, deleted, merge, log_data);
}

void rocksdb_writebatch_update_timestamps(Batch* /*batch*/, const char* /*timestamp*/,
                                          size_t /*size*/, void* /*state*/,
                                          size_t (*)(void*, uint32_t), char** errptr) {
  Refuse(errptr, __func__);
}

// --- with an index

// Each family has its own comparator here: the one for families without a handle is not asked.
Indexed* rocksdb_writebatch_wi_create_with_params(rocksdb_comparator_t* /*comparator*/,
                                                  size_t reserved_bytes,
                                                  unsigned char overwrite_keys, size_t max_bytes,
                                                  size_t /*protection_bytes_per_key*/) {
  Indexed* const batch = rocksdb_writebatch_wi_create(reserved_bytes, overwrite_keys);
  if (max_bytes != 0) batch->rep->batch.refused = __func__;
  return batch;
}

// The bounds of the options hold for the changes of the batch; those of the base are its own.
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(
    Indexed* batch, rocksdb_iterator_t* base, rocksdb_column_family_handle_t* family,
    const rocksdb_readoptions_t* options) {
  varve::c::BatchBounds bounds{.strict = true};
  if (options != nullptr && options->read.upper_bound) {
    bounds.upper.emplace(*options->read.upper_bound);
  }
  if (options != nullptr && options->read.lower_bound) {
    bounds.lower.emplace(*options->read.lower_bound);
  }
  const varve::c::FamilyReading reading =
      family == nullptr ? base->family : varve::c::ReadingOf(*family);
  batch->rep->Order(reading);
  return varve::c::NewIteratorOver(std::unique_ptr<rocksdb_iterator_t>(base), *batch->rep, reading,
                                   std::move(bounds));
}
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_readopts(
    Indexed* batch, rocksdb_iterator_t* base, const rocksdb_readoptions_t* options) {
  return rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(batch, base, nullptr, options);
}

void rocksdb_writebatch_wi_update_timestamps(Indexed* /*batch*/, const char* /*timestamp*/,
                                             size_t /*size*/, void* /*state*/,
                                             size_t (*)(void*, uint32_t), char** errptr) {
  Refuse(errptr, __func__);
}

rocksdb_pinnableslice_t* rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(
    Indexed* batch, rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* family, const char* key, size_t key_size, char** errptr) {
  auto value = varve::c::ReadOver(db, *options, varve::c::FamilyOf(*db, family), *batch->rep,
                                  varve::c::View(key, key_size));
  if (varve::c::SaveReadError(errptr, options->read.cache_only, value.status())) return nullptr;
  return *value ? new rocksdb_pinnableslice_t{*std::move(*value)} : nullptr;
}
rocksdb_pinnableslice_t* rocksdb_writebatch_wi_get_pinned_from_batch_and_db(
    Indexed* batch, rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
    size_t key_size, char** errptr) {
  return rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(batch, db, options, nullptr, key,
                                                               key_size, errptr);
}

}  // extern "C"
