// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/btree_node.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace varve {
namespace {

uint32_t CommonPrefixByHand(std::string a, std::string b) {
  a.resize(KeyWords::kBytes);  // Zero-padded.
  b.resize(KeyWords::kBytes);
  uint32_t size = 0;
  while (size < KeyWords::kBytes && a[size] == b[size]) ++size;
  return size;
}

TEST_CASE("KeyWords: the first 24 bytes, big-endian, so that they order as the keys do") {
  CHECK_EQ(KeyWords::Of("").words[0], 0u);
  CHECK_EQ(KeyWords::Of("a").words[0], 0x6100000000000000u);
  const KeyWords words = KeyWords::Of("12345678abcdefghABCDEFGHbeyond");
  CHECK_EQ(words.words[0], 0x3132333435363738u);
  CHECK_EQ(words.words[1], 0x6162636465666768u);
  CHECK_EQ(words.words[2], 0x4142434445464748u);
  CHECK_EQ(KeyWords::Of("12345678abc").words[1], 0x6162630000000000u);
  CHECK_EQ(KeyWords::Of("\xff\x80").words[0], 0xff80000000000000u);
}

TEST_CASE("CommonPrefix: agrees with a look at each byte, for keys of every length") {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string a(random() % 30, '\0');
    for (char& byte : a) byte = "\0a\xff"[random() % 3];
    std::string b = a.substr(0, random() % (a.size() + 1));
    while (random() % 3 != 0) b += "\0a\xff"[random() % 3];
    REQUIRE_EQ(CommonPrefix(KeyWords::Of(a), KeyWords::Of(b)), CommonPrefixByHand(a, b));
    const std::string padded_a = (a + std::string(24, '\0')).substr(0, 24);
    const std::string padded_b = (b + std::string(24, '\0')).substr(0, 24);
    REQUIRE_EQ(KeyWords::Of(a).words < KeyWords::Of(b).words, padded_a < padded_b);
  }
}

std::vector<uint32_t> SlotsOf(SlotOrder order, uint32_t count) {
  std::vector<uint32_t> slots;
  for (uint32_t i = 0; i < count; ++i) slots.push_back(order.slot(i));
  return slots;
}

TEST_CASE("SlotOrder: inserting takes a free slot to its place and moves nothing else") {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    SlotOrder order;
    std::vector<uint32_t> expected;
    while (order.count() < SlotOrder::kSlots) {
      const uint32_t index = random() % (order.count() + 1), free = order.free_slot();
      REQUIRE(std::find(expected.begin(), expected.end(), free) == expected.end());
      expected.insert(expected.begin() + index, free);
      order = order.WithInserted(index);
      REQUIRE_EQ(order.count(), expected.size());
      REQUIRE(SlotsOf(order, order.count()) == expected);
      std::vector<uint32_t> all = SlotsOf(order, SlotOrder::kSlots);  // Still a permutation.
      std::sort(all.begin(), all.end());
      for (uint32_t slot = 0; slot < SlotOrder::kSlots; ++slot) REQUIRE_EQ(all[slot], slot);
      if (random() % 8 == 0) {  // As a split does.
        order = order.WithCount(random() % (order.count() + 1));
        expected.resize(order.count());
      }
    }
  }
}

TEST_CASE("Separator: an entry, or its user key with all versions, in one word") {
  NodeArena arena;
  const MemTableEntry* const entry =
      MemTableEntry::Make({"key", 7, ValueType::kValue}, "value", &arena);
  CHECK(Separator().is_null());
  for (const bool all : {false, true}) {
    const Separator made = all ? Separator::OfUserKey(entry) : Separator::OfEntry(entry);
    const Separator read(made.word());
    CHECK_FALSE(read.is_null());
    CHECK_EQ(read.all_versions(), all);
    CHECK_EQ(&read.entry(), entry);
  }
}

TEST_CASE("BTreeNode: a read is valid if no change began or ended meanwhile") {
  BTreeLeaf leaf;
  const uint32_t before = leaf.ReadVersion();
  CHECK(leaf.IsStill(before));
  leaf.BeginChange();
  CHECK_FALSE(leaf.IsStill(before));
  leaf.SetPrefix(KeyWords::Of("prefix"), 6);
  leaf.EndChange();
  CHECK_FALSE(leaf.IsStill(before));
  CHECK_EQ(leaf.ReadVersion() % 2, 0u);
  CHECK(leaf.Prefix().words == KeyWords::Of("prefix").words);
}

}  // namespace
}  // namespace varve
