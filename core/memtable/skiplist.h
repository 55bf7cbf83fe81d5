// SPDX-License-Identifier: Apache-2.0
// SkipList is the usual sorted index of a memtable (W. Pugh, "Skip lists", CACM 1990; LevelDB,
// RocksDB): internal keys with their values, in nodes in an arena that are never removed. A search
// calls the comparator for each node. BTree (btree.h) is faster; this is the baseline it is
// measured against, and the index for finger search.
//
//   | next[height-1] ... next[1] | next[0] | packed | sizes | key bytes | value bytes |
//                                ^ Node*
//
// Threads: any number may Insert() concurrently, linking with compare-and-swap from the bottom up;
// a node is in the list as soon as its lowest link is. Readers are wait-free: every `next` is
// published with release and read with acquire, so a reader that reaches a node sees it complete.
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
#include "core/base/keys/key_order.h"
#include "core/base/prefetch.h"
#include "core/format/internal_key.h"
#include "core/memtable/node_arena.h"

namespace varve {

struct SkipListNode {
  using Link = std::atomic<SkipListNode*>;

  // Level 0 is in the node, the levels above are in front of it.
  Link& link(int level) { return (&link0)[-level]; }
  SkipListNode* next(int level) const {
    // Pairs with the release compare-and-swap in SkipList::Link.
    return (&link0)[-level].load(std::memory_order_acquire);
  }

  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
  char* bytes() { return reinterpret_cast<char*>(this + 1); }
  std::string_view user_key() const { return {bytes(), key_size}; }
  std::string_view value() const { return {bytes() + key_size, value_size}; }
  Sequence sequence() const { return packed >> 8; }
  ValueType type() const { return static_cast<ValueType>(packed & 0xff); }
  InternalKey key() const { return {user_key(), sequence(), type()}; }

  Link link0{nullptr};
  uint64_t packed = 0;
  uint32_t key_size = 0;
  uint32_t value_size = 0;
};
static_assert(sizeof(SkipListNode) == 24 && alignof(SkipListNode) <= NodeArena::kAlignment,
              "the bytes follow the node, and nodes come from the arena");

inline constexpr int kSkipListHeightMax = 12;

// The position of a thread's last insert: ascending inserts need no search. Belongs to one list and
// one thread.
struct SkipListHint {
  std::array<SkipListNode*, kSkipListHeightMax> previous{};
  bool set = false;
};

// The search path: per level, the last node before the target and its successor. Belongs to one
// list and one batch of searches.
struct SkipListFinger {
  std::array<const SkipListNode*, kSkipListHeightMax> before{};
  std::array<SkipListNode*, kSkipListHeightMax> beyond{};
  int height = 0;  // Levels that are set.
};

class SkipList {
 public:
  using Node = SkipListNode;
  using Hint = SkipListHint;
  static constexpr int kHeightMax = kSkipListHeightMax;
  static constexpr int kBranchingBits = 2;  // A quarter of the nodes of a level is in the next.
  static constexpr size_t kBatchMax = 32;   // Searches in flight at once.

  // A key to search for. Points into the caller's bytes.
  struct Target {
    std::string_view user_key;
    uint64_t packed = 0;
  };

  SkipList(VirtualOrder order, NodeArena* arena)
      : order_(order), arena_(arena), root_(NewNode(kHeightMax, 0, 0)) {}
  SkipList(const SkipList&) = delete;
  SkipList& operator=(const SkipList&) = delete;

  // A node stays valid, whatever is inserted.
  struct Position {
    const Node* entry = nullptr;  // Null: the end.
  };

  Target MakeTarget(const InternalKey& key) const { return {key.user_key, key.packed()}; }

