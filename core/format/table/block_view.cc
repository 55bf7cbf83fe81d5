// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_view.h"

#include <string>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/limits.h"

namespace varve {

namespace {

constexpr uint64_t kWordSize = sizeof(uint32_t);
constexpr uint32_t kHashIndexBit = 1u << 31;
constexpr uint32_t kReservedBit = 1u << 30;
constexpr uint32_t kEvenlySpacedBit = 1u << 29;
constexpr uint32_t kSeparatedBit = 1u << 28;

// Removes the last `size` bytes from *rest.
bool TakeLast(std::string_view* rest, uint64_t size, std::string_view* out) {
  if (size > rest->size()) return false;
  *out = rest->substr(rest->size() - size);
  rest->remove_suffix(size);
  return true;
}

Status CheckRestarts(const BlockView& view) {
  if (view.num_restarts == 0) return Status::Ok();
  uint32_t previous = view.restart_offset(0);
  if (previous != 0) {
    return Status::Corruption("a block's first restart is at " + std::to_string(previous) +
                              " and not at 0");
  }
  for (uint32_t i = 1; i < view.num_restarts; ++i) {
    const uint32_t offset = view.restart_offset(i);
    if (offset <= previous || offset >= view.entries.size()) {
      return Status::Corruption("a block's restart " + std::to_string(i) + " is at " +
                                std::to_string(offset) + ", after " + std::to_string(previous) +
                                " and in " + std::to_string(view.entries.size()) +
                                " bytes of entries");
    }
    previous = offset;
  }
  return Status::Ok();
}

Status NoRoom(std::string_view block, const char* what) {
  return Status::Corruption("a block of " + std::to_string(block.size()) +
                            " bytes has no room for its " + what);
}

}  // namespace

Result<BlockView> ParseBlock(std::string_view block) {
  BlockView view;
  view.block = block;
  std::string_view rest = block, part;
  if (block.size() > kBlockRawSizeMax) return Status::Corruption("a block is larger than 4 GiB");
  if (!TakeLast(&rest, kWordSize, &part)) return NoRoom(block, "last word");
  const uint32_t word = LoadFixed32(part.data());
  if ((word & kReservedBit) != 0) {
    return Status::NotSupported("a block's last word is " + Hex(word, 8) +
                                ": it was written by a newer version, or is not a block");
  }
  view.num_restarts = word & kBlockRestartsMax;
  view.evenly_spaced = (word & kEvenlySpacedBit) != 0;
  view.separated = (word & kSeparatedBit) != 0;

  uint64_t keys_size = 0;
  if (view.separated) {
    if (!TakeLast(&rest, kWordSize, &part)) return NoRoom(block, "value offset");
    keys_size = LoadFixed32(part.data());
  }
  if ((word & kHashIndexBit) != 0) {
    if (block.size() > kHashIndexBlockSizeMax) {
      return Status::Corruption("a block of " + std::to_string(block.size()) +
                                " bytes is too large for the hash index it announces");
    }
    uint16_t count = 0;
    if (!TakeLast(&rest, sizeof(count), &part)) return NoRoom(block, "hash index");
    std::memcpy(&count, part.data(), sizeof(count));
    if (!TakeLast(&rest, count, &part)) return NoRoom(block, "hash index");
    view.buckets = reinterpret_cast<const uint8_t*>(part.data());
    view.num_buckets = count;
  }
  if (!TakeLast(&rest, kWordSize * view.num_restarts, &part)) return NoRoom(block, "restarts");
  view.restarts = part.data();
  view.entries = view.num_restarts == 0 ? rest.substr(0, 0) : rest;
  if (view.separated) {
    if (keys_size > rest.size()) return NoRoom(block, "keys");
    view.entries = view.num_restarts == 0 ? rest.substr(0, 0) : rest.substr(0, keys_size);
    view.values = rest.substr(keys_size);
  }
  RETURN_IF_ERROR(CheckRestarts(view));
  if (view.entries.empty()) view.num_restarts = 0;
  return view;
}

uint32_t BlockView::RestartBelow(uint32_t end) const {
  DCHECK_OP(num_restarts, >, 0);
  uint32_t left = 0, right = num_restarts - 1;
  while (left < right) {
    const uint32_t middle = left + (right - left + 1) / 2;
    if (restart_offset(middle) < end) {
      left = middle;
    } else {
      right = middle - 1;
    }
  }
  return left;
}

}  // namespace varve
