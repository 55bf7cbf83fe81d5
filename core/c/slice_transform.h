// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/c/option_handles.h"

namespace varve::c {

using TransformFn = char* (*)(void*, const char* key, size_t size, size_t* prefix_size);
using InDomainFn = unsigned char (*)(void*, const char* key, size_t size);

// One that the program defines by C functions.
rocksdb_slicetransform_t* NewSliceTransform(void* state, void (*destructor)(void*),
                                            TransformFn transform, InDomainFn in_domain,
                                            const char* (*name)(void*));

}  // namespace varve::c
