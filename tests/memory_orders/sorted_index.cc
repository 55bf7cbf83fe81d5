// SPDX-License-Identifier: Apache-2.0
// The ordered indexes of a memtable: two writers beside two readers, who must find what was
// inserted before they began to search, in order, each entry complete.
#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/memtable/btree.h"
#include "core/memtable/entry.h"
#include "core/memtable/node_arena.h"
#include "core/memtable/skiplist.h"
#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {
namespace {

constexpr uint32_t kNumbers = 1024;
constexpr uint32_t kVersions = 4;  // Of a user key.
using Numbers = std::bitset<kNumbers>;

// Keys are numbers, in the same order: four versions of a user key, the newest first. Keys share
// their first bytes, but those of the two largest user keys. What an index keeps of keys as a
// number is often equal with a filler between their two digits, and always with one before them.
struct Keys {
  std::string before, between;

  static Keys Draw() {
    switch (Random(3)) {
      case 0:
        return {};
      case 1:
        return {.before = "", .between = "--------"};
      default:
        return {.before = std::string(32, '-'), .between = ""};
    }
  }

  std::string UserKeyOf(uint32_t number) const {
    const uint32_t user = number / kVersions;
    std::string key = number >= kNumbers - 2 * kVersions ? "keyz" : "key/key/key/";
    key += before;
    key.push_back(static_cast<char>('0' + user / 64));
    key += between;
    key.push_back(static_cast<char>('0' + user % 64));
    return key;
  }
  static InternalKey KeyOf(uint32_t number, const std::string& user_key) {
    return {user_key, kVersions - number % kVersions, ValueType::kValue};
  }

  // The number of an entry, whose parts must all be there.
  template <typename Entry>
  uint32_t NumberOf(const Entry& entry) const {
    const std::string_view key = entry.user_key();
    Expect(key.size() >= 6 + before.size() + between.size(), "an entry's key is not complete");
    const int high = key[key.size() - 2 - between.size()] - '0', low = key.back() - '0';
    const uint32_t number = static_cast<uint32_t>(high * 64 + low) * kVersions + kVersions -
                            static_cast<uint32_t>(entry.sequence());
    Expect(number < kNumbers && entry.value() == std::to_string(number),
           "an entry is not complete");
    return number;
  }
};

void InsertKey(BTree<BytewiseOrder>* tree, const InternalKey& key, std::string_view value,
               NodeArena* arena, BTreeHint* hint) {
  tree->Insert(MemTableEntry::Make(key, value, arena), hint);
}
void InsertKey(SkipList* list, const InternalKey& key, std::string_view value, NodeArena*,
               SkipListHint* hint) {
  // Half of the nodes are on the second level as well.
  list->Insert(key, value, Random(2) == 0 ? 1 : 4, hint);
}

auto OrderFor(const SkipList*) { return VirtualOrder{BytewiseComparator()}; }
auto OrderFor(const BTree<BytewiseOrder>*) { return BytewiseOrder{}; }

// kFew: one writer and three readers that search once, for what takes an unlikely order of several
// loads. kManyNodes: inner nodes are split.
enum class Size { kFew, kUsual, kManyNodes };

template <typename Index, Size kSize>
class Sorted final : public Harness {
 public:
  Sorted() {
    // A full node, or one that is nearly full, so that a few inserts split it.
    constexpr std::array<uint32_t, 6> kUsual = {0, 5, 13, 14, 15, 22};
    const uint32_t count = kManyNodes            ? 24 * 15 - Random(2)
                           : kSize == Size::kFew ? FewKeys()
                                                 : kUsual[Random(kUsual.size())];
    typename Index::Hint hint;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t number = kManyNodes ? 2 * i : 16 * i;
      first_.set(number);
      Insert(number, &hint);
    }
    if (kSize == Size::kFew) {
      PlanFew();
      return;
    }
    Numbers taken = first_;
    for (auto& writer : planned_) {
      // Ascending keys take a way of their own.
      const bool ascend = Random(2) == 0;
      uint32_t number = Random(ascend ? kNumbers / 2 : kNumbers);
      for (uint32_t& planned : writer) {
        while (taken.test(number)) number = (number + 1) % kNumbers;
        taken.set(number);
        planned = number;
        number =
            ascend ? (number + 1 + Random(16)) % kNumbers : Random(kManyNodes ? 720 : kNumbers);
        if (!ascend && Random(6) == 0) number = kNumbers - 1 - Random(8);
      }
    }
  }

