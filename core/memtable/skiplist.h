// SPDX-License-Identifier: Apache-2.0
// SkipList is the sorted index of a memtable: internal keys with their values, in nodes that live
// in an arena and are never removed.
//
//   | next[height-1] ... next[1] | next[0] | head | packed | sizes | key bytes | value bytes |
//                                ^ Node*
//
// A node carries the head of its key (iterator/key_head.h) next to its links, so a search mostly
// compares integers that came with the cache line it had to fetch for the link anyway.
//
// Threads: any number may Insert() at once, linking with compare-and-swap from the bottom up; a
// node is in the list as soon as its lowest link is. Readers are wait-free: every link is published
// with release and read with acquire, so who reaches a node sees it whole.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>

#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/iterator/key_head.h"
#include "core/memtable/node_arena.h"

namespace varve {

struct SkipListNode {
  // Links of level 0 and, in front of the node, of the levels above.
  std::atomic<SkipListNode*>& link(int level) { return (&link0)[-level]; }
  SkipListNode* next(int level) const {
    // Pairs with the release compare-and-swap in SkipList::Link.
    return const_cast<SkipListNode*>(this)->link(level).load(std::memory_order_acquire);
  }

  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
  char* bytes() { return reinterpret_cast<char*>(this + 1); }
  std::string_view user_key() const { return {bytes(), key_size}; }
  std::string_view value() const { return {bytes() + key_size, value_size}; }
  Sequence sequence() const { return packed >> 8; }
  ValueType type() const { return static_cast<ValueType>(packed & 0xff); }
  InternalKey key() const { return {user_key(), sequence(), type()}; }

  std::atomic<SkipListNode*> link0{nullptr};
  uint64_t head = 0;
  uint64_t packed = 0;
  uint32_t key_size = 0;
  uint32_t value_size = 0;
};
static_assert(sizeof(SkipListNode) == 32 && alignof(SkipListNode) <= NodeArena::kAlignment,
              "the bytes follow the node, and nodes come from the arena");

inline constexpr int kSkipListHeightMax = 12;

// Where a thread inserted last: inserts in ascending order need no search. Belongs to one list and
// one thread.
struct SkipListHint {
  std::array<SkipListNode*, kSkipListHeightMax> previous{};
  bool set = false;
};

template <typename Order>
class SkipList {
 public:
  using Node = SkipListNode;
  using Hint = SkipListHint;
  static constexpr int kHeightMax = kSkipListHeightMax;
  static constexpr int kBranchingBits = 2;  // A quarter of the nodes of a level is in the next.
  static constexpr size_t kBatchMax = 16;   // Searches in flight at once.

  // A key to search for, with its head. Points into the caller's bytes.
  struct Target {
    uint64_t head = 0;
    std::string_view user_key;
    uint64_t packed = 0;
  };

  SkipList(Order order, NodeArena* arena) : order_(order), arena_(arena) {
    root_ = NewNode(kHeightMax, 0, 0);
  }
  SkipList(const SkipList&) = delete;
  SkipList& operator=(const SkipList&) = delete;

  Target MakeTarget(const InternalKey& key) const {
    return {KeyHead(order_, key.user_key), key.user_key, key.packed()};
  }

  // Requires that the list does not hold `key`. `random` decides the node's height.
  void Insert(const InternalKey& key, std::string_view value, uint64_t random, Hint* hint) {
    const int height = HeightFrom(random);
    Node* const node = NewNode(height, key.user_key.size(), value.size());
    node->head = KeyHead(order_, key.user_key);
    node->packed = key.packed();
    std::memcpy(node->bytes(), key.user_key.data(), key.user_key.size());
    if (!value.empty()) {
      std::memcpy(node->bytes() + key.user_key.size(), value.data(), value.size());
    }

    const Target target{node->head, node->user_key(), node->packed};
    RaiseHeight(height);
    if (!hint->set || !IsJustAfter(hint->previous[0], target)) FindPrevious(target, hint);
    for (int level = 0; level < height; ++level) {
      Link(node, target, level, &hint->previous[level]);
      hint->previous[level] = node;
    }
  }

  Node* First() const { return root_->next(0); }

  Node* Last() const {
    const Node* x = root_;
    for (int level = height() - 1; level >= 0; --level) {
      while (Node* next = x->next(level)) x = next;
    }
    return x == root_ ? nullptr : const_cast<Node*>(x);
  }

  // First node at or after `target`, or null.
  Node* FirstNotBefore(const Target& target) const {
    const Node* x = root_;
    Node* beyond = nullptr;  // Known to be at or after the target; null: the end.
    for (int level = height() - 1; level >= 0; --level) {
      beyond = Advance(target, level, beyond, &x);
    }
    return beyond;
  }

  // Last node before `target`, or null.
  Node* LastBefore(const Target& target) const {
    const Node* x = root_;
    Node* beyond = nullptr;
    for (int level = height() - 1; level >= 0; --level) {
      beyond = Advance(target, level, beyond, &x);
    }
    return x == root_ ? nullptr : const_cast<Node*>(x);
  }

