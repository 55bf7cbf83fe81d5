// SPDX-License-Identifier: Apache-2.0
// Objects that can be made and destroyed, and that no database makes use of: rate limiters and
// cuckoo tables, which are hints.
#include "core/c/accepted_objects.h"

using Cuckoo = rocksdb_cuckoo_table_options_t;

extern "C" {

rocksdb_ratelimiter_t* rocksdb_ratelimiter_create(int64_t /*bytes_per_second*/,
                                                  int64_t /*refill_period_us*/,
                                                  int32_t /*fairness*/) {
  return new rocksdb_ratelimiter_t;
}
void rocksdb_ratelimiter_destroy(rocksdb_ratelimiter_t* limiter) { delete limiter; }

Cuckoo* rocksdb_cuckoo_options_create() { return new Cuckoo; }
void rocksdb_cuckoo_options_destroy(Cuckoo* options) { delete options; }
void rocksdb_cuckoo_options_set_hash_ratio(Cuckoo* options, double ratio) {
  options->hash_table_ratio = ratio;
}
void rocksdb_cuckoo_options_set_max_search_depth(Cuckoo* options, uint32_t depth) {
  options->max_search_depth = depth;
}
void rocksdb_cuckoo_options_set_cuckoo_block_size(Cuckoo* options, uint32_t size) {
  options->cuckoo_block_size = size;
}
void rocksdb_cuckoo_options_set_identity_as_first_hash(Cuckoo* options, unsigned char identity) {
  options->identity_as_first_hash = identity != 0;
}
void rocksdb_cuckoo_options_set_use_module_hash(Cuckoo* options, unsigned char use) {
  options->use_module_hash = use != 0;
}

}  // extern "C"
