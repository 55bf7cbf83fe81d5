// SPDX-License-Identifier: Apache-2.0
// The hash index of a memtable, alone and as a point index that is filled while entries are added:
// two writers beside two readers, who must find each key that was added before they looked, in a
// version that is not older.
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/memtable/btree.h"
#include "core/memtable/entry.h"
#include "core/memtable/hash_index.h"
#include "core/memtable/node_arena.h"
#include "core/memtable/point_index.h"
#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {
namespace {

// Keys whose hashes are multiples of `modulus`, so that they meet in one bucket. Made once, before
// any thread.
std::vector<std::string> KeysOf(uint64_t modulus, size_t count) {
  std::vector<std::string> keys;
  for (uint64_t i = 0; keys.size() < count; ++i) {
    std::string key = "key" + std::to_string(i);
    if (MemTableHashIndex::HashOf(key) % modulus == 0) keys.push_back(std::move(key));
  }
  return keys;
}
const std::vector<std::string> apart = KeysOf(16, 40);      // Of one stripe: splits move some.
const std::vector<std::string> together = KeysOf(256, 40);  // Of one chain, which no split divides.

struct Write {
  size_t key = 0;
  Sequence sequence = 0;
};

// What both harnesses share: what is written, and what a reader knows of it.
class Writes : public Harness {
 protected:
  explicit Writes(size_t first) : keys_(Random(2) == 0 ? apart : together), first_(first) {
    for (auto& writer : planned_) {
      for (Write& write : writer) write = {Random(static_cast<uint32_t>(first_ + 3)), ++sequence_};
    }
  }

  // Sequences of what was added before the caller's next search.
  std::vector<Sequence> Known() const {
    std::vector<Sequence> known(keys_.size());
    for (size_t i = 0; i < first_; ++i) known[i] = 1;
    for (size_t writer = 0; writer < added_.size(); ++writer) {
      if (Random(2) == 0) continue;
      const size_t count = added_[writer].load(std::memory_order_acquire);
      for (size_t i = 0; i < count; ++i) {
        const Write& write = planned_[writer][i];
        known[write.key] = std::max(known[write.key], write.sequence);
      }
    }
    return known;
  }

  const MemTableEntry* Entry(const Write& write) {
    return MemTableEntry::Make({keys_[write.key], write.sequence, ValueType::kValue}, "value",
                               &arena_);
  }

  void Look(const MemTableHashIndex& index) const {
    const std::vector<Sequence> known = Known();
    // Some keys that are never added, too.
    const size_t key = Random(static_cast<uint32_t>(first_ + (Random(2) == 0 ? 3 : 10)));
    const MemTableHashIndex::Answer answer =
        index.Find(MemTableHashIndex::HashOf(keys_[key]), keys_[key]);
    if (answer.newest == nullptr) {
      Expect(!answer.known || known[key] == 0, "an entry is lost");
      return;
    }
    Expect(answer.newest->user_key() == keys_[key] && answer.newest->value() == "value",
           "an entry is not complete");
    Expect(answer.newest->sequence() >= known[key], "the entry is older than what was added");
  }

  static constexpr size_t kEach = 4;
  const std::vector<std::string>& keys_;
  const size_t first_;  // Keys that are there before the threads.
  Sequence sequence_ = 1;
  NodeArena arena_;
  std::array<std::array<Write, kEach>, 2> planned_;
  std::array<std::atomic<size_t>, 2> added_{};
};

class Hash final : public Writes {
 public:
  Hash() : Writes(std::array<size_t, 5>{0, 3, 6, 7, 27}[Random(5)]) {
    for (size_t i = 0; i < first_; ++i) Add({i, 1});
  }
  void Run(int thread) override {
    if (thread < 2) {
      const auto writer = static_cast<size_t>(thread);
      for (size_t i = 0; i < kEach; ++i) {
        Add(planned_[writer][i]);
        added_[writer].store(i + 1, std::memory_order_release);
      }
      return;
    }
    for (int i = 0; i < 4; ++i) {
      if (Random(8) == 0) index_.PrefetchEntry(MemTableHashIndex::HashOf(keys_[0]));
      Look(index_);
    }
  }

 private:
  void Add(const Write& write) {
    index_.Insert(MemTableHashIndex::HashOf(keys_[write.key]), Entry(write));
  }
  MemTableHashIndex index_{&arena_};
};

class Point final : public Writes {
 public:
  using Tree = BTree<BytewiseOrder>;

  Point() : Writes(Random(2) == 0 ? 0 : 3 + Random(3)) {
    BTreeHint hint;
    for (size_t i = 0; i < first_; ++i) Add({i, 1}, &hint);
  }
  void Run(int thread) override {
    if (thread < 2) {
      const auto writer = static_cast<size_t>(thread);
      BTreeHint hint;
      for (size_t i = 0; i < kEach; ++i) {
        Add(planned_[writer][i], &hint);
        added_[writer].store(i + 1, std::memory_order_release);
      }
      return;
    }
    for (int i = 0; i < 4; ++i) {
      // One call is enough to want an index.
      if (const MemTableHashIndex* const index = points_.ForLookups(Tree::kBatchMax * 2))
        Look(*index);
    }
  }

 private:
  void Add(const Write& write, BTreeHint* hint) {
    const MemTableEntry* const entry = Entry(write);
    points_.BeginAdd(keys_[write.key]);
    tree_.Insert(entry, hint);
    points_.EndAdd(entry);
  }
  Tree tree_{BytewiseOrder{}, &arena_};
  PointIndex<Tree> points_{&tree_, &arena_};
};

}  // namespace

const Part kHashIndex = {"hash_index", "core/memtable/hash_index", 20000, Make<Hash>};
const Part kPointIndex = {"point_index", "core/memtable/point_index", 10000, Make<Point>};

}  // namespace varve::memory_orders