  // FirstNotBefore of several targets, in any order: their descents take turns, each fetching its
  // next node while the others compare, so that cache misses overlap. Requires
  // targets.size() <= kBatchMax and as much room in `found`.
  void FirstNotBefore(std::span<const Target> targets, Node** found) const {
    VARVE_CHECK(targets.size() <= kBatchMax);
    struct Descent {
      const Node* x;
      Node* beyond;
      Node* next;  // x's successor on `level`, being fetched.
      int level;
      uint32_t index;
    };
    std::array<Descent, kBatchMax> active;
    const int top = height() - 1;
    size_t count = targets.size();
    for (size_t i = 0; i < count; ++i) {
      active[i] = {root_, nullptr, root_->next(top), top, static_cast<uint32_t>(i)};
    }
    while (count > 0) {
      for (size_t i = 0; i < count;) {
        Descent& d = active[i];
        if (d.next != d.beyond && d.next != nullptr && IsBefore(*d.next, targets[d.index])) {
          d.x = d.next;
        } else {
          d.beyond = d.next;
          --d.level;
        }
        // Levels on which the successor is the same need no look at it.
        while (d.level >= 0 && (d.next = d.x->next(d.level)) == d.beyond) --d.level;
        if (d.level < 0) {
          found[d.index] = d.beyond;
          active[i] = active[--count];
          continue;
        }
        if (d.next != nullptr) PrefetchNode(d.next, d.level);
        ++i;
      }
    }
  }

  Order order() const { return order_; }

 private:
  static int HeightFrom(uint64_t random) {
    const int height = 1 + std::countr_zero(random) / kBranchingBits;
    return height < kHeightMax ? height : kHeightMax;
  }

  static void PrefetchNode(const Node* node, int level) {
    // The link that would be followed, and the head; often the same cache line.
    __builtin_prefetch(reinterpret_cast<const char*>(node) - level * sizeof(Node*));
    __builtin_prefetch(&node->head);
  }

  Node* NewNode(int height, size_t key_size, size_t value_size) {
    const size_t above = sizeof(std::atomic<Node*>) * static_cast<size_t>(height - 1);
    char* const memory = arena_->Allocate(above + sizeof(Node) + key_size + value_size);
    for (int i = 0; i < height - 1; ++i) {
      new (memory + i * sizeof(std::atomic<Node*>)) std::atomic<Node*>(nullptr);
    }
    Node* const node = new (memory + above) Node;
    node->key_size = static_cast<uint32_t>(key_size);
    node->value_size = static_cast<uint32_t>(value_size);
    return node;
  }

  int height() const { return height_.load(std::memory_order_relaxed); }

  // Readers that do not see the new height yet start lower, which finds the same nodes.
  void RaiseHeight(int height) {
    int now = height_.load(std::memory_order_relaxed);
    while (height > now && !height_.compare_exchange_weak(now, height, std::memory_order_relaxed)) {
    }
  }

  bool IsBefore(const Node& node, const Target& target) const {
    if (node.head != target.head) return node.head < target.head;
    if (const int c = order_(node.user_key(), target.user_key); c != 0) return c < 0;
    return node.packed > target.packed;
  }

  bool IsJustAfter(const Node* previous, const Target& target) const {
    if (previous != root_ && !IsBefore(*previous, target)) return false;
    const Node* next = previous->next(0);
    return next == nullptr || !IsBefore(*next, target);
  }

  // Moves *x to the last node before `target` on `level`; returns its successor there.
  Node* Advance(const Target& target, int level, const Node* beyond, const Node** x) const {
    while (true) {
      Node* const next = (*x)->next(level);
      if (next == nullptr || next == beyond) return next;
      if (level > 0) {
        if (Node* below = (*x)->next(level - 1); below != nullptr && below != next) {
          __builtin_prefetch(&below->head);  // Where the descent goes if `next` is too far.
        }
      }
      if (!IsBefore(*next, target)) return next;
      *x = next;
    }
  }

  void FindPrevious(const Target& target, Hint* hint) const {
    const Node* x = root_;
    Node* beyond = nullptr;
    const int top = height();
    for (int level = kHeightMax - 1; level >= top; --level) hint->previous[level] = root_;
    for (int level = top - 1; level >= 0; --level) {
      beyond = Advance(target, level, beyond, &x);
      hint->previous[level] = const_cast<Node*>(x);
    }
    hint->set = true;
  }

  // Links `node` on `level` behind *previous or, where others were faster, further on.
  void Link(Node* node, const Target& target, int level, Node** previous) {
    const Node* x = *previous;
    while (true) {
      Node* next = Advance(target, level, nullptr, &x);
      DCHECK(next == nullptr || next->packed != node->packed ||
             order_(next->user_key(), node->user_key()) != 0);
      node->link(level).store(next, std::memory_order_relaxed);
      if (const_cast<Node*>(x)->link(level).compare_exchange_strong(
              next, node, std::memory_order_release, std::memory_order_relaxed)) {
        return;
      }
    }
  }

  [[no_unique_address]] const Order order_;
  NodeArena* const arena_;
  Node* root_;                  // Before all keys; has every level.
  std::atomic<int> height_{1};  // Levels in use.
};

}  // namespace varve
