// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/partition_map.h"

#include <algorithm>
#include <utility>

#include "core/base/bytes/common_prefix.h"
#include "core/base/check.h"
#include "core/base/keys/key_order.h"

namespace varve {

namespace {

// Limit of decoded keys relative to the block size. Writers put a restart, whose key is stored
// whole, at least at every sixteenth entry.
constexpr uint64_t kDecodedKeysMax = 16;

}  // namespace

// One decoded top level.
struct PartitionMap::Top {
  struct Separator {
    std::string user_key;
    uint64_t packed = 0;
  };
  std::vector<Separator> separators;
  std::vector<BlockHandle> handles;

  // False if it is damaged, or its keys share so much that decoding would cost too much memory.
  bool Read(const Block& block, const IndexEncoding& encoding) {
    uint64_t room = kDecodedKeysMax * block.bytes().size();
    IndexBlockCursor cursor;
    cursor.Attach(block, encoding);
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      std::string_view key = cursor.key();
      uint64_t packed = 0;
      if (!encoding.user_keys) {
        if (key.size() < kPackedSize) return false;
        packed = LoadFixed64(key.data() + key.size() - kPackedSize);
        key.remove_suffix(kPackedSize);
      }
      if (key.size() > room) return false;
      room -= key.size();
      separators.push_back({std::string(key), packed});
      handles.push_back(cursor.handle());
    }
    return !cursor.damaged();
  }
};

namespace {

// Order of internal keys: for equal user keys, the larger packed part first.
template <typename Separator>
bool Before(const Comparator& comparator, const Separator& a, const Separator& b) {
  const int c = comparator.Compare(a.user_key, b.user_key);
  return c != 0 ? c < 0 : a.packed > b.packed;
}

}  // namespace

std::unique_ptr<const PartitionMap> PartitionMap::Make(const Comparator& comparator,
                                                       const Block& index_top,
                                                       const Block* filter_top,
                                                       const IndexEncoding& encoding) {
  Top index, filter;
  if (!index.Read(index_top, encoding) || index.handles.empty()) return nullptr;
  if (filter_top != nullptr) {
    IndexEncoding filter_encoding = encoding;
    filter_encoding.values.has_first_key = false;
    if (!filter.Read(*filter_top, filter_encoding) || filter.handles.empty()) return nullptr;
  }
  const auto before = [&](const auto& a, const auto& b) { return Before(comparator, a, b); };
  for (const Top* top : {&index, &filter}) {
    if (!std::is_sorted(top->separators.begin(), top->separators.end(), before)) return nullptr;
  }
  std::unique_ptr<PartitionMap> map(new PartitionMap());
  map->user_keys_ = encoding.user_keys;
  size_t i = 0, f = 0;
  const auto here = [&] {
    const size_t last = filter.handles.empty() ? 0 : filter.handles.size() - 1;
    return Place{static_cast<uint32_t>(i), static_cast<uint32_t>(std::min(f, last))};
  };
  while (i < index.separators.size() || f < filter.separators.size()) {
    map->places_.push_back(here());
    const bool from_index =
        f == filter.separators.size() ||
        (i < index.separators.size() && !before(filter.separators[f], index.separators[i]));
    if (from_index) {
      map->Append(index, i++);
    } else {
      map->Append(filter, f++);
    }
  }
  map->places_.push_back(here());
  map->index_ = std::move(index.handles);
  map->filter_ = std::move(filter.handles);
  map->MakeHeads(comparator);
  return map;
}

void PartitionMap::Append(const Top& top, size_t i) {
  const Top::Separator& separator = top.separators[i];
  bounds_.push_back(
      {keys_.size(), static_cast<uint32_t>(separator.user_key.size()), separator.packed});
  keys_ += separator.user_key;
}

void PartitionMap::MakeHeads(const Comparator& comparator) {
  CHECK(heads_.size() == 0);
  CHECK(!bounds_.empty());
  if (comparator.kind() == Comparator::Kind::kOther) return;
  prefix_ = UserKey(0).substr(0, CommonPrefixSize(UserKey(0), UserKey(bounds_.size() - 1)));
  std::vector<uint64_t> heads;
  heads.reserve(bounds_.size());
  WithKeyOrder(comparator, [&](auto order) {
    for (size_t i = 0; i < bounds_.size(); ++i) {
      heads.push_back(KeyHead(order, UserKey(i).substr(prefix_.size())));
    }
  });
  heads_ = SortedHeads(std::move(heads));
}

uint64_t PartitionMap::memory_bytes() const {
  return sizeof(*this) + keys_.capacity() + bounds_.capacity() * sizeof(Bound) +
         places_.capacity() * sizeof(Place) +
         (index_.capacity() + filter_.capacity()) * sizeof(BlockHandle) + heads_.memory_bytes();
}

}  // namespace varve
