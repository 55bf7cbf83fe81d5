// SPDX-License-Identifier: Apache-2.0
// One suite for every InternalIterator: whatever makes it, it must show exactly the entries that
// went in, in order, however it is moved. Each layer's tests call RunIteratorSuite with a factory.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/format/internal_key.h"
#include "core/iterator/checking_iterator.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/record_run.h"
#include "varve/comparator.h"

namespace varve {

struct TestEntry {
  std::string user_key;
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;
  std::string value;

  InternalKey key() const { return {user_key, sequence, type}; }
};

inline bool EntryBefore(const Comparator& comparator, const InternalKey& a, const InternalKey& b) {
  return CompareInternalKeys(VirtualOrder{&comparator}, a, b) < 0;
}

inline void SortEntries(const Comparator& comparator, std::vector<TestEntry>* entries) {
  std::sort(entries->begin(), entries->end(), [&](const TestEntry& a, const TestEntry& b) {
    return EntryBefore(comparator, a.key(), b.key());
  });
}

// `count` entries in order, several versions to a key, keys of many lengths with long and short
// common beginnings, the empty key among them.
inline std::vector<TestEntry> RandomEntries(const Comparator& comparator, size_t count,
                                            uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](uint64_t bound) { return random() % bound; };
  constexpr ValueType kTypes[] = {ValueType::kValue, ValueType::kDeletion, ValueType::kMerge,
                                  ValueType::kSingleDeletion};
  std::vector<TestEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    std::string key;
    if (!entries.empty() && pick(3) == 0) {
      key = entries[pick(entries.size())].user_key;
    } else if (pick(2) == 0) {
      key = "tenant/000042/" + std::to_string(pick(4 * count));
    } else {
      for (uint64_t size = pick(12); size > 0; --size) key.push_back("\0ab\xff"[pick(4)]);
    }
    entries.push_back({key, i + 1, kTypes[pick(4)], std::string(pick(40), 'v') + key});
  }
  std::shuffle(entries.begin(), entries.end(), random);
  SortEntries(comparator, &entries);
  return entries;
}

class IteratorSuite {
 public:
  using Factory = std::function<std::unique_ptr<InternalIterator>()>;

  IteratorSuite(const Comparator& comparator, const std::vector<TestEntry>& expected,
                const Factory& factory)
      : comparator_(comparator),
        expected_(expected),
        iterator_(NewCheckingIterator(comparator, factory())) {}

