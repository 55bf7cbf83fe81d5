// SPDX-License-Identifier: Apache-2.0
// KeyBuffer holds the current key of a cursor. Short keys, nearly all, need no allocation; a longer
// one allocates once, and the memory is reused. One thread.
#pragma once

#include <cstddef>
#include <memory>

namespace varve {

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
  static constexpr size_t kInlineBytes = 112;

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
