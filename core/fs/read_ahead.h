// SPDX-License-Identifier: Apache-2.0
// Telling the system what is going to be read, so that it brings that into its cache meanwhile.
#pragma once

#include <cstdint>

#include "varve/file_system.h"

namespace varve {

// False if the system does nothing of the kind for this file (direct I/O, no descriptor): whoever
// wants the bytes early then has to read them.
bool AskForReadAhead(const RandomAccessFile& file, uint64_t offset, uint64_t size);

}  // namespace varve
