// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/leveldb_filter.h"

#include "core/base/bytes/byte_writer.h"

namespace varve {

namespace {

constexpr uint64_t kWordSize = sizeof(uint32_t);
constexpr uint64_t kTailSize = kWordSize + 1;  // The array's offset and lg.
constexpr uint8_t kProbesMax = 30;

}  // namespace

std::optional<LevelDbFilter> LevelDbFilter::Parse(std::string_view block, bool leveldb_hash) {
  if (block.size() < kTailSize) return std::nullopt;
  const uint64_t array_end = block.size() - kTailSize;
  LevelDbFilter filter;
  filter.block_ = block;
  filter.array_offset_ = LoadFixed32(block.data() + array_end);
  filter.shift_ = static_cast<uint8_t>(block.back());
  filter.leveldb_hash_ = leveldb_hash;
  if (filter.array_offset_ > array_end || filter.shift_ >= 64) return std::nullopt;
  filter.filters_ = (array_end - filter.array_offset_) / kWordSize;
  return filter;
}

bool LevelDbFilter::MayMatch(uint64_t block_offset, uint32_t hash) const {
  const uint64_t number = block_offset >> shift_;
  if (number >= filters_) return true;
  // The word after the last filter's offset is array_offset, where that filter ends.
  const char* const at = block_.data() + array_offset_ + number * kWordSize;
  const uint64_t begin = LoadFixed32(at), end = LoadFixed32(at + kWordSize);
  if (begin > end || end > array_offset_) return true;  // Invalid: cannot exclude the key.
  if (end - begin < 2) return false;
  const auto* const bits = reinterpret_cast<const uint8_t*>(block_.data()) + begin;
  const uint8_t probes = bits[end - begin - 1];
  if (probes > kProbesMax) return true;
  const auto num_bits = static_cast<uint32_t>(8 * (end - begin - 1));
  if (num_bits == 0) return true;  // 512 MiB wrapped around: no writer makes this.
  const uint32_t delta = hash >> 17 | hash << 15;
  for (uint8_t i = 0; i < probes; ++i, hash += delta) {
    const uint32_t bit = hash % num_bits;
    if ((bits[bit / 8] & (1u << (bit % 8))) == 0) return false;
  }
  return true;
}

}  // namespace varve
