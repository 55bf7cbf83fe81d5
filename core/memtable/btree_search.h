// SPDX-License-Identifier: Apache-2.0
// BTreeSearch is the readers' half of BTree (btree.h): finds entries and walks over them, without
// locks. What is read of a node is valid if the node has the same, even version afterwards.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/prefetch.h"
#include "core/iterator/key_head.h"
#include "core/memtable/btree_node.h"

namespace varve {

template <typename Order>
class BTreeSearch {
 public:
  static constexpr size_t kBatchMax = 32;  // Searches in flight at once.

  // A key to search for. Points into the caller's bytes.
  struct Target {
    std::string_view user_key;
    uint64_t packed = 0;
    KeyWords words;
  };

  // An entry and its position. Stays valid, whatever is inserted: Next() and Prev() search again if
  // the leaf has changed.
  struct Position {
    const MemTableEntry* entry = nullptr;  // Null: the end.
    const BTreeLeaf* leaf = nullptr;
    uint32_t version = 0;
    SlotOrder order = {};
    uint32_t index = 0;
  };

  BTreeSearch(const BTreeSearch&) = delete;
  BTreeSearch& operator=(const BTreeSearch&) = delete;

  Target MakeTarget(const InternalKey& key) const {
    return {key.user_key, key.packed(), KeyWords::Of(key.user_key)};
  }

  Position First() const { return FirstFrom(first_); }

  // Number of nodes from the root to a leaf, including both.
  uint32_t height() const { return root_.load(std::memory_order_acquire)->level + 1; }

  Position Last() const {
    const BTreeNode* node = root_.load(std::memory_order_acquire);
    while (node->level > 0) node = LastChild(static_cast<const BTreeInner&>(*node));
    return LastFrom(static_cast<const BTreeLeaf*>(node), nullptr);
  }

  // The first entry at or after the target.
  Position FirstNotBefore(const Target& target) const { return SeekFrom(FindLeaf(target), target); }

  // The last entry before the target.
  Position LastBefore(const Target& target) const {
    const BTreeNode* left = nullptr;
    const BTreeLeaf* const leaf = FindLeaf(target, &left);
    if (Position found = LastFrom(leaf, &target); found.entry != nullptr) return found;
    if (left == nullptr) return {};
    while (left->level > 0) left = LastChild(static_cast<const BTreeInner&>(*left));
    return LastFrom(static_cast<const BTreeLeaf*>(left), &target);
  }

  // Requires an entry.
  void Next(Position* at) const {
    DCHECK(at->entry != nullptr);
    if (at->index + 1 < at->order.count()) [[likely]] {
      const MemTableEntry* const entry =
          at->leaf->entries[at->order.slot(at->index + 1)].load(std::memory_order_acquire);
      if (IsUnchanged(*at)) [[likely]] {
        at->entry = entry;
        ++at->index;
        return;
      }
    }
    *at = Behind(*at);
  }

  Position Prev(const Position& at) const {
    DCHECK(at.entry != nullptr);
    if (at.index > 0) {
      if (std::optional<Position> near = Step(at, at.index - 1)) return *near;
    }
    return LastBefore(TargetOf(*at.entry));
  }

  // FirstNotBefore of several targets, in any order: their descents are interleaved, each
  // prefetching its next node while the others compare, so that cache misses overlap. Requires
  // targets.size() <= kBatchMax and as much room in `found`.
  void FirstNotBefore(std::span<const Target> targets, Position* found) const {
    VARVE_CHECK(targets.size() <= kBatchMax);
    std::array<Descent, kBatchMax> active;
    size_t count = targets.size();
    const BTreeNode* const root = root_.load(std::memory_order_acquire);
    for (size_t i = 0; i < count; ++i) active[i] = {root, static_cast<uint32_t>(i), false};
    while (count > 0) {
      for (size_t i = 0; i < count;) {
        const uint32_t index = active[i].index;
        if (StepDown(targets[index], &active[i], &found[index])) {
          ++i;
        } else {
          active[i] = active[--count];
        }
      }
    }
  }

  Order order() const { return order_; }

 protected:
  explicit BTreeSearch(Order order) : order_(order) {}
  ~BTreeSearch() = default;

