// SPDX-License-Identifier: Apache-2.0
// A key's head is its first eight bytes as one integer, so most comparisons of two keys are one
// integer comparison that reads neither key.
//
//   head(a) < head(b)   implies  a sorts before b
//   head(a) == head(b)  says nothing: compare the keys ("a" and "a\0" have the same head)
//
// Bytewise: big-endian, zero padded. Reverse bytewise: its complement. Other orders: always 0.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/format/internal_key.h"

namespace varve {

inline uint64_t KeyHead(BytewiseOrder, std::string_view key) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t head = 0;
  if (key.size() >= sizeof(head)) {
    std::memcpy(&head, key.data(), sizeof(head));
    return __builtin_bswap64(head);
  }
  for (size_t i = 0; i < key.size(); ++i) {
    head |= uint64_t{static_cast<uint8_t>(key[i])} << (56 - 8 * i);
  }
  return head;
}

inline uint64_t KeyHead(ReverseBytewiseOrder, std::string_view key) {
  return ~KeyHead(BytewiseOrder{}, key);
}

inline uint64_t KeyHead(VirtualOrder, std::string_view) { return 0; }

// Compares two keys with known heads: < 0, 0, > 0 in internal-key order.
template <typename Order>
int CompareWithHeads(Order order, uint64_t head_a, const InternalKey& a, uint64_t head_b,
                     const InternalKey& b) {
  DCHECK(head_a == KeyHead(order, a.user_key) && head_b == KeyHead(order, b.user_key));
  if (head_a != head_b) return head_a < head_b ? -1 : 1;
  return CompareInternalKeys(order, a, b);
}

}  // namespace varve
