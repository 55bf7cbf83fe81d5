// SPDX-License-Identifier: Apache-2.0
// rocksdb_cache_t: a block cache that table options, databases and their caller share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "varve/block_cache.h"

namespace varve::c {

struct Cache {
  std::shared_ptr<BlockCache> blocks;
  std::atomic<size_t> capacity;  // As it was set last.
};

std::shared_ptr<Cache> NewCache(uint64_t capacity);

}  // namespace varve::c

struct rocksdb_cache_t {
  std::shared_ptr<varve::c::Cache> cache;
};
