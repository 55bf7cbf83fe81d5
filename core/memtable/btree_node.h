// SPDX-License-Identifier: Apache-2.0
// The nodes of BTree (btree.h) and the encoding of their words.
//
// Heads. A node's keys share their first `prefix_size` bytes (24 at most), which are in its header;
// a head is the next eight bytes (iterator/key_head.h), so keys with a long common prefix are still
// distinguished by one integer comparison. When a key with a shorter common prefix is inserted, the
// node's heads are recomputed.
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
#include "core/base/keys/key_order.h"
#include "core/base/threads/word_lock.h"
#include "core/iterator/key_head.h"
#include "core/memtable/entry.h"

namespace varve {

// The first bytes of a key as big-endian words, so that prefixes compare as integers.
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
  // Reads directly from the key: assembling it in memory first would stall on the stores.
  static uint64_t Word(std::string_view key, size_t at) {
    if (at >= key.size()) return 0;
    const size_t rest = key.size() - at;
    if (rest >= 8 || key.size() < 8) return KeyHead(BytewiseOrder{}, key.substr(at));
    // Read from the last eight bytes of the key, of which `rest` are needed.
    return KeyHead(BytewiseOrder{}, key.substr(key.size() - 8)) << (8 * (8 - rest));
  }
};

// The length of the common prefix, at most KeyWords::kBytes. Keys are zero-padded.
inline uint32_t CommonPrefix(const KeyWords& a, const KeyWords& b) {
  for (size_t i = 0; i < KeyWords::kWords; ++i) {
    const uint64_t differs = a.words[i] ^ b.words[i];
    if (differs != 0) {
      return static_cast<uint32_t>(8 * i) + static_cast<uint32_t>(std::countl_zero(differs)) / 8;
    }
  }
  return KeyWords::kBytes;
}

// The common part of leaves and inner nodes. Any thread may read it at any time; a read is valid if
// `version` was even before it and is unchanged after it.
struct BTreeNode {
  explicit BTreeNode(uint32_t node_level) : level(node_level) {}

  std::atomic<uint32_t> version{0};  // Odd while the node is being changed.
  WordLock lock;                     // Leaf: held by inserting threads. Inner nodes: unused.
  std::atomic<uint32_t> prefix_size{0};
  const uint32_t level;  // 0: a leaf.
  std::array<std::atomic<uint64_t>, KeyWords::kWords> prefix{};

  // Waits for an even version, at most for the duration of a split.
  uint32_t ReadVersion() const {
    while (true) {
      const uint32_t now = version.load(std::memory_order_acquire);
      if ((now & 1) == 0) return now;
    }
  }
  // Whether everything read before (with acquire) belongs to version `seen`.
  bool IsStill(uint32_t seen) const { return version.load(std::memory_order_acquire) == seen; }

  // For one writer at a time. Stores between begin and end are release, so that none becomes
  // visible before the odd version.
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

  // The order in which the free slot is inserted at `index`.
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

// The smallest key that nodes to the right may have: the key of an entry, or its user key with all
// versions, including those newer than the entry. Null: none.
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
  std::atomic<uintptr_t> high{0};  // Separator: larger or equal keys are further right.
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
