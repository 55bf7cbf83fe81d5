// SPDX-License-Identifier: Apache-2.0
// Objects that can be made and destroyed, and that no database makes use of: rate limiters and
// cuckoo tables, which are hints.
#include <cstdint>

struct rocksdb_ratelimiter_t {};
struct rocksdb_cuckoo_table_options_t {};

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
void rocksdb_cuckoo_options_set_hash_ratio(Cuckoo* /*options*/, double /*ratio*/) {}
void rocksdb_cuckoo_options_set_max_search_depth(Cuckoo* /*options*/, uint32_t /*depth*/) {}
void rocksdb_cuckoo_options_set_cuckoo_block_size(Cuckoo* /*options*/, uint32_t /*size*/) {}
void rocksdb_cuckoo_options_set_identity_as_first_hash(Cuckoo* /*options*/,
                                                       unsigned char /*identity*/) {}
void rocksdb_cuckoo_options_set_use_module_hash(Cuckoo* /*options*/, unsigned char /*use*/) {}

}  // extern "C"
