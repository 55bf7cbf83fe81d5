// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/merging_iterator.h"

#include <cstdint>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/iterator/checking_iterator.h"
#include "core/iterator/key_head.h"
#include "core/iterator/record_run.h"

namespace varve {
namespace {

class EmptyIterator final : public InternalIterator {
 public:
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(const InternalKey&) override {}
  void SeekForPrev(const InternalKey&) override {}
  void Next() override { CHECK(Valid()); }
  void Prev() override { CHECK(Valid()); }
};

// The children that are Valid() are in a binary heap whose root is the current entry: a min-heap
// while moving forward (all children are at or after it), a max-heap while moving backward. The
// heap itself has the heads of the children's keys, so that sifting rarely reads a key.
template <typename Order>
class MergingIterator final : public InternalIterator {
 public:
  MergingIterator(Order order, std::vector<std::unique_ptr<InternalIterator>> children)
      : order_(order), children_(std::move(children)) {
    heap_.reserve(children_.size());
  }

  void SeekToFirst() override {
    for (auto& child : children_) child->SeekToFirst();
    Rebuild<true>();
  }
  void SeekToLast() override {
    for (auto& child : children_) child->SeekToLast();
    Rebuild<false>();
  }
  bool Prepare(const InternalKey& target) override {
    Exhaust();
    bool more = false;
    for (auto& child : children_) more = child->Prepare(target) || more;
    return more;
  }
  // Overlaps the reads and the cache misses of the children.
  void Seek(const InternalKey& target) override {
    while (Prepare(target)) {
    }
    for (auto& child : children_) child->Seek(target);
    Rebuild<true>();
  }
  void SeekForPrev(const InternalKey& target) override {
    for (auto& child : children_) child->SeekForPrev(target);
    Rebuild<false>();
  }

  void Next() override {
    CHECK(Valid());
    if (!forward_) return TurnForward();
    heap_[0].child->Next();
    AfterStep<true>();
  }
  void Prev() override {
    CHECK(Valid());
    if (forward_) return TurnBackward();
    heap_[0].child->Prev();
    AfterStep<false>();
  }

  // The run of the first child, up to the first key of the others.
  size_t ReadRun(const RunLimits& limits, RecordRun* run) override {
    DCHECK(Valid());
    if (!forward_) return 0;
    RunLimits own = limits;
    if (heap_.size() > 1) {
      if (runner_up_ == 0) runner_up_ = FirstOfChildren<true>(0);
      const std::string_view other = heap_[runner_up_].child->key().user_key;
      if (!own.before || order_(other, *own.before) < 0) own.before = other;
    }
    const size_t appended = heap_[0].child->ReadRun(own, run);
    if (appended == 0) return 0;
    heap_[0] = MakeItem(heap_[0].child);
    DCHECK(RootIsFirst<true>());
    Expose(*heap_[0].child);
    return appended;
  }

 private:
  struct Item {
    uint64_t head;  // KeyHead of the child's current user key.
    InternalIterator* child;
  };

  // Whether `a` precedes `b` in the heap's order.
  template <bool kForward>
  bool Before(const Item& a, const Item& b) const {
    const int c = CompareWithHeads(order_, a.head, a.child->key(), b.head, b.child->key());
    return kForward ? c < 0 : c > 0;
  }

  Item MakeItem(InternalIterator* child) const {
    return {KeyHead(order_, child->key().user_key), child};
  }

  // The current entry's bytes stay valid while the *other* children move, so its key needs no copy.
  // No other child has the same internal key: Seek leaves each strictly beyond it.
  void TurnForward() {
    InternalIterator* const current = heap_[0].child;
    for (auto& child : children_) {
      if (child.get() != current) child->Seek(current->key());
    }
    current->Next();
    Rebuild<true>();
  }
  void TurnBackward() {
    InternalIterator* const current = heap_[0].child;
    for (auto& child : children_) {
      if (child.get() != current) child->SeekForPrev(current->key());
    }
    current->Prev();
    Rebuild<false>();
  }

