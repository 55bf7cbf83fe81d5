// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/memtable.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/iterator/iterator_suite.h"

namespace varve {
namespace {

using State = Lookup::State;

std::shared_ptr<MemTable> Filled(const Comparator& comparator,
                                 const std::vector<TestEntry>& entries) {
  auto table = MemTable::Create(comparator, 1);
  for (const TestEntry& e : entries) table->Add(e.sequence, e.type, e.user_key, e.value);
  return table;
}

// What a lookup must end as, found by looking at every entry.
struct Answer {
  State state = State::kSearching;
  std::string value;
  size_t operands = 0;
};

Answer AnswerByHand(const std::vector<TestEntry>& sorted, std::string_view key, Sequence snapshot,
                    Sequence covered) {
  Lookup lookup(key, snapshot);
  lookup.CoverBy(covered);
  for (const TestEntry& e : sorted) {
    if (e.user_key != key || e.sequence > snapshot) continue;
    if (lookup.Feed(e.sequence, e.type, e.value, nullptr)) break;
  }
  return {lookup.state, lookup.value.ToString(), lookup.operands.size()};
}

void MatchesHand(const Lookup& lookup, const std::vector<TestEntry>& sorted, Sequence covered) {
  const Answer answer = AnswerByHand(sorted, lookup.user_key, lookup.snapshot, covered);
  REQUIRE_EQ(static_cast<int>(lookup.state), static_cast<int>(answer.state));
  REQUIRE_EQ(lookup.value.view(), answer.value);
  REQUIRE_EQ(lookup.operands.size(), answer.operands);
}

TEST_CASE("MemTable: shows what was added, in order, both ways") {
  for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (size_t count : {0, 1, 2, 50, 3000}) {
      auto entries = RandomEntries(*order, count, count);
      auto shuffled = entries;
      std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(count));
      const auto table = Filled(*order, shuffled);
      RunIteratorSuite(*order, entries, [&] { return table->NewIterator(); });
    }
  }
}

TEST_CASE("MemTable: entries added in ascending and in descending order are found") {
  auto entries = RandomEntries(*BytewiseComparator(), 500, 3);
  const auto up = Filled(*BytewiseComparator(), entries);
  std::reverse(entries.begin(), entries.end());
  const auto down = Filled(*BytewiseComparator(), entries);
  SortEntries(*BytewiseComparator(), &entries);
  RunIteratorSuite(*BytewiseComparator(), entries, [&] { return up->NewIterator(); });
  RunIteratorSuite(*BytewiseComparator(), entries, [&] { return down->NewIterator(); });
}

TEST_CASE("MemTable: a thread that fills several memtables in turn confuses none") {
  std::vector<std::shared_ptr<MemTable>> tables;
  for (uint64_t i = 0; i < 20; ++i) tables.push_back(MemTable::Create(*BytewiseComparator(), i));
  const auto entries = RandomEntries(*BytewiseComparator(), 200, 5);
  for (const TestEntry& e : entries) {
    for (auto& table : tables) table->Add(e.sequence, e.type, e.user_key, e.value);
  }
  for (auto& table : tables) {
    RunIteratorSuite(*BytewiseComparator(), entries, [&] { return table->NewIterator(); });
  }
}

TEST_CASE("MemTable: a get answers as a look at every entry would") {
  for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    const auto entries = RandomEntries(*order, 600, 11);
    const auto table = Filled(*order, entries);
    std::mt19937_64 random(11);
    for (int i = 0; i < 2000; ++i) {
      Lookup lookup(entries[random() % entries.size()].user_key, random() % 700);
      const std::string absent = std::string(lookup.user_key) + "~";
      if (i % 5 == 0) lookup.user_key = absent;
      const bool done = table->Get(&lookup);
      CHECK_EQ(done, lookup.done());
      MatchesHand(lookup, entries, 0);
    }
  }
}

TEST_CASE("MemTable: many gets at once answer as single ones, duplicates and done ones included") {
  const auto entries = RandomEntries(*BytewiseComparator(), 2000, 13);
  const auto table = Filled(*BytewiseComparator(), entries);
  table->Add(3000, ValueType::kRangeDeletion, "a", "b");
  std::mt19937_64 random(13);
  for (size_t size : {0, 1, 2, 15, 16, 17, 100, 500}) {
    std::vector<std::string> keys;
    for (size_t i = 0; i < size; ++i) {
      keys.push_back(entries[random() % entries.size()].user_key + (random() % 4 == 0 ? "!" : ""));
    }
    std::sort(keys.begin(), keys.end());
    const Sequence snapshot = random() % 4000;
    std::vector<Lookup> lookups;
    for (const std::string& key : keys) lookups.emplace_back(key, snapshot);
    for (size_t i = 0; i < size; i += 7) lookups[i].state = State::kDeleted;
    std::vector<Lookup*> batch;
    for (Lookup& lookup : lookups) batch.push_back(&lookup);
    table->MultiGet(batch);
    for (size_t i = 0; i < size; ++i) {
      if (i % 7 == 0) {
        CHECK(lookups[i].state == State::kDeleted);
        continue;
      }
      const bool covered = keys[i] >= "a" && keys[i] < "b" && snapshot >= 3000;
      MatchesHand(lookups[i], entries, covered ? 3000 : 0);
    }
  }
}

