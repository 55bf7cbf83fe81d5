// SPDX-License-Identifier: Apache-2.0
#include "core/table/index_heads.h"

#include <optional>

#include "core/format/block_entry.h"
#include "core/format/internal_key.h"
#include "core/iterator/key_head.h"
#include "core/base/common_prefix.h"

namespace varve {
namespace {

// In a smaller block a binary search is in a few lines of memory anyway.
constexpr uint32_t kRestartsMin = 64;

// The user key of a restart entry.
std::optional<std::string_view> RestartKey(const BlockView& view, uint32_t index, bool user_keys,
                                           bool delta_values) {
  BlockEntry entry;
  const bool fits = delta_values ? ParseKeyOnlyEntry(view.restart(index), view.limit(), &entry)
                                 : ParseBlockEntry(view.restart(index), view.limit(), &entry);
  if (!fits || entry.shared != 0) return std::nullopt;
  if (user_keys) return entry.suffix();
  if (entry.non_shared < kPackedSize) return std::nullopt;
  return entry.suffix().substr(0, entry.non_shared - kPackedSize);
}

}  // namespace

IndexHeads::IndexHeads(const Block& block, bool user_keys, bool delta_values) {
  const BlockView& view = block.view();
  if (view.num_restarts < kRestartsMin) return;
  const auto first = RestartKey(view, 0, user_keys, delta_values);
  const auto last = RestartKey(view, view.num_restarts - 1, user_keys, delta_values);
  if (!first.has_value() || !last.has_value()) return;
  const std::string_view prefix = first->substr(0, CommonPrefixSize(*first, *last));
  std::vector<uint64_t> heads;
  heads.reserve(view.num_restarts);
  for (uint32_t i = 0; i < view.num_restarts; ++i) {
    const auto key = RestartKey(view, i, user_keys, delta_values);
    if (!key.has_value() || !key->starts_with(prefix)) return;
    heads.push_back(KeyHead(BytewiseOrder{}, key->substr(prefix.size())));
    if (i > 0 && heads[i] < heads[i - 1]) return;
  }
  prefix_ = prefix;
  heads_ = std::move(heads);
}

}  // namespace varve
