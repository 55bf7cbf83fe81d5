// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/merging_iterator.h"

#include <doctest/doctest.h>

#include "tests/orders.h"
#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/iterator/vector_iterator.h"

namespace varve {
namespace {

// Deals sorted entries out to children: singly at random, or in runs as levels hold them.
std::vector<std::vector<TestEntry>> Deal(const std::vector<TestEntry>& entries, size_t children,
                                         uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<TestEntry>> dealt(children);
  const bool runs = random() % 2 == 0;
  size_t to = 0;
  for (const TestEntry& entry : entries) {
    if (!runs || random() % 10 == 0) to = random() % children;
    dealt[to].push_back(entry);
  }
  return dealt;
}

std::unique_ptr<InternalIterator> Merge(const Comparator& comparator,
                                        const std::vector<std::vector<TestEntry>>& dealt) {
  std::vector<std::unique_ptr<InternalIterator>> children;
  for (const auto& entries : dealt) {
    children.push_back(std::make_unique<VectorIterator>(comparator, entries));
  }
  return NewMergingIterator(comparator, std::move(children));
}

void MergesLikeASort(const Comparator& comparator) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<TestEntry> entries = RandomEntries(comparator, 40 * seed, seed);
    const auto dealt = Deal(entries, seed, seed);
    RunIteratorSuite(comparator, entries, [&] { return Merge(comparator, dealt); }, seed);
  }
}

TEST_CASE("MergingIterator: children in bytewise order come out as one sorted list") {
  MergesLikeASort(*BytewiseComparator());
}

TEST_CASE("MergingIterator: children in reverse order come out as one sorted list") {
  MergesLikeASort(*ReverseBytewiseComparator());
}

TEST_CASE("MergingIterator: children in a foreign order come out as one sorted list") {
  MergesLikeASort(ByLength());
}

TEST_CASE("MergingIterator: no children make an empty iterator") {
  RunIteratorSuite(*BytewiseComparator(), {}, [] { return Merge(*BytewiseComparator(), {}); });
}

TEST_CASE("MergingIterator: a step to another child says so if it surely left the user key") {
  const auto entry = [](std::string_view user_key, Sequence sequence) {
    return TestEntry{std::string(user_key), sequence, ValueType::kValue, ""};
  };
  const auto merged =
      Merge(*BytewiseComparator(), {{entry("a", 3), entry("b", 5), entry("long key 1", 1)},
                                    {entry("a", 2), entry("b", 4), entry("long key 2", 1)}});
  std::string shown;
  merged->SeekToFirst();
  for (merged->Next(); merged->Valid(); merged->Next()) {
    shown += std::string(merged->key().user_key) + (merged->starts_user_key() ? "! " : " ");
  }
  // The last two have the same head: only comparing whole keys could tell, and nothing needed that.
  CHECK_EQ(shown, "a b! b long key 1! long key 2 ");
}

TEST_CASE("MergingIterator: a child that fails ends the scan until the next seek") {
  const auto entries = RandomEntries(*BytewiseComparator(), 100, 7);
  auto dealt = Deal(entries, 3, 7);
  std::vector<std::unique_ptr<InternalIterator>> children;
  for (const auto& part : dealt) {
    children.push_back(std::make_unique<VectorIterator>(*BytewiseComparator(), part));
  }
  static_cast<VectorIterator*>(children[1].get())->FailAt(dealt[1].size() / 2);
  const auto merged = NewMergingIterator(*BytewiseComparator(), std::move(children));
  size_t seen = 0;
  for (merged->SeekToFirst(); merged->Valid(); merged->Next()) {
    REQUIRE_EQ(merged->key().packed(), entries[seen++].key().packed());
  }
  CHECK_EQ(merged->status().code(), Code::kCorruption);
  CHECK_LT(seen, entries.size());
  CHECK_GT(seen, 0);
  merged->SeekToFirst();
  CHECK(merged->Valid());
  CHECK(merged->status().ok());
}

TEST_CASE("MergingIterator: a failed turn surfaces, in both directions") {
  const auto entries = RandomEntries(*BytewiseComparator(), 60, 9);
  for (size_t turn = 1; turn + 1 < entries.size(); ++turn) {
    auto dealt = Deal(entries, 2, 9);
    std::vector<std::unique_ptr<InternalIterator>> children;
    for (const auto& part : dealt) {
      children.push_back(std::make_unique<VectorIterator>(*BytewiseComparator(), part));
    }
    auto* fragile = static_cast<VectorIterator*>(children[0].get());
    const auto merged = NewMergingIterator(*BytewiseComparator(), std::move(children));
    merged->Seek(entries[turn].key());
    REQUIRE(merged->Valid());
    fragile->FailAlways();
    merged->Prev();
    CHECK_FALSE(merged->Valid());
    CHECK_EQ(merged->status().code(), Code::kCorruption);
  }
}

}  // namespace
}  // namespace varve
