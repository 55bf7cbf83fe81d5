// SPDX-License-Identifier: Apache-2.0
// Advises the system what will be read, so that it reads it into its cache.
#pragma once

#include <cstdint>

#include "varve/file_system.h"

namespace varve {

// False if the system does not read ahead for this file (direct I/O, no descriptor): callers that
// want the bytes early must read them.
bool AskForReadAhead(const RandomAccessFile& file, uint64_t offset, uint64_t size);

}  // namespace varve
