// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_heads.h"

#include <algorithm>
#include <random>

#include "core/base/check.h"
#include "core/table/read/table_state.h"
#include "table_harness.h"

namespace varve {
namespace {

// Keys of one kind each: how they begin decides what the heads can tell apart.
struct KeyKind {
  const char* name;
  std::string (*make)(std::mt19937&);
};

std::string Letters(std::mt19937& random, size_t size, unsigned alphabet) {
  std::string s;
  for (size_t i = 0; i < size; ++i) s.push_back(static_cast<char>('a' + random() % alphabet));
  return s;
}

constexpr KeyKind kKinds[] = {
    {"random bytes",
     [](std::mt19937& r) {
       std::string key(16, '\0');
       for (char& c : key) c = static_cast<char>(r());
       return key;
     }},
    {"of 0 to 5 zero bytes or others",
     [](std::mt19937& r) {
       std::string key;
       for (unsigned i = r() % 6; i > 0; --i) key.push_back(static_cast<char>(r() % 2 * 255));
       return key;
     }},
    {"long shared beginnings",
     [](std::mt19937& r) {
       return "tenant-" + std::string(20, 'x') + Letters(r, 1, 2) + std::string(9, 'y') +
              Letters(r, 3, 9);
     }},
    {"numbers", [](std::mt19937& r) { return "user" + std::to_string(100'000 + r() % 3'000); }},
    {"of very different length",
     [](std::mt19937& r) { return Letters(r, 1 + r() % 4, 3) + std::string(r() % 3 * 70, 'z'); }},
};

TestTable Make(const KeyKind& kind, std::mt19937& random) {
  std::vector<std::string> keys;
  for (int i = 0; i < 700; ++i) keys.push_back(kind.make(random));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  TestTable table;
  for (const std::string& key : keys) {
    if (random() % 4 == 0) continue;  // Absent.
    Sequence sequence = 1'000;
    for (unsigned v = random() % 8 == 0 ? 1 + random() % 9 : 1; v > 0; --v) {
      sequence -= 1 + random() % 90;
      constexpr ValueType kTypes[] = {ValueType::kValue, ValueType::kMerge, ValueType::kDeletion};
      table.entries.push_back(
          {key, sequence, kTypes[random() % 3], std::string(random() % 5 == 0 ? 200 : 3, 'v')});
    }
  }
  return table;
}

struct Answer {
  Lookup::State state;
  std::string value;
  std::vector<std::string> operands;
  bool operator==(const Answer&) const = default;
};

Answer Ask(const TableReader& table, std::string_view key, Sequence at) {
  Lookup lookup(key, at);
  table.Get({}, &lookup);
  CHECK_MESSAGE(lookup.status.ok(), lookup.status.ToString());
  Answer answer{lookup.state, lookup.value.ToString(), {}};
  for (const Value& operand : lookup.operands) answer.operands.push_back(operand.ToString());
  return answer;
}

// What the entries say, read one after the other.
Answer Expect(const TestTable& table, std::string_view key, Sequence at) {
  Lookup lookup(key, at);
  for (const TableEntry& entry : table.entries) {
    if (entry.key != key || entry.sequence > at) continue;
    if (lookup.Feed(entry.sequence, entry.type, entry.value, nullptr)) break;
  }
  Answer answer{lookup.state, lookup.value.ToString(), {}};
  for (const Value& operand : lookup.operands) answer.operands.push_back(operand.ToString());
  return answer;
}

TEST_CASE("BlockHeads: lookups find what a walk over the entries finds, for every kind of key") {
  std::mt19937 random(11);
  for (const KeyKind& kind : kKinds) {
    for (const uint32_t block_size : {100u, 1'000u, 20'000u}) {
      for (const uint32_t interval : {1u, 16u}) {
        CAPTURE(kind.name);
        CAPTURE(block_size);
        const TestTable contents = Make(kind, random);
        TableHarness harness;
        REQUIRE(
            harness.Build({.block_size = block_size, .block_restart_interval = interval}, contents)
                .ok());
        const auto heads = harness.Open({.cache = std::make_shared<ClockCache>(1 << 20)});
        const auto disk = harness.Open({.cache = std::make_shared<ClockCache>(1 << 20),
                                        .grades = {.block_form = BlockForm::kDisk}});
        REQUIRE(heads.ok());
        REQUIRE(disk.ok());
        for (int round = 0; round < 4; ++round) {  // Heads are made in the third.
          for (int i = 0; i < 300; ++i) {
            const std::string key = random() % 3 == 0
                                        ? kind.make(random)
                                        : contents.entries[random() % contents.entries.size()].key;
            const Sequence at = random() % 2 == 0 ? kMaxSequence : random() % 1'100;
            CAPTURE(key);
            CAPTURE(at);
            const Answer expected = Expect(contents, key, at);
            REQUIRE(Ask(**heads, key, at) == expected);
            REQUIRE(Ask(**disk, key, at) == expected);
          }
        }
      }
    }
  }
}

std::shared_ptr<const Block> FirstBlock(const TableReader& table) {
  const TableReader::Impl& impl = table.impl();
  IndexCursor index(impl.index, impl.fetcher, {});
  REQUIRE(index.SeekToFirst());
  return impl.fetcher.FindCached(index.handle(), BlockKind::kData);
}

TEST_CASE("BlockHeads: are made when a block is used again, unless the option forbids it") {
  std::mt19937 random(3);
  const TestTable contents = Make(kKinds[3], random);
  const std::string key = contents.entries.front().key;
  for (const BlockForm form : {BlockForm::kLookup, BlockForm::kDisk}) {
    TableHarness harness;
    REQUIRE(harness.Build({}, contents).ok());
    const auto cache = std::make_shared<ClockCache>(1 << 20);
    const auto table = harness.Open({.cache = cache, .grades = {.block_form = form}});
    REQUIRE(table.ok());
    ReadForward(**table);
    CHECK(FirstBlock(**table)->heads() == nullptr);
    const uint64_t usage = cache->usage();
    for (int i = 0; i < 3; ++i) Ask(**table, key, kMaxSequence);
    CHECK((FirstBlock(**table)->heads() != nullptr) == (form == BlockForm::kLookup));
    CHECK(cache->usage() == usage);  // Their room was charged from the start.
  }
}

TEST_CASE("BlockHeads: iterators read a block with heads as before") {
  std::mt19937 random(5);
  const TestTable contents = Make(kKinds[2], random);
  TableHarness harness;
  REQUIRE(harness.Build({}, contents).ok());
  const auto table = harness.Open({.cache = std::make_shared<ClockCache>(1 << 20)});
  REQUIRE(table.ok());
  for (int i = 0; i < 3; ++i) {
    for (const TableEntry& entry : contents.entries) Ask(**table, entry.key, kMaxSequence);
  }
  CHECK(ReadForward(**table) == contents.entries);
}

TEST_CASE("BlockHeads: a cursor goes to any entry and on from there, whatever keys share") {
  std::mt19937 random(7);
  for (const KeyKind& kind : kKinds) {
    CAPTURE(kind.name);
    TableHarness harness;
    REQUIRE(harness.Build({}, Make(kind, random)).ok());
    const auto table = harness.Open({.cache = std::make_shared<ClockCache>(1 << 20)});
    REQUIRE(table.ok());
    ReadForward(**table);
    const auto block = FirstBlock(**table);
    const BlockHeadsPlan plan(block->view());
    REQUIRE(plan.possible());
    std::vector<int16_t> room(plan.bytes() / sizeof(int16_t) + 1);
    const BlockHeads heads = plan.WriteTo(reinterpret_cast<char*>(room.data()));
    BlockCursor walked(*block), sought(*block);
    REQUIRE(walked.SeekToFirst());
    for (uint32_t i = 0; i < heads.count(); ++i, walked.Next()) {
      REQUIRE(sought.SeekToEntry(heads, i));
      CHECK(sought.key() == walked.key());
      CHECK(sought.value() == walked.value());
      CHECK(sought.offset() == walked.offset());
      if (i + 1 == heads.count()) break;
      REQUIRE(sought.Next());
      REQUIRE(sought.Prev());
      CHECK(sought.key() == walked.key());
    }
    CHECK_FALSE(sought.SeekToEntry(heads, heads.count()));
    CHECK_FALSE(sought.damaged());
  }
}

TEST_CASE("BlockHeads: seeks of iterators make them, and find the same entries through them") {
  std::mt19937 random(13);
  for (const KeyKind& kind : kKinds) {
    CAPTURE(kind.name);
    const TestTable contents = Make(kind, random);
    TableHarness harness;
    REQUIRE(harness.Build({}, contents).ok());
    const auto table = harness.Open({.cache = std::make_shared<ClockCache>(1 << 20)});
    REQUIRE(table.ok());
    ReadForward(**table);
    CHECK(FirstBlock(**table)->heads() == nullptr);
    const auto iterator = (*table)->NewIterator({});
    for (int round = 0; round < 3; ++round) {
      for (const TableEntry& entry : contents.entries) {
        iterator->Seek(LookupKey(entry.key, entry.sequence));
        REQUIRE(iterator->Valid());
        CHECK(iterator->key().user_key == entry.key);
        CHECK(iterator->key().sequence == entry.sequence);
        CHECK(iterator->value() == entry.value);
      }
    }
    CHECK(FirstBlock(**table)->heads() != nullptr);
  }
}

// The first block of a sound table, of which heads can be made and which has several restart
// points.
std::string SoundBlock() {
  std::mt19937 random(5);
  TableHarness harness;
  REQUIRE(harness.Build({}, Make(kKinds[0], random)).ok());
  const auto table = harness.Open({.cache = std::make_shared<ClockCache>(1 << 20)});
  REQUIRE(table.ok());
  ReadForward(**table);
  const auto block = FirstBlock(**table);
  CHECK(BlockHeadsPlan(block->view()).possible());
  REQUIRE(block->view().num_restarts > 1);
  return std::string(block->bytes());
}

TEST_CASE("BlockHeads: an entry that is broken yields no heads") {
  std::string bytes = SoundBlock();
  bytes[0] = '\x05';  // The first entry shares nothing with nobody.
  const auto view = ParseBlock(bytes);
  REQUIRE(view.ok());
  CHECK_FALSE(BlockHeadsPlan(*view).possible());
}

// Searches without heads go by the restart points, so with heads the answer would be another one.
TEST_CASE("BlockHeads: restart points that are no entries yield no heads") {
  std::string bytes = SoundBlock();
  const auto sound = ParseBlock(bytes);
  REQUIRE(sound.ok());
  ++bytes[static_cast<size_t>(sound->restarts - bytes.data()) + 4];  // The second one.
  const auto view = ParseBlock(bytes);
  REQUIRE(view.ok());
  CHECK_FALSE(BlockHeadsPlan(*view).possible());
}

}  // namespace
}  // namespace varve
