// SPDX-License-Identifier: Apache-2.0
// What it refuses ends the process: tests/death.
#include "core/engine/read/checking_db_iterator.h"

#include <random>

#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

struct Fixture : ContextFixture {
  explicit Fixture(int keys) {
    context.AssertNotShared();
    family = AddFamily(0);
    for (int i = 0; i < keys; ++i) {
      family->memtable()->Add(static_cast<Sequence>(i + 1), ValueType::kValue,
                              std::to_string(100 + i), "value" + std::to_string(i));
    }
    context.visible = static_cast<Sequence>(keys);
  }
  std::unique_ptr<DbIterator> Plain() {
    return DbIterator::Create(family->views(), family->views().Acquire(), context.visible, {});
  }
  Family* family = nullptr;
};

std::string Shown(const DbIterator& it) {
  return it.Valid() ? std::string(it.key()) + "=" + std::string(it.value())
                    : "nothing " + it.status().ToString();
}

TEST_CASE("CheckingDbIterator: however it is moved, it shows what the one inside does") {
  for (const int keys : {0, 1, 40}) {
    Fixture t(keys);
    const auto plain = t.Plain();
    const auto checked = CheckedInDebug(t.Plain(), t.family->views());
    std::mt19937_64 random(static_cast<uint64_t>(keys) + 1);
    CHECK_FALSE(checked->Valid());
    for (int step = 0; step < 1000; ++step) {
      const std::string target = std::to_string(95 + random() % 50);
      const uint64_t move = random() % 7;
      for (DbIterator* const it : {plain.get(), checked.get()}) {
        if (move == 0) it->SeekToFirst();
        if (move == 1) it->SeekToLast();
        if (move == 2) it->Seek(target);
        if (move == 3) it->SeekForPrev(target);
        if (move == 4) REQUIRE(it->Refresh().ok());
        if (move == 5 && it->Valid()) it->Next();
        if (move == 6 && it->Valid()) it->Prev();
      }
      REQUIRE_EQ(Shown(*checked), Shown(*plain));
    }
  }
}

TEST_CASE("CheckingDbIterator: it takes an iterator that already stands on a record as it is") {
  Fixture t(3);
  auto plain = t.Plain();
  plain->SeekToFirst();
  const auto checked = CheckedInDebug(std::move(plain), t.family->views());
  CHECK_EQ(Shown(*checked), "100=value0");
  checked->Next();
  CHECK_EQ(Shown(*checked), "101=value1");
}

}  // namespace
}  // namespace varve