  // Requires that the list does not hold `key`. `random` decides the node's height.
  void Insert(const InternalKey& key, std::string_view value, uint64_t random, Hint* hint) {
    const int height = HeightFrom(random);
    Node* const node = NewNode(height, key.user_key.size(), value.size());
    node->packed = key.packed();
    if (!key.user_key.empty()) {
      std::memcpy(node->bytes(), key.user_key.data(), key.user_key.size());
    }
    if (!value.empty()) {
      std::memcpy(node->bytes() + key.user_key.size(), value.data(), value.size());
    }

    const Target target{node->user_key(), node->packed};
    RaiseHeight(height);
    if (!hint->set || !IsJustAfter(hint->previous[0], target)) FindPrevious(target, hint);
    for (int level = 0; level < height; ++level) {
      Link(node, target, level, hint->previous[level]);
      hint->previous[level] = node;
    }
  }

  Position First() const { return {root_->next(0)}; }

  Position Last() const {
    const Node* x = root_;
    for (int level = height() - 1; level >= 0; --level) {
      while (Node* next = x->next(level)) x = next;
    }
    return {x == root_ ? nullptr : x};
  }

  // Requires an entry.
  void Next(Position* at) const {
    DCHECK(at->entry != nullptr);
    at->entry = at->entry->next(0);
  }
  // A search, because nodes have no predecessor links.
  Position Prev(const Position& at) const {
    DCHECK(at.entry != nullptr);
    return LastBefore({at.entry->user_key(), at.entry->packed});
  }

  // The first entry at or after the target.
  Position FirstNotBefore(const Target& target) const {
    const Node* x = root_;
    return {Descend(target, &x)};
  }

  // The last entry before the target.
  Position LastBefore(const Target& target) const {
    const Node* x = root_;
    Descend(target, &x);
    return {x == root_ ? nullptr : x};
  }

  // FirstNotBefore for ascending targets (duplicates allowed): *finger keeps the path of the
  // previous search, and the next one climbs only as high as necessary. Nodes inserted meanwhile
  // are between the finger's nodes, so it is less tight but still correct; new levels are added.
  // (RocksDB PRs 14428, 14465: finger search over an inline skip list.)
  Position FirstNotBefore(const Target& target, SkipListFinger* finger) const {
    const int top = height();
    // New levels are not in any earlier path: this search descends from the top.
    int level = finger->height < top ? top - 1 : 0;
    for (; finger->height < top; ++finger->height) {
      finger->before[static_cast<size_t>(finger->height)] = root_;
      finger->beyond[static_cast<size_t>(finger->height)] = nullptr;
    }
    while (level + 1 < top && IsPassed(finger->beyond[static_cast<size_t>(level)], target)) ++level;
    const Node* x = finger->before[static_cast<size_t>(level)];
    Node* beyond = finger->beyond[static_cast<size_t>(level)];
    if (IsPassed(beyond, target)) beyond = nullptr;  // Holds up to the highest level.
    for (; level >= 0; --level) {
      beyond = Advance(target, level, beyond, &x);
      finger->before[static_cast<size_t>(level)] = x;
      finger->beyond[static_cast<size_t>(level)] = beyond;
    }
    return {beyond};
  }

  // FirstNotBefore of several targets, in any order: their descents take turns, each fetching its
  // next node while the others compare, so that cache misses overlap. Requires
  // targets.size() <= kBatchMax and as much room in `found`.
  void FirstNotBefore(std::span<const Target> targets, Position* found) const {
    VARVE_CHECK(targets.size() <= kBatchMax);
    std::array<Descent, kBatchMax> active;
    size_t count = targets.size();
    for (size_t i = 0; i < count; ++i) active[i] = {root_, height() - 1, static_cast<uint32_t>(i)};
    while (count > 0) {
      for (size_t i = 0; i < count;) {
        const uint32_t index = active[i].index;
        if (Step(targets[index], &active[i])) {
          ++i;
        } else {
          found[index] = {active[i].beyond};
          active[i] = active[--count];
        }
      }
    }
  }

  VirtualOrder order() const { return order_; }

 private:
  static int HeightFrom(uint64_t random) {
    const int height = 1 + std::countr_zero(random) / kBranchingBits;
    return height < kHeightMax ? height : kHeightMax;
  }

  struct Descent {
    const Node* x = nullptr;  // A node before the target.
    int level = 0;
    uint32_t index = 0;      // Of the target.
    Node* beyond = nullptr;  // Known not to be before the target; null: the end.
    Node* fetching = nullptr;
  };

