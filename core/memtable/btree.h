// SPDX-License-Identifier: Apache-2.0
// BTree is a sorted index of a memtable: a B+-tree of heads over entries in an arena
// (btree_node.h). Nothing is ever removed, and nodes live as long as the arena.
//
//            [ inner ]                 separators route; leaves hold the entries
//           /    |    \                and know their right neighbour
//      [leaf]->[leaf]->[leaf]
//
// Readers take no lock. An insert into a leaf is published by one store of its order word, so a
// reader sees it or does not. Splits, and recomputed heads, change a node under an odd version:
// readers that read it meanwhile read it again. Keys only ever move to the right, so a reader that
// reaches an outdated leaf continues along the leaf chain (Lehman, Yao: "Efficient locking for
// concurrent operations on B-trees", TODS 1981) and never has to restart.
//
// Writers lock the leaf they insert into; one at a time splits, which includes all changes of inner
// nodes. A new node is reachable from its parent before its left neighbour gives up the entries it
// has taken over, so a descent never ends left of the split leaf.
//
// Sources: prefix truncation and heads, "B-Trees Are Back" (SIGMOD 2025); the order word, Masstree
// (EuroSys 2012).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/base/check.h"
#include "core/base/key_order.h"
#include "core/base/mutex.h"
#include "core/base/prefetch.h"
#include "core/iterator/key_head.h"
#include "core/memtable/btree_node.h"
#include "core/memtable/node_arena.h"

namespace varve {

// The position of a thread's last insert, from which ascending keys continue. Belongs to one tree
// and one thread.
struct BTreeHint {
  BTreeLeaf* leaf = nullptr;
  const MemTableEntry* entry = nullptr;
  uint32_t ascending = 0;  // How many times in a row the key was larger than the previous one.
};

template <typename Order>
class BTree {
 public:
  using Hint = BTreeHint;
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

  BTree(Order order, NodeArena* arena) : order_(order), arena_(arena) {
    MutexLock lock(splitting_);
    first_ = New<BTreeLeaf>();
    root_.store(first_, std::memory_order_release);
  }
  BTree(const BTree&) = delete;
  BTree& operator=(const BTree&) = delete;

  Target MakeTarget(const InternalKey& key) const {
    return {key.user_key, key.packed(), KeyWords::Of(key.user_key)};
  }

