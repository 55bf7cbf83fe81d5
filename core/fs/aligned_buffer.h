// SPDX-License-Identifier: Apache-2.0
// Memory for direct I/O. Buffers of 2 MiB and more use huge pages if possible.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "core/base/check.h"

namespace varve {

constexpr uint64_t AlignDown(uint64_t value, size_t alignment) { return value - value % alignment; }
constexpr uint64_t AlignUp(uint64_t value, size_t alignment) {
  return AlignDown(value + alignment - 1, alignment);
}

// One thread.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  // Allocates at least `bytes`; address and capacity are multiples of `alignment`, a power of two.
  AlignedBuffer(size_t bytes, size_t alignment) {
    VARVE_CHECK(std::has_single_bit(alignment));
    constexpr size_t kHugePage = size_t{2} << 20;
    if (bytes >= kHugePage && alignment < kHugePage) alignment = kHugePage;
    capacity_ = AlignUp(bytes, alignment);
    bytes_.reset(static_cast<char*>(std::aligned_alloc(alignment, capacity_)));
    // As `new` does it, so that the program says what becomes of it.
    if (const auto handler = std::get_new_handler(); bytes_ == nullptr && handler) handler();
    VARVE_CHECK(bytes_ != nullptr);
#if defined(__linux__)
    if (alignment == kHugePage) ::madvise(bytes_.get(), capacity_, MADV_HUGEPAGE);  // Advice only.
#endif
  }

  char* data() const { return bytes_.get(); }
  size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  std::unique_ptr<char, Free> bytes_;
  size_t capacity_ = 0;
};

}  // namespace varve
