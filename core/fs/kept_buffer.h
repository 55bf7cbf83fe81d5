// SPDX-License-Identifier: Apache-2.0
// Aligned scratch memory for one call: a buffer that the thread keeps, or one of the call's own for
// more than that holds.
#pragma once

#include <cstddef>

#include "core/base/threads/of_this_thread.h"
#include "core/fs/aligned_buffer.h"

namespace varve {

// Each `User` has a buffer of its own in each thread: ReadManyFiles() may hold its buffer while it
// calls ReadAnywhere().
template <typename User>
class KeptBuffer {
 public:
  static constexpr size_t kBytes = 1 << 20;
  static constexpr size_t kAlignment = 4096;

  KeptBuffer(size_t bytes, size_t alignment) {
    if (bytes > kBytes || alignment > kAlignment) {
      own_ = AlignedBuffer(bytes, alignment);
      data_ = own_.data();
    } else if (bytes > 0) {
      data_ = OfThisThread<Kept>().buffer.data();
    }
  }

  char* data() const { return data_; }  // Null for 0 bytes.

 private:
  struct Kept {
    AlignedBuffer buffer{kBytes, kAlignment};
  };

  AlignedBuffer own_;
  char* data_ = nullptr;
};

}  // namespace varve