  // Requires that every child that is Valid() has its place and its head in heap_.
  template <bool kForward>
  bool IsHeap() const {
    for (size_t i = 0; i < heap_.size(); ++i) {
      const Item& item = heap_[i];
      if (!item.child->Valid() || item.head != MakeItem(item.child).head) return false;
      if (i > 0 && Before<kForward>(item, heap_[(i - 1) / 2])) return false;
    }
    return true;
  }
  // The part of that which is cheap enough to check after each step.
  template <bool kForward>
  bool RootIsFirst() const {
    return heap_.size() < 2 || !Before<kForward>(heap_[FirstOfChildren<kForward>(0)], heap_[0]);
  }

  template <bool kForward>
  void Rebuild() {
    forward_ = kForward;
    ClearFailure();
    heap_.clear();
    for (auto& child : children_) {
      if (child->Valid()) {
        heap_.push_back(MakeItem(child.get()));
      } else if (!child->status().ok()) {
        return Fail(child->status());
      }
    }
    for (size_t i = heap_.size() / 2; i-- > 0;) SiftDown<kForward>(i);
    DCHECK(IsHeap<kForward>());
    runner_up_ = 0;
    ExposeRoot();
  }

  // Call when the root's child has moved one step in the direction of the heap.
  template <bool kForward>
  void AfterStep() {
    DCHECK(forward_ == kForward);
    InternalIterator* const child = heap_[0].child;
    const uint64_t head_before = heap_[0].head;
    if (child->Valid()) {
      heap_[0] = MakeItem(child);
      // Runs within one child are long: as long as it stays ahead of the runner-up, which has not
      // moved, one comparison is enough.
      if (heap_.size() > 1) {
        if (runner_up_ == 0) runner_up_ = FirstOfChildren<kForward>(0);
        DCHECK_OP(runner_up_, ==, FirstOfChildren<kForward>(0), "the runner-up has not moved");
        if (Before<kForward>(heap_[runner_up_], heap_[0])) {
          SiftDown<kForward>(0);
          DCHECK(RootIsFirst<kForward>());
          runner_up_ = 0;
          return ExposeRoot(head_before);
        }
      }
      return Expose(*child);
    } else {
      if (!child->status().ok()) return Fail(child->status());
      heap_[0] = heap_.back();
      heap_.pop_back();
      if (!heap_.empty()) SiftDown<kForward>(0);
      DCHECK(RootIsFirst<kForward>());
      runner_up_ = 0;
    }
    ExposeRoot(head_before);
  }

  // Requires that slot i has a child slot.
  template <bool kForward>
  size_t FirstOfChildren(size_t i) const {
    const size_t left = 2 * i + 1, right = left + 1;
    DCHECK_OP(left, <, heap_.size());
    return right < heap_.size() && Before<kForward>(heap_[right], heap_[left]) ? right : left;
  }

  template <bool kForward>
  void SiftDown(size_t i) {
    const Item item = heap_[i];
    while (2 * i + 1 < heap_.size()) {
      const size_t next = FirstOfChildren<kForward>(i);
      if (!Before<kForward>(heap_[next], item)) break;
      heap_[i] = heap_[next];
      i = next;
    }
    heap_[i] = item;
  }

  void ExposeRoot() {
    if (heap_.empty()) return Exhaust();
    Expose(heap_[0].child->key(), heap_[0].child->value());
  }
  // The same after a step from an entry with this head to another child's.
  void ExposeRoot(uint64_t head_before) {
    if (heap_.empty()) return Exhaust();
    const InternalIterator& child = *heap_[0].child;
    Expose(child.key(), child.value(), /*starts_user_key=*/heap_[0].head != head_before);
  }

  [[no_unique_address]] const Order order_;
  const std::vector<std::unique_ptr<InternalIterator>> children_;
  std::vector<Item> heap_;
  size_t runner_up_ = 0;  // Slot of the second entry in order; 0: unknown.
  bool forward_ = true;
};

}  // namespace

std::unique_ptr<InternalIterator> NewMergingIterator(
    const Comparator& comparator, std::vector<std::unique_ptr<InternalIterator>> children) {
  if (children.empty()) return std::make_unique<EmptyIterator>();
  for (auto& child : children) child = CheckedInDebug(comparator, std::move(child));
  if (children.size() == 1) return std::move(children[0]);
  return WithKeyOrder(comparator, [&](auto order) -> std::unique_ptr<InternalIterator> {
    return std::make_unique<MergingIterator<decltype(order)>>(order, std::move(children));
  });
}

}  // namespace varve
