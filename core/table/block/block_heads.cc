// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_heads.h"

#include <limits>
#include <string>

#include "core/base/bytes/common_prefix.h"
#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_entry.h"

namespace varve {
namespace {

constexpr size_t kEntriesSizeMax = std::numeric_limits<uint16_t>::max();
constexpr size_t kEntrySizeUsual = 32;  // An estimate, for reserving memory.

// Calls visit(offset, user key) for each entry. False if an entry is invalid, if visit returns
// false, or if a restart point is not an entry: searches without heads use the restart points, and
// a block must give the same result with and without heads.
// however often it is asked.
template <typename Visit>
bool VisitKeys(const BlockView& block, Visit visit) {
  const char* const start = block.entries.data();
  std::string key;
  uint32_t restart = 0;
  for (const char* p = start; p < block.limit();) {
    BlockEntry entry;
    if (!ParseBlockEntry(p, block.limit(), &entry) || entry.shared > key.size()) return false;
    if (restart < block.num_restarts && block.restart(restart) == p) {
      if (entry.shared != 0) return false;
      ++restart;
    }
    key.resize(entry.shared);
    key.append(entry.suffix());
    if (key.size() < kPackedSize) return false;
    const std::string_view user_key(key.data(), key.size() - kPackedSize);
    if (!visit(static_cast<uint16_t>(p - start), user_key)) return false;
    p = entry.end();
  }
  return restart == block.num_restarts;
}

}  // namespace

uint32_t BlockHeads::RoomFor(uint64_t entries, uint64_t blocks) {
  constexpr uint64_t kEach = sizeof(int16_t) + sizeof(uint16_t), kPrefixUsual = 32;
  if (entries == 0 || blocks == 0) return 0;
  const uint64_t average = (entries - 1) / blocks + 1;
  if (average > kEntriesSizeMax) return 0;
  // Block sizes vary; blocks with more than 9/8 of the average number of entries may get no heads.
  const uint64_t room = (average + average / 8) * kEach + kLanes * sizeof(int16_t) + kPrefixUsual;
  return static_cast<uint32_t>(room / alignof(int64_t) * alignof(int64_t));
}

BlockHeadsPlan::BlockHeadsPlan(const BlockView& block) : entries_(block.entries) {
  if (block.separated || block.empty() || block.entries.size() > kEntriesSizeMax) return;
  if (!Read(block)) offsets_.clear();
}

bool BlockHeadsPlan::Read(const BlockView& block) {
  offsets_.reserve(block.entries.size() / kEntrySizeUsual);
  std::string last;
  const auto note = [&](uint16_t offset, std::string_view user_key) {
    if (offsets_.empty()) prefix_ = user_key;
    offsets_.push_back(offset);
    last = user_key;
    return true;
  };
  if (!VisitKeys(block, note)) return false;
  // Keys ascend: what the first and last key share, all share.
  prefix_.resize(CommonPrefixSize(prefix_, last));

  heads_.reserve(offsets_.size() + BlockHeads::kLanes);
  const auto take_head = [&](uint16_t, std::string_view user_key) {
    if (!user_key.starts_with(prefix_)) return false;
    const int16_t head = BlockHeads::HeadOf(user_key.substr(prefix_.size()));
    if (!heads_.empty() && head < heads_.back()) return false;
    heads_.push_back(head);
    return true;
  };
  if (!VisitKeys(block, take_head)) return false;
  heads_.resize(BlockHeads::Padded(static_cast<uint32_t>(heads_.size())),
                std::numeric_limits<int16_t>::max());
  return true;
}

size_t BlockHeadsPlan::bytes() const {
  return heads_.size() * sizeof(int16_t) + offsets_.size() * sizeof(uint16_t) + prefix_.size();
}

BlockHeads BlockHeadsPlan::WriteTo(char* to) const {
  CHECK(possible());
  DCHECK(reinterpret_cast<uintptr_t>(to) % alignof(int16_t) == 0);
  DCHECK_OP(heads_.size(), ==, BlockHeads::Padded(static_cast<uint32_t>(offsets_.size())));
  BlockHeads heads;
  heads.count_ = static_cast<uint32_t>(offsets_.size());
  heads.prefix_size_ = static_cast<uint32_t>(prefix_.size());
  heads.entries_size_ = static_cast<uint32_t>(entries_.size());
  heads.entries_ = entries_.data();
  heads.heads_ = reinterpret_cast<const int16_t*>(to);
  const auto append = [&to](const void* from, size_t size) {
    std::memcpy(to, from, size);
    to += size;
  };
  append(heads_.data(), heads_.size() * sizeof(int16_t));
  append(offsets_.data(), offsets_.size() * sizeof(uint16_t));
  append(prefix_.data(), prefix_.size());
  return heads;
}

}  // namespace varve
