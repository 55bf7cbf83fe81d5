// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/memtable.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/orders.h"
#include "tests/unit/iterator/iterator_suite.h"

namespace varve {
namespace {

using State = Lookup::State;

constexpr MemTableGrades kAllGrades[] = {
    {MemtableRep::kSkipList, MemtableBatchLookup::kOff},
    {MemtableRep::kSkipList, MemtableBatchLookup::kFinger},
    {MemtableRep::kSkipList, MemtableBatchLookup::kInterleaved},
    {MemtableRep::kBtree, MemtableBatchLookup::kOff},
    {MemtableRep::kBtree, MemtableBatchLookup::kInterleaved},
    {MemtableRep::kBtreeHash, MemtableBatchLookup::kOff},
    {MemtableRep::kBtreeHash, MemtableBatchLookup::kInterleaved},
};

std::shared_ptr<MemTable> Filled(const Comparator& comparator,
                                 const std::vector<TestEntry>& entries,
                                 const MemTableGrades& grades) {
  auto table = MemTable::Create(comparator, 1, grades);
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
  for (const MemTableGrades& grades : kAllGrades) {
    for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
      for (size_t count : {0, 1, 2, 50, 3000}) {
        auto entries = RandomEntries(*order, count, count);
        auto shuffled = entries;
        std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(count));
        const auto table = Filled(*order, shuffled, grades);
        RunIteratorSuite(*order, entries, [&] { return table->NewIterator(); });
      }
    }
  }
}

TEST_CASE("MemTable: entries added in ascending and in descending order are found") {
  for (const MemTableGrades& grades : kAllGrades) {
    auto entries = RandomEntries(*BytewiseComparator(), 500, 3);
    const auto up = Filled(*BytewiseComparator(), entries, grades);
    std::reverse(entries.begin(), entries.end());
    const auto down = Filled(*BytewiseComparator(), entries, grades);
    SortEntries(*BytewiseComparator(), &entries);
    RunIteratorSuite(*BytewiseComparator(), entries, [&] { return up->NewIterator(); });
    RunIteratorSuite(*BytewiseComparator(), entries, [&] { return down->NewIterator(); });
  }
}

TEST_CASE("MemTable: a thread that fills several memtables in turn confuses none") {
  for (const MemTableGrades& grades : kAllGrades) {
    std::vector<std::shared_ptr<MemTable>> tables;
    for (uint64_t i = 0; i < 20; ++i)
      tables.push_back(MemTable::Create(*BytewiseComparator(), i, grades));
    const auto entries = RandomEntries(*BytewiseComparator(), 200, 5);
    for (const TestEntry& e : entries) {
      for (auto& table : tables) table->Add(e.sequence, e.type, e.user_key, e.value);
    }
    for (auto& table : tables) {
      RunIteratorSuite(*BytewiseComparator(), entries, [&] { return table->NewIterator(); });
    }
  }
}

