// SPDX-License-Identifier: Apache-2.0
// Prefetcher reads ahead for one iterator over one file.
//
// Adaptive: after two sequential block reads it reads windows of 8 KiB, doubled at each refill up
// to 256 KiB; a jump starts over. Fixed (compactions, an explicit readahead_size): windows of that
// size from the first read on. What is still unread of a window is moved, not read again.
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

class Prefetcher {
 public:
  // Nothing is read at or beyond `limit`. `fixed_window` 0: adaptive.
  Prefetcher(const RandomAccessFile& file, uint64_t limit, uint64_t fixed_window)
      : file_(file), limit_(limit), fixed_window_(fixed_window) {}

  // Exactly these bytes, or fewer where the file ends. Valid until the next call.
  Result<std::string_view> Read(uint64_t offset, uint64_t size);

 private:
  uint64_t ChooseWindow(uint64_t offset);
  Status Fill(uint64_t offset, uint64_t size);
  void MakeRoom(uint64_t size, uint64_t kept_from, uint64_t kept);

  const RandomAccessFile& file_;
  const uint64_t limit_;
  const uint64_t fixed_window_;
  uint64_t sequential_reads_ = 0;
  uint64_t last_end_ = 0;  // Where the last block read ended.
  uint64_t window_ = 0;    // The last one; 0: none since the last jump.

  std::unique_ptr<char[]> memory_;
  char* buffer_ = nullptr;  // Aligned, within memory_.
  uint64_t capacity_ = 0;
  uint64_t start_ = 0;  // buffer_ holds file bytes [start_, start_ + filled_).
  uint64_t filled_ = 0;
};

}  // namespace varve
