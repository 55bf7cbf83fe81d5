// SPDX-License-Identifier: Apache-2.0
// WindowPrefetcher reads ahead synchronously, in windows.
//
// After some sequential block reads it reads windows of the initial size, doubled at each refill up
// to the maximum; a jump starts over (RocksDB PR 3884). Fixed: windows of that size from the first
// read on. Where the system reads ahead, it is advised of a fixed window (of the next one when half
// was consumed), and data is copied in pieces that stay in the processor's cache until they are
// used. Unread bytes of a window are moved, not read again. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/table/readahead/prefetcher.h"

namespace varve {

class WindowPrefetcher final : public Prefetcher {
 public:
  WindowPrefetcher(const RandomAccessFile& file, uint64_t limit, const ReadaheadPolicy& policy)
      : file_(file), limit_(limit), policy_(policy) {}

  Result<std::string_view> Read(uint64_t offset, uint64_t size) override;
  void Announce(uint64_t, uint64_t) override {}
  void Pass(uint64_t offset, uint64_t size) override;

 private:
  bool IsJump(uint64_t offset) const;
  uint64_t ChooseWindow(uint64_t offset);
  uint64_t ChooseFixed(uint64_t offset);
  Status Fill(uint64_t offset, uint64_t size);
  void MakeRoom(uint64_t size, uint64_t kept_from, uint64_t kept);

  const RandomAccessFile& file_;
  const uint64_t limit_;
  const ReadaheadPolicy policy_;
  uint64_t sequential_reads_ = 0;
  uint64_t last_end_ = 0;  // Where the last block ended.
  uint64_t window_ = 0;    // Size of the last one; 0: none since the last jump.
  uint64_t asked_ = 0;     // Readahead was requested up to here.

  std::unique_ptr<char[]> memory_;
  char* buffer_ = nullptr;  // Aligned, within memory_.
  uint64_t capacity_ = 0;
  uint64_t start_ = 0;  // buffer_ holds file bytes [start_, start_ + filled_).
  uint64_t filled_ = 0;
};

}  // namespace varve
