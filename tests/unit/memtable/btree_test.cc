// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/btree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/keys/key_order.h"

namespace varve {
namespace {

// An internal key; in a std::set of them the order is that of CompareInternalKeys by hand.
struct Key {
  std::string user_key;
  Sequence sequence = 0;

  bool operator==(const Key&) const = default;
};
template <typename Order>
struct Before {
  Order order;
  bool operator()(const Key& a, const Key& b) const {
    const int c = order(a.user_key, b.user_key);
    return c != 0 ? c < 0 : a.sequence > b.sequence;
  }
};
template <typename Order>
using Model = std::set<Key, Before<Order>>;

template <typename Order>
struct Indexed {
  explicit Indexed(Order with) : order(with), model(Before<Order>{with}) {}

  void Insert(const Key& key, BTreeHint* with) {
    REQUIRE(model.insert(key).second);
    tree.Insert(MemTableEntry::Make({key.user_key, key.sequence, ValueType::kValue}, "", &arena),
                with);
  }
  typename BTree<Order>::Target TargetOf(const Key& key) const {
    return tree.MakeTarget({key.user_key, key.sequence, ValueType::kValue});
  }

  Order order;
  NodeArena arena;
  BTree<Order> tree{order, &arena};
  Model<Order> model;
  BTreeHint hint;
};

template <typename Position>
Key KeyAt(const Position& at) {
  if (at.entry == nullptr) return {"(end)", 0};
  return {std::string(at.entry->user_key()), at.entry->sequence()};
}

template <typename Order, typename Iterator>
Key KeyAt(const Model<Order>& model, Iterator at) {
  return at == model.end() ? Key{"(end)", 0} : *at;
}

// Forwards and backwards, to both ends.
template <typename Order>
void CheckWalks(const Indexed<Order>& indexed) {
  auto at = indexed.tree.First();
  for (const Key& key : indexed.model) {
    REQUIRE(KeyAt(at) == key);
    indexed.tree.Next(&at);
  }
  REQUIRE(at.entry == nullptr);
  at = indexed.tree.Last();
  for (auto key = indexed.model.rbegin(); key != indexed.model.rend(); ++key) {
    REQUIRE(KeyAt(at) == *key);
    at = indexed.tree.Prev(at);
  }
  REQUIRE(at.entry == nullptr);
}

// Searches for these keys, one by one and together.
template <typename Order>
void CheckSearches(const Indexed<Order>& indexed, const std::vector<Key>& keys) {
  constexpr size_t kMost = BTree<Order>::kBatchMax;
  std::array<typename BTree<Order>::Position, kMost> found;
  std::vector<typename BTree<Order>::Target> targets;
  const auto& model = indexed.model;
  size_t batch = 1;  // All sizes in turn.
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto expected = model.lower_bound(keys[i]);
    const auto target = indexed.TargetOf(keys[i]);
    REQUIRE(KeyAt(indexed.tree.FirstNotBefore(target)) == KeyAt<Order>(model, expected));
    const auto before = expected == model.begin() ? model.end() : std::prev(expected);
    REQUIRE(KeyAt(indexed.tree.LastBefore(target)) == KeyAt<Order>(model, before));
    targets.push_back(target);
    if (targets.size() == batch || i + 1 == keys.size()) {
      batch = batch % kMost + 1;
      indexed.tree.FirstNotBefore(targets, found.data());
      for (size_t j = 0; j < targets.size(); ++j) {
        const Key& key = keys[i + 1 - targets.size() + j];
        REQUIRE(KeyAt(found[j]) == KeyAt<Order>(model, model.lower_bound(key)));
      }
      targets.clear();
    }
  }
}

// Keys of every kind: prefixes of each other, zero bytes at the end, long common beginnings beyond
// what a node can leave out, and many versions of one.
Key RandomKey(std::mt19937* random) {
  const auto pick = [random](uint32_t bound) { return (*random)() % bound; };
  std::string key;
  switch (pick(4)) {
    case 0:
      key = std::string("tenant/000042/objects/a/long/way/down/", pick(2) == 0 ? 38 : 20) +
            std::to_string(pick(5000));
      break;
    case 1:
      key = "v";
      break;
    default:
      for (uint32_t size = pick(30); size > 0; --size) key += "\0a\xff"[pick(3)];
  }
  return {key, pick(10'000)};
}

std::vector<Key> RandomKeys(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::set<std::pair<std::string, Sequence>> seen;
  std::vector<Key> keys;
  while (keys.size() < count) {
    Key key = RandomKey(&random);
    if (seen.emplace(key.user_key, key.sequence).second) keys.push_back(std::move(key));
  }
  return keys;
}

// Calls `body` with each kind of order: two that have heads, and one that only compares.
template <typename Body>
void WithEachOrder(Body body) {
  body(BytewiseOrder{});
  body(ReverseBytewiseOrder{});
  body(VirtualOrder{BytewiseComparator()});
}

TEST_CASE("BTree: an empty one is one leaf without entries") {
  WithEachOrder([](auto order) {
    const Indexed indexed(order);
    CHECK_EQ(indexed.tree.height(), 1u);
    CheckWalks(indexed);
    CheckSearches(indexed, {{"", 0}, {"", kMaxSequence}, {"k", 5}});
    indexed.tree.FirstNotBefore({}, nullptr);
  });
}

TEST_CASE("BTree: whatever the order of inserts, it walks and searches as a set does") {
  WithEachOrder([](auto order) {
    for (const size_t count : {1u, 2u, 15u, 16u, 17u, 100u, 400u, 3000u}) {
      std::vector<Key> keys = RandomKeys(count, static_cast<uint32_t>(count));
      const std::vector<Key> targets = RandomKeys(200, 99);
      for (const int shape : {0, 1, 2, 3}) {
        CAPTURE(count);
        CAPTURE(shape);
        if (shape == 1) std::sort(keys.begin(), keys.end(), Before<decltype(order)>{order});
        if (shape == 2) std::reverse(keys.begin(), keys.end());
        // Runs that ascend, which the hint is for, cut into each other.
        if (shape == 3)
          std::rotate(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count / 3),
                      keys.end());
        Indexed indexed(order);
        for (const Key& key : keys) indexed.Insert(key, &indexed.hint);
        CheckWalks(indexed);
        CheckSearches(indexed, keys);
        CheckSearches(indexed, targets);
      }
    }
  });
}

TEST_CASE("BTree: it is right after every single insert, while it grows to three levels") {
  WithEachOrder([](auto order) {
    Indexed indexed(order);
    const std::vector<Key> keys = RandomKeys(450, 3);
    for (size_t i = 0; i < keys.size(); ++i) {
      indexed.Insert(keys[i], &indexed.hint);
      CheckSearches(indexed, {keys[i], keys[i / 2], keys[keys.size() - 1 - i]});
      if (i % 16 == 0 || i < 40) CheckWalks(indexed);
    }
    CHECK_GE(indexed.tree.height(), 2u);
  });
}

TEST_CASE("BTree: hints of several threads, or none, may take turns") {
  const std::vector<Key> keys = RandomKeys(2000, 5);
  for (const size_t hints : {1u, 2u, 7u}) {
    Indexed indexed(BytewiseOrder{});
    std::vector<BTreeHint> of(hints);
    std::vector<std::vector<Key>> ascending(hints);
    for (size_t i = 0; i < keys.size(); ++i) ascending[i * i % hints].push_back(keys[i]);
    for (auto& run : ascending) {
      std::sort(run.begin(), run.end(), Before<BytewiseOrder>{});
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      for (size_t h = 0; h < hints; ++h) {
        if (i < ascending[h].size()) indexed.Insert(ascending[h][i], &of[h]);
        if (i % 50 == 49) of[h] = BTreeHint();
      }
    }
    CheckWalks(indexed);
    CheckSearches(indexed, keys);
  }
}

TEST_CASE("BTree: a position goes on from its entry, whatever was inserted since") {
  WithEachOrder([](auto order) {
    using Tree = BTree<decltype(order)>;
    Indexed indexed(order);
    const std::vector<Key> keys = RandomKeys(1500, 17);
    std::vector<typename Tree::Position> held;
    for (size_t i = 0; i < keys.size(); ++i) {
      indexed.Insert(keys[i], &indexed.hint);
      if (i % 3 == 0) held.push_back(indexed.tree.FirstNotBefore(indexed.TargetOf(keys[i])));
    }
    for (auto& at : held) {
      const auto here = indexed.model.find(KeyAt(at));
      REQUIRE(here != indexed.model.end());
      const auto before = here == indexed.model.begin() ? indexed.model.end() : std::prev(here);
      REQUIRE(KeyAt(indexed.tree.Prev(at)) == KeyAt<decltype(order)>(indexed.model, before));
      indexed.tree.Next(&at);
      REQUIRE(KeyAt(at) == KeyAt<decltype(order)>(indexed.model, std::next(here)));
    }
  });
}

// A leaf is at least half full unless keys ascend, then it is full: 8^h entries need h levels.
TEST_CASE("BTree: its height is a logarithm, whether keys ascend, descend or do neither") {
  for (const int shape : {0, 1, 2}) {
    Indexed indexed(BytewiseOrder{});
    std::vector<Key> keys;
    for (int i = 0; i < 20'000; ++i) keys.push_back({std::to_string(100'000 + i), 1});
    if (shape == 1) std::reverse(keys.begin(), keys.end());
    if (shape == 2) std::shuffle(keys.begin(), keys.end(), std::mt19937(7));
    for (const Key& key : keys) indexed.Insert(key, &indexed.hint);
    CHECK_LE(indexed.tree.height(), 5u);
    CheckWalks(indexed);
  }
}

