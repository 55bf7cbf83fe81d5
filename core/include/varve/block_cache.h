// SPDX-License-Identifier: Apache-2.0
// A cache of decompressed blocks that several databases share:
//
//   Options options;
//   options.block_cache = NewBlockCache(uint64_t{1} << 30);
//
// A database without one makes a cache of Options::block_cache_bytes of its own. DbStats says how
// full it is and how often it helps.
#pragma once

#include <cstdint>
#include <memory>

#include "varve/export.h"

namespace varve {

// Its members are for the engine alone. Thread-safe. It lives as long as any database, table or
// value read from one that refers to it.
class BlockCache;

// `capacity`: bytes of memory at most, bookkeeping included. 0 keeps nothing.
VARVE_EXPORT std::shared_ptr<BlockCache> NewBlockCache(uint64_t capacity);

}  // namespace varve