  void Run(int thread) override {
    if (thread < (kSize == Size::kFew ? 1 : 2)) return Write(static_cast<size_t>(thread));
    if (kSize == Size::kFew) return SearchOnce();
    for (int i = 0; i < (kManyNodes ? 3 : 2); ++i) {
      switch (Random(kManyNodes ? 2 : 5)) {
        case 0:
          SeekForward();
          break;
        case 1:
          SeekBackward();
          break;
        case 2:
          ScanForward();
          break;
        case 3:
          ScanBackward();
          break;
        default:
          SeekMany();
      }
    }
  }

 private:
  static constexpr bool kManyNodes = kSize == Size::kManyNodes;
  static constexpr size_t kEach = kSize == Size::kUsual ? 5 : 3;
  using Position = typename Index::Position;

  // A full leaf and up to three keys of a second one, or three full leaves below an inner node.
  static uint32_t FewKeys() { return Random(2) == 0 ? 15 + Random(4) : 31 + Random(15); }
  // A split of the first leaf and inserts into its first half, or keys without the last node's
  // prefix.
  void PlanFew() {
    // Not multiples of 16, which are there.
    const bool split = Random(3) != 0;
    const uint32_t from = split ? 16 * Random(7) + 1 + Random(12) : kNumbers - kEach - Random(5);
    for (uint32_t i = 0; i < kEach; ++i) planned_[0][i] = from + i;
    if (Random(2) == 0) std::swap(planned_[0][0], planned_[0][2]);
    planned_[1] = planned_[0];
  }
  void SearchOnce() {
    const Numbers known = Random(2) == 0 ? first_ : Known();
    // Often where a split node's second half begins.
    const uint32_t number = Random(3) == 0   ? SomeNumber()
                            : Random(2) == 0 ? 16 * Random(46)
                                             : 16 * (7 + Random(9));
    std::string key;
    switch (Random(4)) {
      case 0:
        ExpectLast(known, number, index_.LastBefore(TargetOf(number, &key)));
        break;
      case 1:
        SeekMany();
        break;
      default:
        ExpectFirst(known, number, index_.FirstNotBefore(TargetOf(number, &key)));
    }
  }

  void Insert(uint32_t number, typename Index::Hint* hint) {
    const std::string key = keys_.UserKeyOf(number);
    InsertKey(&index_, Keys::KeyOf(number, key), std::to_string(number), &arena_, hint);
  }
  void Write(size_t writer) {
    typename Index::Hint hint;
    for (size_t i = 0; i < kEach; ++i) {
      Insert(planned_[writer][i], &hint);
      inserted_[writer].store(i + 1, std::memory_order_release);
    }
  }

  // What was inserted before the caller's next search. Often nothing is known of the writers: what
  // they publish then reaches the reader by the index alone.
  Numbers Known() {
    Numbers known = first_;
    for (size_t writer = 0; writer < inserted_.size(); ++writer) {
      if (Random(2) == 0) continue;
      const size_t count = inserted_[writer].load(std::memory_order_acquire);
      for (size_t i = 0; i < count; ++i) known.set(planned_[writer][i]);
    }
    return known;
  }

  auto TargetOf(uint32_t number, std::string* key) const {
    *key = keys_.UserKeyOf(number);
    return index_.MakeTarget(Keys::KeyOf(number, *key));
  }

