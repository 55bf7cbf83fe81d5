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
#include <string_view>
#include <type_traits>

#include "core/base/check.h"
#include "core/base/threads/mutex.h"
#include "core/memtable/btree_node.h"
#include "core/memtable/btree_search.h"
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
class BTree : public BTreeSearch<Order> {
  using Search = BTreeSearch<Order>;

 public:
  using Hint = BTreeHint;
  using typename Search::Position;
  using typename Search::Target;

  BTree(Order order, NodeArena* arena) : Search(order), arena_(arena) {
    MutexLock lock(splitting_);
    first_ = New<BTreeLeaf>();
    root_.store(first_, std::memory_order_release);
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

 private:
  using Search::Child;
  using Search::ChildIndex;
  using Search::CountBefore;
  using Search::FindLeaf;
  using Search::first_;
  using Search::HeadAfter;
  using Search::IsAtOrBefore;
  using Search::IsBefore;
  using Search::kHasHeads;
  using Search::kLine;
  using Search::order_;
  using Search::root_;
  using Search::TargetOf;

  static constexpr uint32_t kAscendingMin = 2;

  bool IsAt(const BTreeLeaf& leaf, uint32_t slot, const Target& target) const {
    const MemTableEntry& entry = *leaf.entries[slot].load(std::memory_order_relaxed);
    return entry.packed == target.packed && order_(entry.user_key(), target.user_key) == 0;
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

  NodeArena* const arena_;
  Mutex splitting_;
  char* slab_ GUARDED_BY(splitting_) = nullptr;
  size_t slab_left_ GUARDED_BY(splitting_) = 0;
};

}  // namespace varve
