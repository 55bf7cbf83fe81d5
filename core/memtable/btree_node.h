// SPDX-License-Identifier: Apache-2.0
// The nodes of BTree (btree.h), and what is in their words.
//
// Heads. A node's keys begin with the same `prefix_size` bytes (24 at most), which stand in its
// header; a head is the eight bytes behind them (iterator/key_head.h), so that keys which share a
// long prefix are told apart by one compare of two registers, too. When a key comes that shares
// less, the node's heads are made anew.
//
//   leaf    | header: version lock prefix | next | high | order | head x 15 | entry x 15 |
//   inner   | header: version      prefix | count | head x 23 | separator x 23 | child x 24 |
//
// The order of a leaf is a permutation of its slots in one word (Mao, Kohler, Morris: "Cache
// craftiness for fast multicore key-value storage", EuroSys 2012): an insert fills a free slot and
// publishes it by one store.
//
//   | slot 14 | ... | slot 1 | slot 0 | count |      4 bits each; those from `count` on are free
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/base/key_order.h"
#include "core/base/word_lock.h"
#include "core/iterator/key_head.h"
#include "core/memtable/entry.h"

namespace varve {

// The first bytes of a key, in the order of the bytes, so that prefixes compare as words.
struct KeyWords {
  static constexpr size_t kWords = 3;
  static constexpr uint32_t kBytes = kWords * sizeof(uint64_t);

  std::array<uint64_t, kWords> words{};

  static KeyWords Of(std::string_view key) {
    KeyWords out;
    for (size_t i = 0; i < kWords; ++i) out.words[i] = Word(key, 8 * i);
    return out;
  }

 private:
  // Straight from the key: to put it together in memory would wait for the stores.
  static uint64_t Word(std::string_view key, size_t at) {
    if (at >= key.size()) return 0;
    const size_t rest = key.size() - at;
    if (rest >= 8 || key.size() < 8) return KeyHead(BytewiseOrder{}, key.substr(at));
    // The key's last eight bytes, of which `rest` are wanted.
    return KeyHead(BytewiseOrder{}, key.substr(key.size() - 8)) << (8 * (8 - rest));
  }
};

// How many bytes two keys have in common, at most KeyWords::kBytes. Zeros stand behind their ends.
inline uint32_t CommonPrefix(const KeyWords& a, const KeyWords& b) {
  for (size_t i = 0; i < KeyWords::kWords; ++i) {
    const uint64_t differs = a.words[i] ^ b.words[i];
    if (differs != 0) {
      return static_cast<uint32_t>(8 * i) + static_cast<uint32_t>(std::countl_zero(differs)) / 8;
    }
  }
  return KeyWords::kBytes;
}

// What leaves and inner nodes have in common. Read by anybody at any time: what was read counts if
// `version` was even and is still the same.
struct BTreeNode {
  explicit BTreeNode(uint32_t node_level) : level(node_level) {}

  std::atomic<uint32_t> version{0};  // Odd: being changed.
  WordLock lock;                     // Of a leaf: who inserts. Inner nodes: unused.
  std::atomic<uint32_t> prefix_size{0};
  const uint32_t level;  // 0: a leaf.
  std::array<std::atomic<uint64_t>, KeyWords::kWords> prefix{};

  // An even version, when there is one. The time in between is that of a split.
  uint32_t ReadVersion() const {
    while (true) {
      const uint32_t now = version.load(std::memory_order_acquire);
      if ((now & 1) == 0) return now;
    }
  }
  // All that was read before (with acquire) belongs to `seen`.
  bool IsStill(uint32_t seen) const { return version.load(std::memory_order_acquire) == seen; }

