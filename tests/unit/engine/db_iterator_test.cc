// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/db_iterator.h"

#include <doctest/doctest.h>

#include <span>

#include "tests/unit/engine/history.h"
#include "tests/unit/engine/tree.h"

namespace varve {
namespace {

Entries Forward(DbIterator& it) {
  Entries entries;
  for (it.SeekToFirst(); it.Valid(); it.Next()) entries.emplace_back(it.key(), it.value());
  REQUIRE(it.status().ok());
  return entries;
}

Entries Backward(DbIterator& it) {
  Entries entries;
  for (it.SeekToLast(); it.Valid(); it.Prev()) entries.emplace_back(it.key(), it.value());
  REQUIRE(it.status().ok());
  std::reverse(entries.begin(), entries.end());
  return entries;
}

// Moves at random and compares with a position in `expected` after each step.
void Wander(DbIterator& it, const Entries& expected, const Comparator& comparator,
            std::mt19937& random, int steps, int keys) {
  const auto size = static_cast<int>(expected.size());
  int position = size;  // In expected; -1 and size: not valid.
  for (int step = 0; step < steps; ++step) {
    const bool valid = position >= 0 && position < size;
    switch (random() % (valid ? 12 : 4)) {
      case 0:
        it.SeekToFirst();
        position = size == 0 ? size : 0;
        break;
      case 1:
        it.SeekToLast();
        position = size - 1;
        break;
      case 2: {
        const std::string target = History::RandomKey(random, keys);
        it.Seek(target);
        position = 0;
        while (position < size && comparator.Compare(expected[position].first, target) < 0) {
          ++position;
        }
        break;
      }
      case 3: {
        const std::string target = History::RandomKey(random, keys);
        it.SeekForPrev(target);
        position = size - 1;
        while (position >= 0 && comparator.Compare(expected[position].first, target) > 0) {
          --position;
        }
        break;
      }
      case 4:
      case 5:
      case 6:
        it.Next();
        ++position;
        break;
      case 7:
      case 8: {
        const size_t most = 1 + random() % 10;
        const std::span<const Record> batch = it.NextBatch(most);
        REQUIRE_EQ(batch.size(), std::min<size_t>(most, static_cast<size_t>(size - position)));
        for (const Record& record : batch) {
          REQUIRE_EQ(record.key, expected[position].first);
          REQUIRE_EQ(record.value, expected[position++].second);
        }
        break;
      }
      default:
        it.Prev();
        --position;
    }
    const bool found = position >= 0 && position < size;
    REQUIRE(it.status().ok());
    REQUIRE(it.Valid() == found);
    if (!found) continue;
    REQUIRE(it.key() == expected[position].first);
    REQUIRE(it.value() == expected[position].second);
  }
}

Entries Within(const Entries& all, const ReadOptions& options, const Comparator& comparator) {
  Entries within;
  for (const auto& [key, value] : all) {
    if (options.lower_bound && comparator.Compare(key, *options.lower_bound) < 0) continue;
    if (options.upper_bound && comparator.Compare(key, *options.upper_bound) >= 0) continue;
    if (options.prefix && !key.starts_with(*options.prefix)) continue;
    within.emplace_back(key, value);
  }
  return within;
}

TEST_CASE("DbIterator: an empty family shows nothing, in either direction") {
  History history;
  const auto it = DbIterator::Create(history.View(), kMaxSequence, {});
  CHECK_FALSE(it->Valid());
  CHECK(Forward(*it).empty());
  CHECK(Backward(*it).empty());
}

TEST_CASE("DbIterator: a reader sees the newest version at its moment, and no deleted key") {
  History history;
  history.Put("a", "1");
  const Sequence before = history.Put("b", "2");
  history.Put("a", "3");
  history.Delete("b");
  CHECK(Forward(*DbIterator::Create(history.View(), before, {})) ==
        Entries{{"a", "1"}, {"b", "2"}});
  CHECK(Forward(*DbIterator::Create(history.View(), history.last(), {})) == Entries{{"a", "3"}});
  CHECK(Backward(*DbIterator::Create(history.View(), history.last(), {})) == Entries{{"a", "3"}});
}

TEST_CASE("DbIterator: long runs of hidden versions are passed both ways") {
  History history;
  for (int i = 0; i < 100; ++i) history.Put("a", "old");
  const Sequence then = history.Put("a", "then");
  history.Put("c", "c");
  for (int i = 0; i < 100; ++i) history.Put("b", "new");
  for (int i = 0; i < 100; ++i) history.Put("a", "new");
  const Entries now{{"a", "new"}, {"b", "new"}, {"c", "c"}};
  CHECK(Forward(*DbIterator::Create(history.View(), history.last(), {})) == now);
  CHECK(Backward(*DbIterator::Create(history.View(), history.last(), {})) == now);
  CHECK(Forward(*DbIterator::Create(history.View(), then, {})) == Entries{{"a", "then"}});
  CHECK(Backward(*DbIterator::Create(history.View(), then, {})) == Entries{{"a", "then"}});
}

TEST_CASE("DbIterator: merge operands are folded onto the version below, both ways") {
  History history;
  history.Put("a", "base");
  history.Merge("a", "1");
  history.Seal();
  history.Merge("a", "2");
  history.Merge("b", "1");
  history.Delete("c");
  history.Merge("c", "1");
  const Entries expected{{"a", "base+1+2"}, {"b", "nothing+1"}, {"c", "nothing+1"}};
  CHECK(Forward(*DbIterator::Create(history.View(), history.last(), {})) == expected);
  CHECK(Backward(*DbIterator::Create(history.View(), history.last(), {})) == expected);
}

TEST_CASE("DbIterator: operands without a known operator fail the iterator and say so") {
  History history;
  history.Put("a", "1");
  history.Merge("b", "1");
  auto view = std::make_shared<ReadView>(*history.View());
  view->merge_operator = nullptr;
  const auto it = DbIterator::Create(view, history.last(), {});
  it->SeekToFirst();
  REQUIRE(it->Valid());
  it->Next();
  CHECK_FALSE(it->Valid());
  CHECK(it->status().code() == Code::kNotSupported);
  it->SeekToFirst();  // A failure is not for ever.
  CHECK(it->Valid());
  CHECK(it->status().ok());
}

TEST_CASE("DbIterator: a wide-column entity shows its default column, a damaged one fails") {
  History history;
  history.Add(ValueType::kWideColumnEntity, "a", std::string("\1\2\0\3\1x\2onexx", 12));
  history.Add(ValueType::kWideColumnEntity, "b", std::string("\1\1\1x\2xx", 7));
  history.Add(ValueType::kWideColumnEntity, "c", std::string("\1\2\0\x7f", 4));
  const auto it = DbIterator::Create(history.View(), history.last(), {});
  it->SeekToFirst();
  REQUIRE(it->Valid());
  CHECK(it->value() == "one");
  it->Next();
  REQUIRE(it->Valid());
  CHECK(it->value().empty());
  it->Next();
  CHECK(it->status().code() == Code::kCorruption);
}

TEST_CASE("DbIterator: seeking to its own key works although the key is its own memory") {
  History history;
  for (const char* key : {"a", "b", "c"}) history.Put(key, key);
  history.Merge("b", "x");
  const auto it = DbIterator::Create(history.View(), history.last(), {});
  it->Seek("b");
  it->Seek(it->key());
  CHECK(it->key() == "b");
  it->SeekForPrev(it->key());
  CHECK(it->key() == "b");
  it->Prev();
  it->SeekForPrev(it->key());
  CHECK(it->key() == "a");
}

TEST_CASE("DbIterator: Refresh() moves to the present, and only Refresh() does") {
  History history;
  history.Put("a", "1");
  ReadViewHolder views(history.View());
  std::atomic<Sequence> visible = history.last();
  const auto it = DbIterator::Create(views, views.Acquire(), visible, {});
  history.Put("b", "2");
  visible = history.last();
  CHECK(Forward(*it) == Entries{{"a", "1"}});
  history.Seal();
  history.Put("c", "3");
  views.Publish(history.View());
  visible = history.last();
  CHECK(Backward(*it) == Entries{{"a", "1"}});
  REQUIRE(it->Refresh().ok());
  CHECK_FALSE(it->Valid());
  CHECK(Forward(*it) == Entries{{"a", "1"}, {"b", "2"}, {"c", "3"}});
}

TEST_CASE("DbIterator: a prefix of 0xff bytes has no upper bound and still ends") {
  History history;
  history.Put("\xfe", "1");
  history.Put("\xff", "2");
  history.Put("\xff\xff", "3");
  const auto it = DbIterator::Create(history.View(), history.last(), ReadOptions{.prefix = "\xff"});
  CHECK(Forward(*it) == Entries{{"\xff", "2"}, {"\xff\xff", "3"}});
  CHECK(Backward(*it) == Entries{{"\xff", "2"}, {"\xff\xff", "3"}});
}

TEST_CASE("DbIterator: random histories, moments, bounds and walks agree with the model") {
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Comparator* comparator =
        seed % 3 == 0 ? ReverseBytewiseComparator() : BytewiseComparator();
    const int keys = seed % 2 == 0 ? 6 : 60;
    History history(comparator);
    history.AddRandom(random, 300, keys);
    for (int reader = 0; reader < 6; ++reader) {
      const Sequence at = reader == 0 ? history.last() : random() % (history.last() + 1);
      ReadOptions options;
      const std::string a = History::RandomKey(random, keys), b = History::RandomKey(random, keys);
      if (reader % 2 == 1) options.lower_bound = a;
      if (reader % 3 == 1) options.upper_bound = b;
      if (reader == 5) options = ReadOptions{.prefix = a};
      CAPTURE(at);
      CAPTURE(reader);
      const Entries expected = Within(history.ExpectedEntries(at), options, *comparator);
      const auto it = DbIterator::Create(history.View(), at, options);
      REQUIRE(Forward(*it) == expected);
      REQUIRE(Backward(*it) == expected);
      Wander(*it, expected, *comparator, random, 60, keys);
    }
  }
}

TEST_CASE("DbIterator: the same over memtables, level-0 tables and levels") {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Comparator* comparator =
        seed % 3 == 0 ? ReverseBytewiseComparator() : BytewiseComparator();
    History history(comparator);
    history.AddRandom(random, 400, seed % 2 == 0 ? 12 : 60);
    Tree tree(history);
    for (int reader = 0; reader < 4; ++reader) {
      const Sequence at = reader == 0 ? history.last() : random() % (history.last() + 1);
      ReadOptions options;
      const std::string a = History::RandomKey(random, 60), b = History::RandomKey(random, 60);
      if (reader == 1) options.lower_bound = a;
      if (reader >= 1) options.upper_bound = b;
      if (reader == 3) options = ReadOptions{.prefix = a};
      CAPTURE(at);
      CAPTURE(reader);
      const Entries expected = Within(history.ExpectedEntries(at), options, *comparator);
      const auto it = DbIterator::Create(tree.View(random), at, options);
      REQUIRE(Forward(*it) == expected);
      REQUIRE(Backward(*it) == expected);
      Wander(*it, expected, *comparator, random, 60, 60);
    }
  }
}

}  // namespace
}  // namespace varve