  static constexpr bool kHasHeads = !std::is_same_v<Order, VirtualOrder>;
  static constexpr size_t kLine = 64;  // Of the cache.

  struct Descent {
    const BTreeNode* node = nullptr;
    uint32_t index = 0;  // Of the target.
    bool compare =
        false;  // `node` is a leaf, and an entry with the target's head is being fetched.
  };

  Target TargetOf(const MemTableEntry& entry) const {
    return {entry.user_key(), entry.packed, KeyWords::Of(entry.user_key())};
  }

  // ---- comparing

  bool IsBefore(const MemTableEntry& entry, const Target& target) const {
    if (const int c = order_(entry.user_key(), target.user_key); c != 0) return c < 0;
    return entry.packed > target.packed;
  }
  bool IsAtOrBefore(Separator separator, const Target& target) const {
    const MemTableEntry& entry = separator.entry();
    if (const int c = order_(entry.user_key(), target.user_key); c != 0) return c < 0;
    return separator.all_versions() || entry.packed >= target.packed;
  }

  uint64_t HeadAfter(std::string_view key, uint32_t prefix) const {
    return KeyHead(order_, key.size() <= prefix ? std::string_view() : key.substr(prefix));
  }

  // Compares the target's beginning with the node's prefix: < 0: it is before all keys with the
  // prefix; > 0: after them; 0: it has the prefix.
  static int ComparePrefix(const Target& target, const BTreeNode& node, uint32_t size) {
    for (uint32_t i = 0; 8 * i < size; ++i) {
      const uint32_t bytes = std::min<uint32_t>(8, size - 8 * i);
      const uint64_t mask = ~uint64_t{0} << (64 - 8 * bytes);
      const uint64_t wanted = target.words.words[i] & mask;
      const uint64_t has = node.prefix[i].load(std::memory_order_acquire) & mask;
      if (wanted == has) continue;
      const bool less = wanted < has;
      return less == std::is_same_v<Order, ReverseBytewiseOrder> ? 1 : -1;
    }
    return 0;
  }

  // ---- within a leaf; results are only valid if the leaf's version is unchanged

