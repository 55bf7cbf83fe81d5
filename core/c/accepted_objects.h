// SPDX-License-Identifier: Apache-2.0
// Objects that can be made and destroyed, and that no database makes use of.
#pragma once

#include <cstdint>

struct rocksdb_ratelimiter_t {};

struct rocksdb_cuckoo_table_options_t {
  double hash_table_ratio = 0.9;
  uint32_t max_search_depth = 100;
  uint32_t cuckoo_block_size = 5;
  bool identity_as_first_hash = false;
  bool use_module_hash = true;
};
