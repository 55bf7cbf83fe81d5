// SPDX-License-Identifier: Apache-2.0
#include "core/fs/read_ahead.h"

#include <fcntl.h>

namespace varve {

bool AskForReadAhead(const RandomAccessFile& file, uint64_t offset, uint64_t size) {
#if defined(POSIX_FADV_WILLNEED) && !defined(__EMSCRIPTEN__)
  return file.descriptor() >= 0 && file.alignment() == 1 &&
         ::posix_fadvise(file.descriptor(), static_cast<off_t>(offset), static_cast<off_t>(size),
                         POSIX_FADV_WILLNEED) == 0;
#else
  static_cast<void>(file), static_cast<void>(offset), static_cast<void>(size);
  return false;
#endif
}

}  // namespace varve
