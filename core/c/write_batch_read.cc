// SPDX-License-Identifier: Apache-2.0
#include "core/c/write_batch_read.h"

#include "core/c/functions.h"
#include "core/c/handles.h"
#include "core/format/log/write_batch_format.h"

namespace varve::c {

void IterateDefaultFamily(const rocksdb_writebatch_t& batch, void* state, BatchPut put,
                          BatchDeleted deleted, BatchLogData log_data) {
  BatchReader in(batch.batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind == BatchRecordKind::kLogData && log_data != nullptr) {
      log_data(state, record.value.data(), record.value.size());
    }
    if (record.kind != BatchRecordKind::kEntry) continue;
    if (record.family != kDefaultColumnFamilyId) return;
    if (record.type == ValueType::kRangeDeletion) return;
    if (record.type == ValueType::kValue) {
      put(state, record.key.data(), record.key.size(), record.value.data(), record.value.size());
    } else if (record.type == ValueType::kDeletion) {
      deleted(state, record.key.data(), record.key.size());
    }
  }
}

}  // namespace varve::c

extern "C" {

const char* rocksdb_writebatch_data(rocksdb_writebatch_t* batch, size_t* size) {
  *size = batch->batch.bytes().size();
  return batch->batch.bytes().data();
}

void rocksdb_writebatch_iterate(rocksdb_writebatch_t* batch, void* state, varve::c::BatchPut put,
                                varve::c::BatchDeleted deleted) {
  varve::c::IterateDefaultFamily(*batch, state, put, deleted, nullptr);
}

}  // extern "C"