TEST_CASE("MemTable: a range tombstone hides older entries from snapshots that see it") {
  const auto table = MemTable::Create(*BytewiseComparator(), 1);
  table->Add(1, ValueType::kValue, "k", "old");
  CHECK(table->Tombstones() == nullptr);
  table->Add(5, ValueType::kRangeDeletion, "a", "z");
  table->Add(9, ValueType::kValue, "k", "new");
  const auto state_at = [&](Sequence snapshot) {
    Lookup lookup("k", snapshot);
    table->Get(&lookup);
    return lookup.state;
  };
  CHECK(state_at(4) == State::kFound);
  CHECK(state_at(5) == State::kDeleted);
  CHECK(state_at(8) == State::kDeleted);
  CHECK(state_at(9) == State::kFound);

  Lookup below("m", 100);  // Nothing here, but what lies below is hidden.
  CHECK_FALSE(table->Get(&below));
  CHECK_EQ(below.covered_by, 5);
  const auto before = table->Tombstones();
  table->Add(10, ValueType::kRangeDeletion, "b", "c");
  CHECK_EQ(before->NewestCovering("b", 100), 5);
  CHECK_EQ(table->Tombstones()->NewestCovering("b", 100), 10);
}

TEST_CASE("MemTable: counts entries, deletions and sequences") {
  const auto table = MemTable::Create(*BytewiseComparator(), 7);
  CHECK_EQ(table->id(), 7);
  CHECK(table->empty());
  table->Add(12, ValueType::kValue, "a", "1");
  table->Add(10, ValueType::kDeletion, "b", "");
  table->Add(14, ValueType::kSingleDeletion, "b", "");
  table->Add(11, ValueType::kRangeDeletion, "a", "c");
  CHECK_EQ(table->entries(), 4);
  CHECK_EQ(table->deletions(), 3);
  CHECK_EQ(table->smallest_sequence(), 10);
  CHECK_EQ(table->largest_sequence(), 14);
}

TEST_CASE("MemTable: memory usage follows what is added, from small to large") {
  const auto table = MemTable::Create(*BytewiseComparator(), 1);
  CHECK_LT(table->MemoryUsage(), 4096);
  const std::string value(1000, 'v');
  for (Sequence i = 0; i < 5000; ++i) {
    const uint64_t before = table->MemoryUsage();
    table->Add(i, ValueType::kValue, std::to_string(i), value);
    REQUIRE_GE(table->MemoryUsage(), before);
  }
  CHECK_GT(table->MemoryUsage(), 5000 * 1004);
  CHECK_LT(table->MemoryUsage(), 5000 * 1100);
  table->Add(6000, ValueType::kValue, "huge", std::string(5 << 20, 'v'));
  CHECK_GT(table->MemoryUsage(), (5 << 20) + 5000 * 1004);
}

TEST_CASE("MemTable: a value outlives the caller's hold on the memtable") {
  auto table = MemTable::Create(*BytewiseComparator(), 1);
  table->Add(1, ValueType::kValue, "k", "value");
  std::weak_ptr<MemTable> watch = table;
  Lookup lookup("k", 5);
  table->Get(&lookup);
  table.reset();
  CHECK_FALSE(watch.expired());
  CHECK_EQ(lookup.value.view(), "value");
  lookup.value = Value();
  CHECK(watch.expired());
}

// Each writer's sequences are its own; a reader that saw a sequence published must find the entry.
TEST_CASE("MemTable: four writers and two readers at once lose and invent nothing") {
  constexpr int kWriters = 4;
  constexpr uint64_t kEach = 5000;
  const auto table = MemTable::Create(*BytewiseComparator(), 1);
  std::atomic<uint64_t> published[kWriters] = {};
  const auto key_of = [](uint64_t writer, uint64_t i) {
    // Neighbours of different writers; every other writer ascends, the others jump about.
    const uint64_t place = writer % 2 == 0 ? i : (i * 2654435761u) % 65536;
    return std::to_string(100000 + place) + "/" + std::to_string(writer) + "/" + std::to_string(i);
  };
  std::atomic<uint64_t> faults{0};
  std::vector<std::thread> threads;
  for (uint64_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (uint64_t i = 0; i < kEach; ++i) {
        const std::string key = key_of(writer, i);
        table->Add(1 + i * kWriters + writer, ValueType::kValue, key, key);
        published[writer].store(i + 1, std::memory_order_release);
      }
    });
  }
  for (uint64_t reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&, reader] {
      std::mt19937_64 random(reader);
      uint64_t least = 0;
      while (least < kEach) {
        least = kEach;
        for (uint64_t writer = 0; writer < kWriters; ++writer) {
          const uint64_t count = published[writer].load(std::memory_order_acquire);
          least = std::min(least, count);
          if (count == 0) continue;
          const std::string key = key_of(writer, random() % count);
          Lookup lookup(key, kMaxSequence);
          if (!table->Get(&lookup) || lookup.value.view() != key) ++faults;
        }
        const auto it = table->NewIterator();
        it->Seek(LookupKey(key_of(random() % kWriters, random() % kEach), kMaxSequence));
        std::string last;
        for (int i = 0; i < 20 && it->Valid(); ++i, it->Next()) {
          if (it->key().user_key <= last || it->value() != it->key().user_key) ++faults;
          last = it->key().user_key;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(faults.load(), 0);
  uint64_t seen = 0;
  std::string last;
  const auto it = table->NewIterator();
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    REQUIRE_LT(last, it->key().user_key);
    last = it->key().user_key;
    ++seen;
  }
  CHECK(it->status().ok());
  CHECK_EQ(seen, kWriters * kEach);
  CHECK_EQ(table->entries(), kWriters * kEach);
}

}  // namespace
}  // namespace varve
