// SPDX-License-Identifier: Apache-2.0
// KeyBuffer holds the current key of a cursor. Keys of at most kInlineBytes need no allocation; a
// longer one allocates once, and the memory is reused. One thread.
#pragma once

#include <cstddef>
#include <memory>

namespace varve {

template <size_t kInlineBytes>
class KeyBuffer {
 public:
  KeyBuffer() = default;
  KeyBuffer(const KeyBuffer&) = delete;
  KeyBuffer& operator=(const KeyBuffer&) = delete;

  // Room for `size` bytes; old contents are lost if it has to grow.
  char* Reserve(size_t size) {
    if (size > capacity_) [[unlikely]]
      Grow(size);
    return data_;
  }

 private:
  void Grow(size_t size) {
    capacity_ = size * 2;
    heap_ = std::make_unique_for_overwrite<char[]>(capacity_);
    data_ = heap_.get();
  }

  char* data_ = inline_;
  size_t capacity_ = kInlineBytes;
  std::unique_ptr<char[]> heap_;
  char inline_[kInlineBytes];
};

}  // namespace varve