  void ExpectFirst(const Numbers& known, uint32_t from, const Position& at) const {
    if (at.entry != nullptr)
      Expect(keys_.NumberOf(*at.entry) >= from, "a seek ends before its target");
    const uint32_t end = at.entry == nullptr ? kNumbers : keys_.NumberOf(*at.entry);
    for (uint32_t i = from; i < end; ++i) Expect(!known.test(i), "a seek passes an entry");
  }
  void ExpectLast(const Numbers& known, uint32_t before, const Position& at) const {
    if (at.entry != nullptr)
      Expect(keys_.NumberOf(*at.entry) < before, "a seek ends behind its target");
    const uint32_t begin = at.entry == nullptr ? 0 : keys_.NumberOf(*at.entry) + 1;
    for (uint32_t i = begin; i < before; ++i) Expect(!known.test(i), "a seek passes an entry");
  }

  // Where there is something to find.
  uint32_t SomeNumber() const {
    const uint32_t number = planned_[Random(2)][Random(kEach)];
    return std::min(kNumbers - 1, number + Random(2));
  }

  void SeekForward() {
    const Numbers known = Known();
    const uint32_t from = SomeNumber();
    std::string key;
    Position at = index_.FirstNotBefore(TargetOf(from, &key));
    ExpectFirst(known, from, at);
    for (int steps = 4; steps > 0 && at.entry != nullptr; --steps) {
      const uint32_t next = keys_.NumberOf(*at.entry) + 1;
      index_.Next(&at);
      ExpectFirst(known, next, at);
    }
  }
  void SeekBackward() {
    const Numbers known = Known();
    const uint32_t before = SomeNumber();
    std::string key;
    Position at = index_.LastBefore(TargetOf(before, &key));
    ExpectLast(known, before, at);
    for (int steps = 4; steps > 0 && at.entry != nullptr; --steps) {
      const uint32_t next = keys_.NumberOf(*at.entry);
      at = index_.Prev(at);
      ExpectLast(known, next, at);
    }
  }
  void ScanForward() {
    const Numbers known = Known();
    Position at = index_.First();
    ExpectFirst(known, 0, at);
    while (at.entry != nullptr) {
      const uint32_t next = keys_.NumberOf(*at.entry) + 1;
      index_.Next(&at);
      ExpectFirst(known, next, at);
    }
  }
  void ScanBackward() {
    const Numbers known = Known();
    Position at = index_.Last();
    ExpectLast(known, kNumbers, at);
    while (at.entry != nullptr) {
      const uint32_t next = keys_.NumberOf(*at.entry);
      at = index_.Prev(at);
      ExpectLast(known, next, at);
    }
  }
  void SeekMany() {
    const Numbers known = Known();
    constexpr size_t kCount = 3;
    std::array<uint32_t, kCount> from;
    std::array<std::string, kCount> keys;
    std::array<typename Index::Target, kCount> targets;
    std::array<Position, kCount> found;
    for (size_t i = 0; i < kCount; ++i) {
      from[i] = SomeNumber();
      targets[i] = TargetOf(from[i], &keys[i]);
    }
    index_.FirstNotBefore(targets, found.data());
    for (size_t i = 0; i < kCount; ++i) ExpectFirst(known, from[i], found[i]);
  }

  const Keys keys_ = Keys::Draw();
  NodeArena arena_;
  Index index_{OrderFor(static_cast<const Index*>(nullptr)), &arena_};
  Numbers first_;  // Inserted before the threads start.
  std::array<std::array<uint32_t, kEach>, 2> planned_{};
  std::array<std::atomic<size_t>, 2> inserted_{};
};

}  // namespace

namespace {
using Tree = BTree<BytewiseOrder>;
constexpr const char* kFiles = "core/memtable/btree";
}  // namespace
const Part kBtree = {"btree_leaves", kFiles, 10000, Make<Sorted<Tree, Size::kUsual>>};
const Part kBtreeFew = {"btree_few", kFiles, 40000, Make<Sorted<Tree, Size::kFew>>};
const Part kBtreeSplits = {"btree_splits", kFiles, 1500, Make<Sorted<Tree, Size::kManyNodes>>};
const Part kSkipList = {"skiplist", "core/memtable/skiplist", 10000,
                        Make<Sorted<SkipList, Size::kUsual>>};

}  // namespace varve::memory_orders
