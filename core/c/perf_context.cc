// SPDX-License-Identifier: Apache-2.0
// RocksDB's performance context of a thread: accepted, and always zero. The engine counts by
// database and family (DB::Stats()).
#include <cstdint>

#include "core/c/error.h"

struct rocksdb_perfcontext_t {};
using Context = rocksdb_perfcontext_t;

extern "C" {

void rocksdb_set_perf_level(int /*level*/) {}
Context* rocksdb_perfcontext_create() { return new Context; }
void rocksdb_perfcontext_reset(Context* /*context*/) {}
char* rocksdb_perfcontext_report(Context* /*context*/, unsigned char /*exclude_zero_counters*/) {
  return varve::c::CopyText("");
}
uint64_t rocksdb_perfcontext_metric(Context* /*context*/, int /*metric*/) { return 0; }
void rocksdb_perfcontext_destroy(Context* context) { delete context; }

}  // extern "C"
