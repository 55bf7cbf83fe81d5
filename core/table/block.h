// SPDX-License-Identifier: Apache-2.0
// Block is the contents of one block, verified and decompressed, with its outline. It is what the
// block cache holds. Immutable, thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "core/format/block_view.h"
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

  std::string_view bytes() const { return {bytes_.get(), size_}; }
  const BlockView& view() const { return view_; }
  uint64_t memory_bytes() const { return sizeof(*this) + size_; }

 private:
  const std::unique_ptr<char[]> bytes_;
  const uint64_t size_;
  BlockView view_;
};

}  // namespace varve