  // The number of its entries before the target.
  uint32_t CountBefore(const BTreeLeaf& leaf, SlotOrder order, const Target& target) const {
    uint32_t prefix = 0;
    if constexpr (kHasHeads) {
      prefix = leaf.prefix_size.load(std::memory_order_acquire);
      if (const int c = ComparePrefix(target, leaf, prefix); c != 0) {
        return c < 0 ? 0 : order.count();
      }
    }
    const uint64_t head = HeadAfter(target.user_key, prefix);
    uint32_t low = 0, high = order.count();
    while (low < high) {
      const uint32_t middle = (low + high) / 2, slot = order.slot(middle);
      const uint64_t found = leaf.heads[slot].load(std::memory_order_acquire);
      const bool before =
          found != head ? found < head
                        : IsBefore(*leaf.entries[slot].load(std::memory_order_acquire), target);
      if (before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // The entry with the target's head that a search compares first, if there is one, or else the
  // first entry not before it; null: there is none. Used for prefetching.
  const MemTableEntry* Guess(const BTreeLeaf& leaf, SlotOrder order, const Target& target) const {
    const uint32_t prefix = leaf.prefix_size.load(std::memory_order_acquire);
    if (const int c = ComparePrefix(target, leaf, prefix); c != 0) {
      return c < 0 && order.count() > 0
                 ? leaf.entries[order.slot(0)].load(std::memory_order_acquire)
                 : nullptr;
    }
    const uint64_t head = HeadAfter(target.user_key, prefix);
    uint32_t low = 0, high = order.count();
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (leaf.heads[order.slot(middle)].load(std::memory_order_acquire) < head) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == order.count() ? nullptr
                                : leaf.entries[order.slot(low)].load(std::memory_order_acquire);
  }

  Position SeekFrom(const BTreeLeaf* leaf, const Target& target) const {
    while (leaf != nullptr) {
      Position at{.leaf = leaf, .version = leaf->ReadVersion()};
      at.order = SlotOrder(leaf->order.load(std::memory_order_acquire));
      at.index = CountBefore(*leaf, at.order, target);
      const BTreeLeaf* const next = leaf->next.load(std::memory_order_acquire);
      if (at.index < at.order.count()) {
        at.entry = leaf->entries[at.order.slot(at.index)].load(std::memory_order_acquire);
      }
      if (!leaf->IsStill(at.version)) continue;
      if (at.entry != nullptr) return at;
      leaf = next;
    }
    return {};
  }

  // The last entry before the target (null: the last of all) in `leaf` or further right.
  Position LastFrom(const BTreeLeaf* leaf, const Target* target) const {
    Position best;
    while (leaf != nullptr) {
      Position at{.leaf = leaf, .version = leaf->ReadVersion()};
      at.order = SlotOrder(leaf->order.load(std::memory_order_acquire));
      const uint32_t count = at.order.count();
      const uint32_t before = target == nullptr ? count : CountBefore(*leaf, at.order, *target);
      const BTreeLeaf* const next = leaf->next.load(std::memory_order_acquire);
      if (before > 0) {
        at.index = before - 1;
        at.entry = leaf->entries[at.order.slot(at.index)].load(std::memory_order_acquire);
      }
      if (!leaf->IsStill(at.version)) continue;
      if (at.entry != nullptr) best = at;
      if (before < count) break;
      leaf = next;
    }
    return best;
  }

  Position FirstFrom(const BTreeLeaf* leaf) const {
    while (leaf != nullptr) {
      Position at{.leaf = leaf, .version = leaf->ReadVersion()};
      at.order = SlotOrder(leaf->order.load(std::memory_order_acquire));
      const BTreeLeaf* const next = leaf->next.load(std::memory_order_acquire);
      if (at.order.count() > 0) {
        at.entry = leaf->entries[at.order.slot(0)].load(std::memory_order_acquire);
      }
      if (!leaf->IsStill(at.version)) continue;
      if (at.entry == nullptr) {
        leaf = next;
        continue;
      }
      PrefetchAhead(*leaf, next);
      return at;
    }
    return {};
  }

  static bool IsUnchanged(const Position& at) {
    return at.leaf->order.load(std::memory_order_acquire) == at.order.word() &&
           at.leaf->IsStill(at.version);
  }

  // The entry after `at`, wherever it is now.
  Position Behind(const Position& at) const {
    if (std::optional<Position> near = Step(at, at.index + 1)) return *near;
    // The leaf has changed since. The entry is still in it, or further right.
    const Target target = TargetOf(*at.entry);
    Position again = SeekFrom(at.leaf, target);
    while (true) {
      DCHECK(again.entry == at.entry);
      if (std::optional<Position> near = Step(again, again.index + 1)) return *near;
      again = SeekFrom(again.leaf, target);
    }
  }

  // The entry at `index` of the leaf, or the first after it. Nullopt if the leaf has changed.
  std::optional<Position> Step(const Position& at, uint32_t index) const {
    Position to = at;
    to.index = index;
    const BTreeLeaf* const next = at.leaf->next.load(std::memory_order_acquire);
    to.entry = index < at.order.count()
                   ? at.leaf->entries[at.order.slot(index)].load(std::memory_order_acquire)
                   : nullptr;
    if (!IsUnchanged(at)) return std::nullopt;
    return to.entry != nullptr ? to : FirstFrom(next);
  }

  // A scan has reached `leaf`: prefetches the entries of the next leaf, and the node after that.
  // (The entries of `leaf` are prefetched already, unless the scan begins here.)
  static void PrefetchAhead(const BTreeLeaf& leaf, const BTreeLeaf* next) {
    PrefetchEntries(leaf);
    if (next == nullptr) return;
    PrefetchEntries(*next);
    const BTreeLeaf* const behind = next->next.load(std::memory_order_acquire);
    if (behind == nullptr) return;
    const char* const bytes = reinterpret_cast<const char*>(behind);
    for (size_t at = 0; at < sizeof(BTreeLeaf); at += kLine) PrefetchLine(bytes + at);
  }
  // Only a hint: concurrent changes of the leaf are harmless.
  static void PrefetchEntries(const BTreeLeaf& leaf) {
    const SlotOrder order(leaf.order.load(std::memory_order_acquire));
    for (uint32_t i = 0; i < order.count(); ++i) {
      const char* const bytes = reinterpret_cast<const char*>(
          leaf.entries[order.slot(i)].load(std::memory_order_acquire));
      PrefetchLine(bytes);
      PrefetchLine(bytes + kLine);
      PrefetchLine(bytes + 2 * kLine);
    }
  }

  // ---- descending

  // The number of separators at or before the target, which is the index of its child.
  uint32_t ChildIndex(const BTreeInner& inner, uint32_t count, const Target& target) const {
    uint32_t prefix = 0;
    if constexpr (kHasHeads) {
      prefix = inner.prefix_size.load(std::memory_order_acquire);
      if (const int c = ComparePrefix(target, inner, prefix); c != 0) return c < 0 ? 0 : count;
    }
    const uint64_t head = HeadAfter(target.user_key, prefix);
    uint32_t low = 0, high = count;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      const uint64_t found = inner.heads[middle].load(std::memory_order_acquire);
      const bool at_or_before =
          found != head
              ? found < head
              : IsAtOrBefore(Separator(inner.separators[middle].load(std::memory_order_acquire)),
                             target);
      if (at_or_before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // Sets *left to the child before it, if there is one.
  const BTreeNode* Child(const BTreeInner& inner, const Target& target,
                         const BTreeNode** left = nullptr) const {
    while (true) {
      const uint32_t version = inner.ReadVersion();
      const auto count = static_cast<uint32_t>(inner.count.load(std::memory_order_acquire));
      const uint32_t index = ChildIndex(inner, count, target);
      const BTreeNode* const child = inner.children[index].load(std::memory_order_acquire);
      const BTreeNode* const before =
          left != nullptr && index > 0 ? inner.children[index - 1].load(std::memory_order_acquire)
                                       : nullptr;
      if (!inner.IsStill(version)) continue;
      if (before != nullptr) *left = before;
      return child;
    }
  }
  const BTreeNode* LastChild(const BTreeInner& inner) const {
    while (true) {
      const uint32_t version = inner.ReadVersion();
      const uint64_t count = inner.count.load(std::memory_order_acquire);
      const BTreeNode* const child = inner.children[count].load(std::memory_order_acquire);
      if (inner.IsStill(version)) return child;
    }
  }

  // Sets *left to the nearest node further left, from which a search descends along the last
  // children.
  const BTreeLeaf* FindLeaf(const Target& target, const BTreeNode** left = nullptr) const {
    const BTreeNode* node = root_.load(std::memory_order_acquire);
    while (node->level > 0) node = Child(static_cast<const BTreeInner&>(*node), target, left);
    return static_cast<const BTreeLeaf*>(node);
  }

  // One step of a batched search; false: finished, with the result in *found.
  bool StepDown(const Target& target, Descent* d, Position* found) const {
    if (d->node->level > 0) {
      d->node = Child(static_cast<const BTreeInner&>(*d->node), target);
      Prefetch(*d->node);
      return true;
    }
    const auto* const leaf = static_cast<const BTreeLeaf*>(d->node);
    if (kHasHeads && !d->compare) {
      const uint32_t version = leaf->ReadVersion();
      const SlotOrder order(leaf->order.load(std::memory_order_acquire));
      const MemTableEntry* const guess = Guess(*leaf, order, target);
      const BTreeLeaf* const next = leaf->next.load(std::memory_order_acquire);
      if (leaf->IsStill(version)) {
        if (guess != nullptr) {
          PrefetchLine(guess);
          PrefetchLine(reinterpret_cast<const char*>(guess) + kLine);
        } else if (next != nullptr) {
          Prefetch(*next);
        }
        d->compare = true;
        return true;
      }
    }
    *found = SeekFrom(leaf, target);
    return false;
  }

  static void Prefetch(const BTreeNode& node) {
    // The header and the heads; of an inner node also the child pointers in the middle.
    const char* const bytes = reinterpret_cast<const char*>(&node);
    PrefetchLine(bytes);
    PrefetchLine(bytes + kLine);
    PrefetchLine(bytes + 2 * kLine);
    PrefetchLine(bytes + 3 * kLine);
    PrefetchLine(bytes + 4 * kLine);
  }

  [[no_unique_address]] const Order order_;
  BTreeLeaf* first_ = nullptr;  // Always the leftmost one.
  std::atomic<BTreeNode*> root_{nullptr};
};

}  // namespace varve
