// SPDX-License-Identifier: Apache-2.0
// Block is the contents of one block, verified and decompressed, with its outline. It is what the
// block cache holds. Immutable, thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "core/format/block_view.h"
#include "core/table/restart_hints.h"
#include "varve/result.h"

namespace varve {

class Block {
 public:
  Block(std::unique_ptr<char[]> bytes, uint64_t size) : bytes_(std::move(bytes)), size_(size) {}

  // Reads the outline of a key/value block; without it view() is empty (filters, dictionaries).
  Status ParseOutline() {
    Result<BlockView> view = ParseBlock(bytes());
    if (!view.ok()) return view.status();
    view_ = *view;
    return Status::Ok();
  }

  // For a data block, after ParseOutline().
  void MakeHints() { hints_ = RestartHints(view_); }

  std::string_view bytes() const { return {bytes_.get(), size_}; }
  const BlockView& view() const { return view_; }
  const RestartHints& hints() const { return hints_; }
  // Requires index < view().num_restarts.
  uint32_t restart_offset(uint32_t index) const {
    return hints_.complete() ? hints_.offset(index) : view_.restart_offset(index);
  }
  // Each entry says where the next one is, so a scan of cold memory would wait for one cache line
  // after the other. Asks for the interval's lines at once instead.
  void PrefetchInterval(uint32_t index) const {
    constexpr uint32_t kLine = 64, kBytesMax = 2048;
    const uint32_t start = restart_offset(index);
    const auto end = static_cast<uint32_t>(
        index + 1 < view_.num_restarts ? restart_offset(index + 1) : view_.entries.size());
    const char* const entries = view_.entries.data();
    for (uint32_t at = start; at < end && at < start + kBytesMax; at += kLine) {
      __builtin_prefetch(entries + at);
    }
  }

  uint64_t memory_bytes() const { return sizeof(*this) + size_; }

 private:
  const std::unique_ptr<char[]> bytes_;
  const uint64_t size_;
  BlockView view_;
  RestartHints hints_;
};

}  // namespace varve
