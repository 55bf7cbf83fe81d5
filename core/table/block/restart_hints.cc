// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/restart_hints.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "core/base/bytes/common_prefix.h"
#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_entry.h"
#include "core/iterator/key_head.h"

namespace varve {
namespace {

// The user key of a restart entry.
std::optional<std::string_view> RestartKey(const BlockView& block, uint32_t index) {
  BlockEntry entry;
  if (block.separated) {
    uint64_t value_offset = 0;
    if (!ParseSeparatedEntry(block.restart(index), block.limit(), true, block.values.size(),
                             &value_offset, &entry)) {
      return std::nullopt;
    }
  } else if (!ParseBlockEntry(block.restart(index), block.limit(), &entry)) {
    return std::nullopt;
  }
  if (entry.shared != 0 || entry.non_shared < kPackedSize) return std::nullopt;
  return entry.suffix().substr(0, entry.non_shared - kPackedSize);
}

}  // namespace

RestartHints::RestartHints(const BlockView& block) {
  constexpr size_t kEntriesSizeMax = std::numeric_limits<uint16_t>::max();
  if (block.empty() || block.entries.size() > kEntriesSizeMax) return;
  const auto first = RestartKey(block, 0);
  const auto last = RestartKey(block, block.num_restarts - 1);
  if (!first.has_value() || !last.has_value()) return;
  const size_t prefix_size = CommonPrefixSize(*first, *last);
  if (prefix_size > kPrefixMax) return;
  const uint32_t count = std::min(block.num_restarts, kHeadsMax);
  DCHECK_OP(count, >, 0);
  for (uint32_t i = 0; i < count; ++i) {
    restarts_[i] = static_cast<uint16_t>(uint64_t{i} * block.num_restarts / count);
    const auto key = RestartKey(block, restarts_[i]);
    if (!key.has_value()) return;
    // What the first and the last share, all between them do.
    disordered_ = CommonPrefixSize(*key, *first) < prefix_size;
    if (disordered_) return;
    heads_[i] = KeyHead(BytewiseOrder{}, key->substr(prefix_size));
    disordered_ = i > 0 && heads_[i] < heads_[i - 1];
    if (disordered_) return;
    offsets_[i] = static_cast<uint16_t>(block.restart_offset(restarts_[i]));
  }
  disordered_ = KeyHead(BytewiseOrder{}, last->substr(prefix_size)) < heads_[count - 1];
  if (disordered_) return;
  std::memcpy(prefix_, first->data(), prefix_size);
  prefix_size_ = static_cast<uint8_t>(prefix_size);
  last_restart_ = static_cast<uint16_t>(block.num_restarts - 1);
  complete_ = block.num_restarts == count;
  count_ = static_cast<uint8_t>(count);
}

}  // namespace varve