  // Requires that the tree does not have the entry's key.
  void Insert(const MemTableEntry* entry, Hint* hint) {
    const Target target = TargetOf(*entry);
    const bool ascends = hint->entry != nullptr && IsBefore(*hint->entry, target);
    hint->ascending = ascends ? hint->ascending + 1 : 0;
    if (hint->ascending < kAscendingMin || !InsertAfterHint(target, entry, hint)) {
      hint->leaf = InsertFrom(const_cast<BTreeLeaf*>(FindLeaf(target)), target, entry);
    }
    hint->entry = entry;
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

 private:
  static constexpr bool kHasHeads = !std::is_same_v<Order, VirtualOrder>;
  static constexpr uint32_t kAscendingMin = 2;
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
  bool IsAt(const BTreeLeaf& leaf, uint32_t slot, const Target& target) const {
    const MemTableEntry& entry = *leaf.entries[slot].load(std::memory_order_relaxed);
    return entry.packed == target.packed && order_(entry.user_key(), target.user_key) == 0;
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
    const char* const bytes =
        reinterpret_cast<const char*>(next->next.load(std::memory_order_acquire));
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

  // ---- inserting

  // Inserts after the hint's entry, in the same leaf. False: the entry does not belong there, or
  // there is no room.
  bool InsertAfterHint(const Target& target, const MemTableEntry* entry, Hint* hint) {
    BTreeLeaf* const leaf = hint->leaf;
    leaf->lock.Lock();
    const SlotOrder order(leaf->order.load(std::memory_order_relaxed));
    const uint32_t index = CountBefore(*leaf, order, target);
    const bool fits = index > 0 && order.count() < BTreeLeaf::kSlots &&
                      (index < order.count() || !IsBeyond(*leaf, target));
    if (fits) Place(leaf, order, index, target, entry);
    leaf->lock.Unlock();
    return fits;
  }

  bool IsBeyond(const BTreeLeaf& leaf, const Target& target) const {
    const Separator high(leaf.high.load(std::memory_order_acquire));
    return !high.is_null() && IsAtOrBefore(high, target);
  }

  // Inserts into `leaf` or a leaf further right, which is returned.
  BTreeLeaf* InsertFrom(BTreeLeaf* leaf, const Target& target, const MemTableEntry* entry) {
    while (true) {
      leaf->lock.Lock();
      const SlotOrder order(leaf->order.load(std::memory_order_relaxed));
      const uint32_t index = CountBefore(*leaf, order, target);
      BTreeLeaf* const next = leaf->next.load(std::memory_order_relaxed);
      const bool last = index == order.count();
      BTreeLeaf* done = nullptr;
      BTreeLeaf* again = leaf;
      if (last && IsBeyond(*leaf, target)) {
        again = next;
      } else if (order.count() < BTreeLeaf::kSlots) {
        Place(leaf, order, index, target, entry);
        done = leaf;
      } else if (last && next == nullptr) {
        done = Append(leaf, order, entry);
      } else {
        Split(leaf, order);
      }
      leaf->lock.Unlock();
      if (done != nullptr) return done;
      leaf = again;
    }
  }

  // Requires room, and that no entry of the leaf has the key.
  void Place(BTreeLeaf* leaf, SlotOrder order, uint32_t index, const Target& target,
             const MemTableEntry* entry) REQUIRES(leaf->lock) {
    DCHECK_OP(order.count(), <, BTreeLeaf::kSlots);
    DCHECK(index == order.count() || !IsAt(*leaf, order.slot(index), target));
    uint32_t prefix = 0;
    if constexpr (kHasHeads) {
      prefix = leaf->prefix_size.load(std::memory_order_relaxed);
      const uint32_t common = std::min(prefix, CommonPrefix(target.words, leaf->Prefix()));
      if (common < prefix) {
        leaf->BeginChange();
        MakeHeads(leaf, order, common);
        leaf->EndChange();
        prefix = common;
      }
    }
    const uint32_t slot = order.free_slot();
    leaf->heads[slot].store(HeadAfter(target.user_key, prefix), std::memory_order_release);
    leaf->entries[slot].store(entry, std::memory_order_release);
    leaf->order.store(order.WithInserted(index).word(), std::memory_order_release);
  }

  // ---- splitting

  // For a full last leaf and an entry after all others: that begins a new leaf, the others stay.
  BTreeLeaf* Append(BTreeLeaf* leaf, SlotOrder order, const MemTableEntry* entry)
      REQUIRES(leaf->lock) {
    MutexLock lock(splitting_);
    BTreeLeaf* const right = New<BTreeLeaf>();
    right->entries[0].store(entry, std::memory_order_relaxed);
    Link(leaf, order, right, SlotOrder().WithCount(1));
    return right;
  }

  // Moves the upper half to a new leaf.
  void Split(BTreeLeaf* leaf, SlotOrder order) REQUIRES(leaf->lock) {
    MutexLock lock(splitting_);
    constexpr uint32_t kLeft = (BTreeLeaf::kSlots + 1) / 2;
    BTreeLeaf* const right = New<BTreeLeaf>();
    for (uint32_t i = kLeft; i < order.count(); ++i) {
      right->entries[i - kLeft].store(leaf->entries[order.slot(i)].load(std::memory_order_relaxed),
                                      std::memory_order_relaxed);
    }
    Link(leaf, order.WithCount(kLeft), right, SlotOrder().WithCount(order.count() - kLeft));
  }

  // Makes `right`, which is filled, the right neighbour of `leaf`, whose entries become those of
  // `left`.
  void Link(BTreeLeaf* leaf, SlotOrder left, BTreeLeaf* right, SlotOrder order)
      REQUIRES(splitting_) {
    MakeHeads(right, order, CommonPrefixOf(*right, order));
    right->order.store(order.word(), std::memory_order_relaxed);
    right->high.store(leaf->high.load(std::memory_order_relaxed), std::memory_order_relaxed);
    right->next.store(leaf->next.load(std::memory_order_relaxed), std::memory_order_relaxed);
    const MemTableEntry* const first = right->entries[order.slot(0)].load();
    const MemTableEntry* const before = leaf->entries[left.slot(left.count() - 1)].load();
    const bool same_key = order_(before->user_key(), first->user_key()) == 0;
    const Separator separator = same_key ? Separator::OfEntry(first) : Separator::OfUserKey(first);
    leaf->BeginChange();
    leaf->high.store(separator.word(), std::memory_order_release);
    leaf->next.store(right, std::memory_order_release);
    leaf->order.store(left.word(), std::memory_order_release);
    MakeHeads(leaf, left, CommonPrefixOf(*leaf, left));
    leaf->EndChange();
    AddSeparator(1, separator, right);
  }

  static KeyWords WordsOf(const BTreeLeaf& leaf, uint32_t slot) {
    return KeyWords::Of(leaf.entries[slot].load(std::memory_order_relaxed)->user_key());
  }
  // The common prefix of sorted keys is that of the first and the last.
  static uint32_t CommonPrefixOf(const BTreeLeaf& leaf, SlotOrder order) {
    if constexpr (!kHasHeads) return 0;
    return CommonPrefix(WordsOf(leaf, order.slot(0)), WordsOf(leaf, order.slot(order.count() - 1)));
  }

  // Recomputes the heads of all entries in `order`, after the first `prefix` bytes.
  void MakeHeads(BTreeLeaf* leaf, SlotOrder order, uint32_t prefix) {
    leaf->SetPrefix(WordsOf(*leaf, order.slot(0)), prefix);
    for (uint32_t i = 0; i < order.count(); ++i) {
      const uint32_t slot = order.slot(i);
      const MemTableEntry* const entry = leaf->entries[slot].load(std::memory_order_relaxed);
      leaf->heads[slot].store(HeadAfter(entry->user_key(), prefix), std::memory_order_release);
    }
  }

  // ---- inner nodes; changed only by the thread that splits

  // Adds `right`, which begins at the separator; until now its left neighbour is found instead.
  void AddSeparator(uint32_t level, Separator separator, BTreeNode* right) REQUIRES(splitting_) {
    BTreeNode* const root = root_.load(std::memory_order_relaxed);
    if (root->level < level) {
      BTreeInner* const top = New<BTreeInner>(level);
      top->children[0].store(root, std::memory_order_relaxed);
      InsertAt(top, 0, separator, right);
      root_.store(top, std::memory_order_release);
      return;
    }
    const Target target = TargetOf(separator.entry());
    const BTreeNode* node = root;
    while (node->level > level) node = Child(static_cast<const BTreeInner&>(*node), target);
    auto* const inner = const_cast<BTreeInner*>(static_cast<const BTreeInner*>(node));
    const auto count = static_cast<uint32_t>(inner->count.load(std::memory_order_relaxed));
    const uint32_t index = ChildIndex(*inner, count, target);
    if (count < BTreeInner::kSeparators) return InsertAt(inner, index, separator, right);

    const uint32_t middle = count / 2;
    BTreeInner* const upper = New<BTreeInner>(level);
    upper->children[0].store(inner->children[middle + 1].load(std::memory_order_relaxed),
                             std::memory_order_relaxed);
    for (uint32_t i = middle + 1; i < count; ++i) {
      InsertAt(upper, i - middle - 1,
               Separator(inner->separators[i].load(std::memory_order_relaxed)),
               inner->children[i + 1].load(std::memory_order_relaxed));
    }
    // Make the new node reachable before removing its part here.
    AddSeparator(level + 1, Separator(inner->separators[middle].load(std::memory_order_relaxed)),
                 upper);
    inner->BeginChange();
    inner->count.store(middle, std::memory_order_release);
    inner->EndChange();
    if (index <= middle) {
      InsertAt(inner, index, separator, right);
    } else {
      InsertAt(upper, index - middle - 1, separator, right);
    }
  }

  // Requires room. A reader that sees the new count also sees the new elements.
  void InsertAt(BTreeInner* inner, uint32_t index, Separator separator, BTreeNode* right) {
    const auto count = static_cast<uint32_t>(inner->count.load(std::memory_order_relaxed));
    CHECK_OP(count, <, BTreeInner::kSeparators);
    CHECK_OP(index, <=, count);
    DCHECK_OP(right->level + 1, ==, inner->level);
    const std::string_view key = separator.entry().user_key();
    inner->BeginChange();
    for (uint32_t i = count; i > index; --i) {
      inner->children[i + 1].store(inner->children[i].load(std::memory_order_relaxed),
                                   std::memory_order_release);
      inner->separators[i].store(inner->separators[i - 1].load(std::memory_order_relaxed),
                                 std::memory_order_release);
      inner->heads[i].store(inner->heads[i - 1].load(std::memory_order_relaxed),
                            std::memory_order_release);
    }
    inner->children[index + 1].store(right, std::memory_order_release);
    inner->separators[index].store(separator.word(), std::memory_order_release);
    inner->count.store(count + 1, std::memory_order_release);
    UpdateHeads(inner, index, count + 1, key);
    inner->EndChange();
  }

  // For a new separator at `index`: computes its head, or all heads if the common prefix became
  // shorter.
  void UpdateHeads(BTreeInner* inner, uint32_t index, uint32_t count, std::string_view key) {
    uint32_t prefix = 0;
    if constexpr (kHasHeads) {
      const KeyWords words = KeyWords::Of(key);
      const uint32_t before = inner->prefix_size.load(std::memory_order_relaxed);
      prefix =
          count == 1 ? KeyWords::kBytes : std::min(before, CommonPrefix(words, inner->Prefix()));
      if (count == 1 || prefix < before) {
        inner->SetPrefix(words, prefix);
        for (uint32_t i = 0; i < count; ++i) {
          const Separator other(inner->separators[i].load(std::memory_order_relaxed));
          inner->heads[i].store(HeadAfter(other.entry().user_key(), prefix),
                                std::memory_order_release);
        }
      }
    }
    inner->heads[index].store(HeadAfter(key, prefix), std::memory_order_release);
  }

  // Nodes begin at cache lines, allocations of the arena do not.
  template <typename Node, typename... Arguments>
  Node* New(Arguments... arguments) REQUIRES(splitting_) {
    if (slab_left_ < sizeof(Node)) {
      char* const raw = arena_->Allocate(kSlabSize + kLine);
      slab_ = raw + (kLine - reinterpret_cast<uintptr_t>(raw) % kLine) % kLine;
      slab_left_ = kSlabSize;
    }
    Node* const node = new (slab_) Node(arguments...);
    slab_ += sizeof(Node);
    slab_left_ -= sizeof(Node);
    return node;
  }

  static constexpr size_t kSlabSize = 4 * sizeof(BTreeInner);

  [[no_unique_address]] const Order order_;
  NodeArena* const arena_;
  BTreeLeaf* first_ = nullptr;  // Always the leftmost one.
  std::atomic<BTreeNode*> root_{nullptr};
  Mutex splitting_;
  char* slab_ GUARDED_BY(splitting_) = nullptr;
  size_t slab_left_ GUARDED_BY(splitting_) = 0;
};

}  // namespace varve
