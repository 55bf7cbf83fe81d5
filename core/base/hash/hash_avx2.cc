// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/hash_avx2.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace varve {

static_assert(XXH_VECTOR == XXH_AVX2);

uint64_t Xxh3Avx2(const void* bytes, size_t size) { return XXH3_64bits(bytes, size); }

}  // namespace varve
