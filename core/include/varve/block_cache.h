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

// Members are internal to the engine. Thread-safe. It stays alive until the last database, table or
// value that uses it is gone.
class BlockCache;

// `capacity`: bytes of memory at most, bookkeeping included. 0 keeps nothing.
VARVE_EXPORT std::shared_ptr<BlockCache> NewBlockCache(uint64_t capacity);

}  // namespace varve