  // One writer at a time. Stores in between are release, so that none is seen before the odd
  // version.
  void BeginChange() {
    DCHECK(version.load(std::memory_order_relaxed) % 2 == 0);
    version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void EndChange() {
    DCHECK(version.load(std::memory_order_relaxed) % 2 == 1);
    version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  KeyWords Prefix() const {
    KeyWords out;
    for (size_t i = 0; i < KeyWords::kWords; ++i) {
      out.words[i] = prefix[i].load(std::memory_order_acquire);
    }
    return out;
  }
  void SetPrefix(const KeyWords& words, uint32_t size) {
    DCHECK_OP(size, <=, KeyWords::kBytes);
    for (size_t i = 0; i < KeyWords::kWords; ++i) {
      prefix[i].store(words.words[i], std::memory_order_release);
    }
    prefix_size.store(size, std::memory_order_release);
  }
};

class SlotOrder {
 public:
  static constexpr uint32_t kSlots = 15;

  SlotOrder() = default;
  explicit SlotOrder(uint64_t word) : word_(word) {}
  uint64_t word() const { return word_; }

  uint32_t count() const { return word_ & 15; }
  uint32_t slot(uint32_t index) const {
    DCHECK_OP(index, <, kSlots);
    return (word_ >> (4 + 4 * index)) & 15;
  }
  uint32_t free_slot() const {  // Requires count() < kSlots.
    DCHECK_OP(count(), <, kSlots);
    return slot(count());
  }

  // The free slot becomes the one at `index`.
  SlotOrder WithInserted(uint32_t index) const {
    DCHECK_OP(index, <=, count());
    const uint64_t taken = free_slot();
    const uint64_t below = Below(index), beyond = ~Below(count() + 1);
    const uint64_t moved = word_ & ~below & ~beyond & Below(count());
    return SlotOrder((word_ & below & ~uint64_t{15}) | taken << (4 + 4 * index) | moved << 4 |
                     (word_ & beyond) | (count() + 1));
  }
  // Only the first `count` are used.
  SlotOrder WithCount(uint32_t count) const {
    DCHECK_OP(count, <=, kSlots);
    return SlotOrder((word_ & ~uint64_t{15}) | count);
  }

 private:
  // The bits of the count and of the slots before `index`.
  static uint64_t Below(uint32_t index) {
    return index >= kSlots ? ~uint64_t{0} : (uint64_t{1} << (4 + 4 * index)) - 1;
  }
  uint64_t word_ = 0xEDCBA98765432100;  // 0, 1, 2, ...; all free.
};

// The least key that a node to the right may hold: that of an entry, or its user key with all its
// versions, also those newer than the entry. Null: none.
class Separator {
 public:
  Separator() = default;
  static Separator OfEntry(const MemTableEntry* entry) {
    return Separator(reinterpret_cast<uintptr_t>(entry));
  }
  static Separator OfUserKey(const MemTableEntry* entry) {
    return Separator(reinterpret_cast<uintptr_t>(entry) | 1);
  }
  explicit Separator(uintptr_t word) : word_(word) {}
  uintptr_t word() const { return word_; }

  bool is_null() const { return word_ == 0; }
  bool all_versions() const { return (word_ & 1) != 0; }
  const MemTableEntry& entry() const {
    return *reinterpret_cast<const MemTableEntry*>(word_ & ~uintptr_t{1});
  }

 private:
  uintptr_t word_ = 0;
};

struct alignas(64) BTreeLeaf : BTreeNode {
  static constexpr uint32_t kSlots = SlotOrder::kSlots;
  BTreeLeaf() : BTreeNode(0) {}

  std::atomic<BTreeLeaf*> next{nullptr};
  std::atomic<uintptr_t> high{0};  // Separator: keys from it on are further right.
  std::atomic<uint64_t> order{SlotOrder().word()};
  std::array<std::atomic<uint64_t>, kSlots> heads{};
  std::array<std::atomic<const MemTableEntry*>, kSlots> entries{};
};
static_assert(sizeof(void*) != 8 || sizeof(BTreeLeaf) == 320);

struct alignas(64) BTreeInner : BTreeNode {
  static constexpr uint32_t kSeparators = 23;
  explicit BTreeInner(uint32_t level) : BTreeNode(level) {}

  std::atomic<uint64_t> count{0};  // Separators; there is one child more.
  std::array<std::atomic<uint64_t>, kSeparators> heads{};
  std::array<std::atomic<uintptr_t>, kSeparators> separators{};
  std::array<std::atomic<BTreeNode*>, kSeparators + 1> children{};
};
static_assert(sizeof(void*) != 8 || sizeof(BTreeInner) == 640);

}  // namespace varve