// btree.h: a reader takes no lock, and sees each entry whose insert has returned, in order.
TEST_CASE("BTree: readers beside two writers see all that was inserted before, in order") {
  constexpr size_t kWriters = 2, kEach = 4000;
  NodeArena arena;
  BTree<BytewiseOrder> tree{BytewiseOrder{}, &arena};
  const std::vector<Key> keys = RandomKeys(kWriters * kEach, 23);
  std::array<std::atomic<size_t>, kWriters> inserted{};
  std::vector<std::thread> threads;
  for (size_t w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      BTreeHint hint;
      for (size_t i = 0; i < kEach; ++i) {
        const Key& key = keys[w * kEach + i];
        tree.Insert(
            MemTableEntry::Make({key.user_key, key.sequence, ValueType::kValue}, "", &arena),
            &hint);
        inserted[w].store(i + 1, std::memory_order_release);
      }
    });
  }
  const auto target_of = [&](const Key& key) {
    return tree.MakeTarget({key.user_key, key.sequence, ValueType::kValue});
  };
  // Both directions count; a walk has at least what was there when it began.
  const auto walk = [&](bool forward) {
    size_t least = 0, count = 0;
    for (const auto& n : inserted) least += n.load(std::memory_order_acquire);
    const MemTableEntry* last = nullptr;
    for (auto at = forward ? tree.First() : tree.Last(); at.entry != nullptr;) {
      if (last != nullptr) {
        const int c = CompareInternalKeys(BytewiseOrder{}, last->key(), at.entry->key());
        if (forward ? c >= 0 : c <= 0) return false;
      }
      last = at.entry;
      ++count;
      if (forward) {
        tree.Next(&at);
      } else {
        at = tree.Prev(at);
      }
    }
    return count >= least;
  };
  std::atomic<int> wrong{0};
  const auto read = [&](uint32_t seed) {
    std::mt19937 random(seed);
    for (size_t done = 0; done < kWriters * kEach;) {
      done = 0;
      for (size_t w = 0; w < kWriters; ++w) {
        const size_t n = inserted[w].load(std::memory_order_acquire);
        done += n;
        for (int i = 0; n > 0 && i < 20; ++i) {
          const Key& key = keys[w * kEach + random() % n];
          if (KeyAt(tree.FirstNotBefore(target_of(key))) != key) ++wrong;
        }
      }
      if (!walk(seed % 2 == 0)) ++wrong;
    }
  };
  threads.emplace_back(read, 1);
  threads.emplace_back(read, 2);
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(wrong.load(), 0);
  size_t count = 0;
  for (auto at = tree.First(); at.entry != nullptr; tree.Next(&at)) ++count;
  CHECK_EQ(count, kWriters * kEach);
}

}  // namespace
}  // namespace varve
