// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_heads.h"

#include <bit>
#include <optional>

#include "core/base/bytes/common_prefix.h"
#include "core/base/check.h"
#include "core/format/internal_key.h"

namespace varve {
namespace {

constexpr uint32_t kRestartsMin = 2;
// With fewer entries, the entries themselves are only a few cache lines.
constexpr size_t kStartsFrom = 32;
constexpr size_t kStartsMax = size_t{1} << 16;

struct RestartEntry {
  std::string_view user_key;
  BlockHandle handle;
  const char* end = nullptr;
};

std::optional<RestartEntry> ReadRestart(const BlockView& view, uint32_t index, bool user_keys,
                                        IndexValueFormat values) {
  BlockEntry entry;
  const bool fits = values.delta_encoded
                        ? ParseKeyOnlyEntry(view.restart(index), view.limit(), &entry)
                        : ParseBlockEntry(view.restart(index), view.limit(), &entry);
  if (!fits || entry.shared != 0) return std::nullopt;
  if (!user_keys && entry.non_shared < kPackedSize) return std::nullopt;
  IndexValue value;
  const char* const limit = values.delta_encoded ? view.limit() : entry.end();
  const char* const end =
      ParseIndexValue(entry.after_key(), limit, values, entry.shared, BlockHandle{}, &value);
  if (end == nullptr) return std::nullopt;
  return RestartEntry{entry.suffix().substr(0, entry.non_shared - (user_keys ? 0 : kPackedSize)),
                      value.handle, values.delta_encoded ? end : entry.end()};
}

}  // namespace

IndexHeads::IndexHeads(const Block& block, bool user_keys, IndexValueFormat values) {
  if (block.view().num_restarts < kRestartsMin) return;
  if (!Read(block, user_keys, values)) {
    *this = IndexHeads();
    return;
  }
  MakeStarts();
}

bool IndexHeads::Read(const Block& block, bool user_keys, IndexValueFormat values) {
  const BlockView& view = block.view();
  const auto first = ReadRestart(view, 0, user_keys, values);
  const auto last = ReadRestart(view, view.num_restarts - 1, user_keys, values);
  if (!first.has_value() || !last.has_value()) return false;
  prefix_ = first->user_key.substr(0, CommonPrefixSize(first->user_key, last->user_key));
  entries_.reserve(view.num_restarts);
  has_handles_ = true;
  for (uint32_t i = 0; i < view.num_restarts; ++i) {
    const auto restart = ReadRestart(view, i, user_keys, values);
    if (!restart.has_value() || !restart->user_key.starts_with(prefix_)) return false;
    const uint64_t head = HeadOf(restart->user_key);
    if (i > 0 && head < entries_.back().head) return false;
    const BlockHandle handle = restart->handle;
    const char* const next = i + 1 < view.num_restarts ? view.restart(i + 1) : view.limit();
    has_handles_ = has_handles_ && restart->end == next && handle.size <= kSizeMax &&
                   handle.offset < uint64_t{1} << (64 - kSizeBits);
    entries_.push_back({head, handle.offset << kSizeBits | (handle.size & kSizeMax)});
  }
  return true;
}

void IndexHeads::MakeStarts() {
  const size_t count = entries_.size();
  if (count < kStartsFrom) return;
  const uint64_t range = entries_.back().head - entries_.front().head;
  const size_t wanted = std::min(std::bit_ceil(count), kStartsMax);
  while ((range >> shift_) >= wanted) ++shift_;
  const auto buckets = static_cast<size_t>(range >> shift_) + 1;
  starts_.reserve(buckets + 1);
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t bucket = (entries_[i].head - entries_.front().head) >> shift_;
    while (starts_.size() <= bucket) starts_.push_back(i);
  }
  CHECK_OP(starts_.size(), ==, buckets);
  starts_.push_back(static_cast<uint32_t>(count));
}

}  // namespace varve
