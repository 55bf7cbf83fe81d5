// SPDX-License-Identifier: Apache-2.0
// The layout of the contents of a table's blocks.
#pragma once

#include <optional>
#include <string_view>

#include "core/format/table/block_entry.h"
#include "core/inspect/layout.h"

namespace varve {

// How to parse the keys and values of a key/value block.
struct BlockContents {
  enum class Keys : uint8_t { kText, kUserKeys, kInternalKeys } keys = Keys::kText;
  enum class Values : uint8_t { kOpaque, kHandles, kIndex } values = Values::kOpaque;
  IndexValueFormat index = {};  // For kIndex.
};

// `payload`, uncompressed, begins at `offset`. Its nodes become children of *parent and tile it.
void LayOutKeyValueBlock(std::string_view payload, uint64_t offset, const BlockContents& contents,
                         LayoutNode* parent);

// A full filter or one partition, by the kind given in its last five bytes.
void LayOutFilter(std::string_view payload, uint64_t offset, LayoutNode* parent);

// LevelDB's: a small filter for each 2 KiB of data blocks.
void LayOutPerBlockFilters(std::string_view payload, uint64_t offset, LayoutNode* parent);

}  // namespace varve