  // Moves to the next node whose memory must be fetched, and prefetches it. False: finished, at
  // d->beyond.
  bool Step(const Target& target, Descent* d) const {
    if (d->fetching != nullptr) {
      if (IsBefore(*d->fetching, target)) {
        d->x = d->fetching;
      } else {
        d->beyond = d->fetching;
        --d->level;
      }
    }
    for (; d->level >= 0; --d->level) {
      Node* const next = d->x->next(d->level);
      if (next == nullptr || next == d->beyond) {
        d->beyond = next;
        continue;
      }
      d->fetching = next;
      // Prefetches the link to follow and the key; often the same cache line.
      PrefetchLine(reinterpret_cast<const SkipListNode::Link*>(next) - d->level);
      PrefetchLine(next->bytes());
      return true;
    }
    return false;
  }

  Node* NewNode(int height, size_t key_size, size_t value_size) {
    using Link = SkipListNode::Link;
    DCHECK(height >= 1 && height <= kHeightMax);
    const size_t above = sizeof(Link) * static_cast<size_t>(height - 1);
    char* const memory = arena_->Allocate(above + sizeof(Node) + key_size + value_size);
    for (int i = 0; i < height - 1; ++i) new (memory + i * sizeof(Link)) Link(nullptr);
    Node* const node = new (memory + above) Node;
    node->key_size = static_cast<uint32_t>(key_size);
    node->value_size = static_cast<uint32_t>(value_size);
    return node;
  }

  int height() const { return height_.load(std::memory_order_relaxed); }

  // Readers that do not see the new height yet start lower and find the same nodes.
  void RaiseHeight(int height) {
    int now = height_.load(std::memory_order_relaxed);
    while (height > now && !height_.compare_exchange_weak(now, height, std::memory_order_relaxed)) {
    }
  }

  bool IsPassed(const Node* node, const Target& target) const {
    return node != nullptr && IsBefore(*node, target);
  }
  bool IsBefore(const Node& node, const Target& target) const {
    if (const int c = order_(node.user_key(), target.user_key); c != 0) return c < 0;
    return node.packed > target.packed;
  }

  // Whether `previous` is the last node before the target.
  bool IsJustAfter(const Node* previous, const Target& target) const {
    if (previous != root_ && !IsBefore(*previous, target)) return false;
    return !IsPassed(previous->next(0), target);
  }

  // Moves *x to the last node before `target` on `level`; returns its successor. `beyond` is known
  // not to be before the target.
  Node* Advance(const Target& target, int level, Node* beyond, const Node** x) const {
    while (true) {
      Node* const next = (*x)->next(level);
      if (next == nullptr || next == beyond) return next;
      PrefetchLine(next->next(level));  // Likely the next one, as there are two more.
      if (!IsBefore(*next, target)) return next;
      *x = next;
    }
  }

  // Descends from *x to the last node before the target, which becomes *x. Returns its successor.
  Node* Descend(const Target& target, const Node** x) const {
    Node* beyond = nullptr;
    for (int level = height() - 1; level >= 0; --level) beyond = Advance(target, level, beyond, x);
    return beyond;
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

  // Links `node` on `level` behind `previous` or, if others were inserted there, further on.
  void Link(Node* node, const Target& target, int level, Node* previous) {
    const Node* x = previous;
    while (true) {
      Node* next = Advance(target, level, nullptr, &x);
      DCHECK(x == root_ || IsBefore(*x, target));
      DCHECK(next == nullptr || next->packed != node->packed ||
             order_(next->user_key(), node->user_key()) != 0);
      node->link(level).store(next, std::memory_order_relaxed);
      if (const_cast<Node*>(x)->link(level).compare_exchange_strong(
              next, node, std::memory_order_release, std::memory_order_relaxed)) {
        return;
      }
    }
  }

  const VirtualOrder order_;
  NodeArena* const arena_;
  Node* const root_;            // Before all keys; has every level.
  std::atomic<int> height_{1};  // Levels in use.
};

}  // namespace varve