  void Forward() {
    iterator_->SeekToFirst();
    for (size_t i = 0; i < expected_.size(); ++i, iterator_->Next()) Stands(i);
    Stands(expected_.size());
  }
  void Backward() {
    iterator_->SeekToLast();
    for (size_t i = expected_.size(); i-- > 0; iterator_->Prev()) Stands(i);
    Stands(expected_.size());
  }
  // To every entry, and just before and just after it.
  void SeeksAround(size_t i) {
    const TestEntry& entry = expected_[i];
    SeeksTo(entry.key());
    SeeksTo({entry.user_key, entry.sequence + 1, ValueType::kMaxForSeek});
    if (entry.sequence > 0) SeeksTo({entry.user_key, entry.sequence - 1, ValueType::kDeletion});
    SeeksTo(LookupKey(entry.user_key, kMaxSequence));
    SeeksTo({entry.user_key, 0, ValueType::kDeletion});
    SeeksTo(LookupKey(entry.user_key + '\0', kMaxSequence));
    SeeksTo(LookupKey(entry.user_key.substr(0, entry.user_key.size() / 2), kMaxSequence));
  }
  // From each of so many places, ReadRun() appends the next entries, all within the limits.
  void Runs(uint64_t places, uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto entry = [&] { return static_cast<size_t>(random() % expected_.size()); };
    RecordRun run;
    for (; places > 0 && !expected_.empty(); --places) {
      size_t at = entry();
      iterator_->Seek(expected_[at].key());
      RunLimits limits{.at = random() % 2 == 0 ? kMaxSequence : expected_[entry()].sequence,
                       .before = {}};
      if (random() % 3 == 0) {
        limits.before = expected_[entry()].user_key;
        if (comparator_.Compare(expected_[at].user_key, *limits.before) >= 0) continue;
      }
      run.Begin(1 + random() % 50, 1 + random() % 2000);
      const size_t count = iterator_->ReadRun(limits, &run);
      REQUIRE_EQ(run.size(), count);
      for (const Record& record : run.records()) {
        const std::string& before = expected_[at].user_key;
        const TestEntry& next = expected_.at(++at);
        REQUIRE_EQ(record.key, next.user_key);
        REQUIRE_EQ(record.value, next.value);
        REQUIRE(next.type == ValueType::kValue);
        REQUIRE(next.sequence <= limits.at);
        REQUIRE(comparator_.Compare(before, next.user_key) != 0);
        REQUIRE((!limits.before || comparator_.Compare(next.user_key, *limits.before) < 0));
      }
      Stands(at);
      iterator_->Next();
      Stands(at + 1);
      if (random() % 2 == 0 || at + 1 == expected_.size()) continue;
      iterator_->Prev();
      Stands(at);
    }
  }
  void RandomWalk(uint64_t steps, uint64_t seed) {
    std::mt19937_64 random(seed);
    iterator_->SeekToFirst();
    size_t at = 0;
    for (uint64_t i = 0; i < steps && !expected_.empty(); ++i) {
      if (at == expected_.size()) {
        at = random() % expected_.size();
        iterator_->Seek(expected_[at].key());
      }
      // Runs of one direction, so that both long runs and sharp turns occur.
      const bool forward = random() % 2 == 0;
      for (uint64_t run = random() % 2 == 0 ? 1 : random() % 20; run > 0; --run) {
        if (at == expected_.size()) break;
        if (forward) {
          iterator_->Next();
          ++at;
        } else {
          iterator_->Prev();
          at = at == 0 ? expected_.size() : at - 1;
        }
        Stands(at);
      }
    }
  }

 private:
  void SeeksTo(const InternalKey& target) {
    const auto not_before = std::partition_point(
        expected_.begin(), expected_.end(),
        [&](const TestEntry& entry) { return EntryBefore(comparator_, entry.key(), target); });
    const auto i = static_cast<size_t>(not_before - expected_.begin());
    // Prepared not at all, in part, or as far as it goes.
    for (uint64_t steps = preparations_++ % 6; steps > 0 && iterator_->Prepare(target); --steps) {
      REQUIRE_FALSE(iterator_->Valid());
    }
    iterator_->Seek(target);
    Stands(i);
    const bool exact =
        i < expected_.size() && !EntryBefore(comparator_, target, expected_[i].key());
    iterator_->SeekForPrev(target);
    Stands(exact ? i : (i == 0 ? expected_.size() : i - 1));
  }

  // At entry `i`; expected_.size() means: at no entry, and without a failure.
  void Stands(size_t i) {
    REQUIRE_MESSAGE(iterator_->status().ok(), iterator_->status().ToString());
    REQUIRE_EQ(iterator_->Valid(), i < expected_.size());
    if (i == expected_.size()) return;
    const TestEntry& entry = expected_[i];
    REQUIRE_EQ(iterator_->key().user_key, entry.user_key);
    REQUIRE_EQ(iterator_->key().packed(), entry.key().packed());
    REQUIRE_EQ(iterator_->value(), entry.value);
  }

  const Comparator& comparator_;
  const std::vector<TestEntry>& expected_;
  const std::unique_ptr<InternalIterator> iterator_;
  uint64_t preparations_ = 0;
};

// `expected` is sorted. Every iterator that `factory` makes must show it. Seeks to every entry of
// small inputs and to a sample of large ones.
inline void RunIteratorSuite(const Comparator& comparator, const std::vector<TestEntry>& expected,
                             const IteratorSuite::Factory& factory, uint64_t seed = 1) {
  CAPTURE(seed);
  IteratorSuite suite(comparator, expected, factory);
  suite.Forward();
  suite.Backward();
  const size_t stride = std::max<size_t>(1, expected.size() / 500);
  for (size_t i = seed % stride; i < expected.size(); i += stride) suite.SeeksAround(i);
  suite.RandomWalk(1000, seed);
  suite.Runs(200, seed);
  suite.Forward();
}

}  // namespace varve
