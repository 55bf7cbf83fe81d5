// SPDX-License-Identifier: Apache-2.0
// What is in a write batch, told to callbacks.
#pragma once

#include <cstddef>

struct rocksdb_writebatch_t;

namespace varve::c {

using BatchPut = void (*)(void*, const char* key, size_t key_size, const char* value,
                          size_t value_size);
using BatchDeleted = void (*)(void*, const char* key, size_t key_size);
using BatchLogData = void (*)(void*, const char* blob, size_t size);

// As RocksDB's: calls for puts and deletions of the default family, passes over merges and single
// deletions, and ends at a range deletion or a change of another family. `log_data` may be null.
void IterateDefaultFamily(const rocksdb_writebatch_t& batch, void* state, BatchPut put,
                          BatchDeleted deleted, BatchLogData log_data);

}  // namespace varve::c