TEST_CASE("MemTable: a get answers as a look at every entry would") {
  for (const MemTableGrades& grades : kAllGrades) {
    for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
      const auto entries = RandomEntries(*order, 600, 11);
      const auto table = Filled(*order, entries, grades);
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
}

TEST_CASE("MemTable: many gets at once answer as single ones, duplicates and done ones included") {
  for (const MemTableGrades& grades : kAllGrades) {
    const auto entries = RandomEntries(*BytewiseComparator(), 2000, 13);
    const auto table = Filled(*BytewiseComparator(), entries, grades);
    table->Add(3000, ValueType::kRangeDeletion, "a", "b");
    std::mt19937_64 random(13);
    for (size_t size : {0, 1, 2, 15, 16, 17, 100, 500}) {
      std::vector<std::string> keys;
      for (size_t i = 0; i < size; ++i) {
        keys.push_back(entries[random() % entries.size()].user_key +
                       (random() % 4 == 0 ? "!" : ""));
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
}

Sequence NewestCovering(const TombstoneLists& lists, std::string_view key) {
  Sequence newest = 0;
  for (const auto& list : lists) newest = std::max(newest, list->NewestCovering(key, 10'000));
  return newest;
}

TEST_CASE("MemTable: a range tombstone hides older entries from snapshots that see it") {
  for (const MemTableGrades& grades : kAllGrades) {
    const auto table = MemTable::Create(*BytewiseComparator(), 1, grades);
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
    CHECK(table->Get(&below));
    CHECK(below.state == State::kDeleted);
    Lookup earlier("m", 4);
    CHECK_FALSE(table->Get(&earlier));
    const auto before = table->Tombstones();
    table->Add(10, ValueType::kRangeDeletion, "b", "c");
    CHECK_EQ(NewestCovering(*before, "b"), 5);
    CHECK_EQ(NewestCovering(*table->Tombstones(), "b"), 10);
  }
}

// Built into one list with each read, n of them would take n * n steps.
TEST_CASE("MemTable: range tombstones that come between reads are few lists") {
  const auto table = MemTable::Create(*BytewiseComparator(), 1, {});
  const auto key = [](Sequence i) { return std::to_string(100'000 + i); };
  for (Sequence i = 1; i <= 3000; ++i) {
    table->Add(i, ValueType::kRangeDeletion, key(i % 500), key(i % 500 + i % 7));
    const auto lists = table->Tombstones();
    size_t tombstones = 0;
    for (const auto& list : *lists) tombstones += list->size();
    REQUIRE_EQ(tombstones, i - i / 7);  // Empty ones are none.
    REQUIRE_LE(lists->size(), 12);
    for (size_t l = 1; l < lists->size(); ++l) {
      REQUIRE_GT((*lists)[l - 1]->size(), 2 * (*lists)[l]->size());
    }
    REQUIRE_EQ(NewestCovering(*lists, key(i % 500)) == i, i % 7 != 0);
  }
}

TEST_CASE("MemTable: counts entries, deletions and sequences") {
  for (const MemTableGrades& grades : kAllGrades) {
    const auto table = MemTable::Create(*BytewiseComparator(), 7, grades);
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
}

TEST_CASE("MemTable: memory usage follows what is added, from small to large") {
  for (const MemTableGrades& grades : kAllGrades) {
    const auto table = MemTable::Create(*BytewiseComparator(), 1, grades);
    CHECK_LT(table->MemoryUsage(), 8192);
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
}

TEST_CASE("MemTable: a value outlives the caller's hold on the memtable") {
  for (const MemTableGrades& grades : kAllGrades) {
    auto table = MemTable::Create(*BytewiseComparator(), 1, grades);
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
}

// Each writer's sequences are its own; a reader that saw a sequence published must find the entry.
TEST_CASE("MemTable: four writers and two readers at once lose and invent nothing") {
  for (const MemTableGrades& grades : kAllGrades) {
    constexpr int kWriters = 4;
    constexpr uint64_t kEach = 5000;
    const auto table = MemTable::Create(*BytewiseComparator(), 1, grades);
    std::atomic<uint64_t> published[kWriters] = {};
    const auto key_of = [](uint64_t writer, uint64_t i) {
      // Neighbours of different writers; every other writer ascends, the others jump about.
      const uint64_t place = writer % 2 == 0 ? i : (i * 2654435761u) % 65536;
      return std::to_string(100000 + place) + "/" + std::to_string(writer) + "/" +
             std::to_string(i);
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
}

// Keys in clusters: prefixes of many lengths, some longer than a node can leave out, keys that are
// prefixes of others, zeros.
std::string ClusteredKey(std::mt19937_64& random) {
  static const std::string kPrefixes[] = {"",
                                          "t",
                                          std::string(20, 'p'),
                                          std::string(40, 'q'),
                                          std::string("a\0b\0", 4),
                                          std::string(8, '\0'),
                                          "tenant-7:table-3:"};
  std::string key = kPrefixes[random() % std::size(kPrefixes)];
  for (uint64_t i = random() % 6; i > 0; --i) key.push_back("\0\1az\xff"[random() % 5]);
  return key;
}

TEST_CASE("MemTable: keys in clusters, of every order, are found one by one and in batches") {
  const Caseless caseless;
  for (const MemTableGrades& grades : kAllGrades) {
    for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator(),
                                    static_cast<const Comparator*>(&caseless)}) {
      std::mt19937_64 random(19);
      std::vector<TestEntry> entries;
      for (Sequence sequence = 1; sequence <= 6000; ++sequence) {
        entries.push_back(
            {ClusteredKey(random), sequence, ValueType::kValue, "v" + std::to_string(sequence)});
      }
      const auto table = Filled(*order, entries, grades);
      SortEntries(*order, &entries);
      RunIteratorSuite(*order, entries, [&] { return table->NewIterator(); });
      for (int round = 0; round < 100; ++round) {
        std::vector<std::string> keys;
        for (uint64_t i = 0; i < 1 + random() % 64; ++i) keys.push_back(ClusteredKey(random));
        std::sort(keys.begin(), keys.end(), [order](const std::string& a, const std::string& b) {
          return order->Compare(a, b) < 0;
        });
        const Sequence snapshot = random() % 7000;
        std::vector<Lookup> lookups;
        for (const std::string& key : keys) lookups.emplace_back(key, snapshot);
        std::vector<Lookup*> batch;
        for (Lookup& lookup : lookups) batch.push_back(&lookup);
        table->MultiGet(batch);
        for (size_t i = 0; i < keys.size(); ++i) {
          Lookup alone(keys[i], snapshot);
          table->Get(&alone);
          CHECK(alone.state == lookups[i].state);
          CHECK_EQ(alone.value.view(), lookups[i].value.view());
          if (order != &caseless) MatchesHand(lookups[i], entries, 0);
        }
      }
    }
  }
}

class CountingOrder : public Comparator {
 public:
  std::string_view name() const override { return "test.Counting"; }
  int Compare(std::string_view a, std::string_view b) const override {
    ++count;
    return a.compare(b);
  }
  mutable uint64_t count = 0;
};

TEST_CASE("MemTable: a search compares as often as the logarithm says, in batches too") {
  constexpr int kEntries = 20'000, kBatch = 64;
  for (const MemTableGrades& grades : kAllGrades) {
    CAPTURE(static_cast<int>(grades.rep));
    CAPTURE(static_cast<int>(grades.batch_lookup));
    const CountingOrder order;
    const auto table = MemTable::Create(order, 1, grades);
    std::mt19937_64 random(29);
    const auto key = [](uint64_t i) { return std::to_string(1'000'000 + i); };
    for (Sequence i = 0; i < kEntries; ++i) {
      table->Add(i + 1, ValueType::kValue, key((i * 7919) % kEntries), "v");
    }
    std::vector<std::string> keys;
    for (int i = 0; i < kBatch; ++i) keys.push_back(key(random() % kEntries));
    std::sort(keys.begin(), keys.end());
    std::vector<Lookup> lookups;
    for (const std::string& wanted : keys) lookups.emplace_back(wanted, kMaxSequence);
    std::vector<Lookup*> batch;
    for (Lookup& lookup : lookups) batch.push_back(&lookup);
    order.count = 0;
    table->MultiGet(batch);
    CHECK_LT(order.count, kBatch * 60);
    for (const Lookup& lookup : lookups) CHECK(lookup.state == State::kFound);
  }
}

TEST_CASE("MemTable: many versions of few keys lie across nodes and are told apart by snapshots") {
  for (const MemTableGrades& grades : kAllGrades) {
    const auto table = MemTable::Create(*BytewiseComparator(), 1, grades);
    std::mt19937_64 random(23);
    std::map<std::string, std::vector<Sequence>> written;
    for (Sequence sequence = 1; sequence <= 5000; ++sequence) {
      const std::string key = "key" + std::to_string(random() % 7);
      table->Add(sequence, ValueType::kValue, key, std::to_string(sequence));
      written[key].push_back(sequence);
    }
    for (int i = 0; i < 5000; ++i) {
      const std::string key = "key" + std::to_string(random() % 7);
      const Sequence snapshot = random() % 5200;
      const std::vector<Sequence>& versions = written[key];
      const auto after = std::upper_bound(versions.begin(), versions.end(), snapshot);
      Lookup lookup(key, snapshot);
      CHECK_EQ(table->Get(&lookup), after != versions.begin());
      if (after != versions.begin()) CHECK_EQ(lookup.value.view(), std::to_string(*(after - 1)));
    }
  }
}

}  // namespace
}  // namespace varve
