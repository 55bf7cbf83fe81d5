// SPDX-License-Identifier: Apache-2.0
// Blocks for tests of what reads them, without a table around them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/table/block_builder.h"
#include "core/table/block/block.h"

namespace varve {

// The block that these bytes are, as it would come out of a table file.
inline std::shared_ptr<Block> BlockOf(std::string_view bytes, BlockKind kind = BlockKind::kData,
                                      uint32_t heads_room = 0) {
  std::shared_ptr<Block> block = Block::Make({bytes.size(), heads_room});
  std::copy(bytes.begin(), bytes.end(), block->writable());
  block->set_kind(kind);
  const Status parsed = block->ParseOutline();
  REQUIRE_MESSAGE(parsed.ok(), parsed.ToString());
  if (kind == BlockKind::kData) block->MakeHints();
  return block;
}

// The bytes of a data block with a put of each key, at sequence 7; keys ascend.
inline std::string PutsOf(const std::vector<std::string>& keys, uint32_t restart_interval) {
  BlockBuilder builder({.restart_interval = restart_interval});
  for (const std::string& key : keys) {
    builder.Add({key, 7, ValueType::kValue}, "value of " + key);
  }
  return std::string(builder.Finish());
}

// "key100000", "key100001", ...
inline std::vector<std::string> NumberedKeys(int count) {
  std::vector<std::string> keys;
  for (int i = 0; i < count; ++i) keys.push_back("key" + std::to_string(100'000 + i));
  return keys;
}

}  // namespace varve
