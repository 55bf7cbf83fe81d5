// SPDX-License-Identifier: Apache-2.0
// A cache of decompressed blocks that several databases share:
//
//   Options options;
//   options.block_cache = NewBlockCache(uint64_t{1} << 30);
//
// A database that is given none creates its own, of Options::block_cache_bytes. DbStats reports its
// size, hits and misses.
#pragma once

#include <cstdint>
#include <memory>

#include "varve/export.h"

namespace varve {

// Made by NewBlockCache() only. Thread-safe. It stays alive until the last database, table or value
// that uses it is gone.
class VARVE_EXPORT BlockCache {
 public:
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;
  virtual ~BlockCache() = default;

  // Bytes of memory that it may take, bookkeeping included.
  virtual uint64_t capacity() const = 0;
  // Bytes that it takes now.
  virtual uint64_t usage() const = 0;
  // Lookups that found their block, of all that use the cache.
  virtual uint64_t hits() const = 0;
  // Lookups that did not find it.
  virtual uint64_t misses() const = 0;

 private:
  friend class ClockCache;
  BlockCache() = default;
};

// `capacity`: bytes of memory at most, bookkeeping included. 0 keeps nothing.
VARVE_EXPORT std::shared_ptr<BlockCache> NewBlockCache(uint64_t capacity);

}  // namespace varve
