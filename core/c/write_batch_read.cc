// SPDX-License-Identifier: Apache-2.0
// What is in a write batch.
#include "core/c/functions.h"
#include "core/c/handles.h"
#include "core/format/log/write_batch_format.h"

using varve::BatchRecord;
using varve::ValueType;

extern "C" {

const char* rocksdb_writebatch_data(rocksdb_writebatch_t* batch, size_t* size) {
  *size = batch->batch.bytes().size();
  return batch->batch.bytes().data();
}

// As RocksDB's: calls for puts and deletions of the default family, passes over merges and single
// deletions, and ends at a range deletion or a change of another family.
void rocksdb_writebatch_iterate(rocksdb_writebatch_t* batch, void* state,
                                void (*put)(void*, const char* key, size_t key_size,
                                            const char* value, size_t value_size),
                                void (*deleted)(void*, const char* key, size_t key_size)) {
  varve::BatchReader in(batch->batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != varve::BatchRecordKind::kEntry) continue;
    if (record.family != varve::kDefaultColumnFamilyId) return;
    if (record.type == ValueType::kRangeDeletion) return;
    if (record.type == ValueType::kValue) {
      put(state, record.key.data(), record.key.size(), record.value.data(), record.value.size());
    } else if (record.type == ValueType::kDeletion) {
      deleted(state, record.key.data(), record.key.size());
    }
  }
}

}  // extern "C"
