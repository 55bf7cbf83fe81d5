// SPDX-License-Identifier: Apache-2.0
#include "core/engine/family.h"

#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

struct Fixture : ContextFixture {
  Fixture() : family(NewFamily(3, {})) {
    context.AssertNotShared();
    family->Begin(family->NewMemTable(), /*first_wal=*/6);
    family->Publish(Nothing());
  }
  std::shared_ptr<const Version> Nothing() {
    return EmptyVersion(*BytewiseComparator(), context.tables.get(), family->options());
  }
  void Add(std::string_view key) {
    context.AssertNotShared();
    family->memtable()->Add(++sequence, ValueType::kValue, key, "value");
  }
  void Seal(uint64_t next_wal) {
    context.AssertNotShared();
    family->Seal(next_wal, FlushReason::kManual);
    family->Publish(Nothing());
  }
  std::string Get(std::string_view key) {
    const auto value = GetFromView(*family->views().Acquire(), {}, key, kMaxSequence);
    REQUIRE(value.ok());
    return value->has_value() ? (*value)->ToString() : "none";
  }

  std::unique_ptr<Family> family;
  Sequence sequence = 0;
};

TEST_CASE("Family: sealed memtables wait oldest first, and are shown to readers newest first") {
  Fixture t;
  t.context.AssertNotShared();
  CHECK(t.family->AllFlushed());
  t.Add("a");
  CHECK_FALSE(t.family->AllFlushed());
  const MemTable* const first = t.family->memtable().get();
  t.Seal(8);
  t.Add("b");
  const MemTable* const second = t.family->memtable().get();
  t.Seal(9);
  CHECK_FALSE(t.family->AllFlushed());  // The active one is empty, the sealed ones are not flushed.
  REQUIRE_EQ(t.family->immutables().size(), 2);
  CHECK(t.family->immutables()[0].memtable.get() == first);
  CHECK_EQ(t.family->immutables()[0].next_wal, 8);
  CHECK_EQ(t.family->immutables()[1].next_wal, 9);
  CHECK_EQ(t.family->memtable_first_wal(), 9);
  const auto pin = t.family->views().Acquire();
  REQUIRE_EQ(pin->immutables.size(), 2);
  CHECK(pin->immutables[0].get() == second);
  CHECK(pin->immutables[1].get() == first);
  CHECK(pin->memtable == t.family->memtable());
}

TEST_CASE("Family: flushed memtables go, the oldest first; readers keep those that they pinned") {
  Fixture t;
  t.context.AssertNotShared();
  t.Add("a");
  t.Seal(8);
  t.Add("b");
  t.Seal(9);
  const std::shared_ptr<const ReadView> before = t.family->views().Acquire().Share();
  t.family->RemoveFlushed(1);
  t.family->Publish(t.Nothing());
  CHECK_EQ(t.Get("a"), "none");  // As if its table were gone.
  CHECK_EQ(t.Get("b"), "value");
  CHECK((*GetFromView(*before, {}, "a", kMaxSequence)).has_value());
  t.family->RemoveFlushed(1);
  CHECK(t.family->AllFlushed());
}

TEST_CASE("Family: memory is that of all its memtables") {
  Fixture t;
  t.context.AssertNotShared();
  const uint64_t empty = t.family->MemoryUsage();
  for (int i = 0; i < 1000; ++i) t.Add(std::to_string(i));
  const uint64_t one = t.family->MemoryUsage();
  CHECK_GT(one, empty + 1000 * 8);
  t.Seal(8);
  for (int i = 0; i < 1000; ++i) t.Add(std::to_string(i));
  CHECK_GT(t.family->MemoryUsage(), one + 1000 * 8);
  t.family->RemoveFlushed(1);
  CHECK_LT(t.family->MemoryUsage(), one + 1000 * 8);
}

TEST_CASE("Family: frozen, its data can be read and nothing takes writes") {
  Fixture t;
  t.context.AssertNotShared();
  t.Add("a");
  t.family->Freeze();
  t.family->Publish(t.Nothing());
  CHECK(t.family->memtable() == nullptr);
  CHECK_EQ(t.Get("a"), "value");
}

TEST_CASE("Family: dropped, it is empty for readers, but for those who were there before") {
  Fixture t;
  t.context.AssertNotShared();
  t.Add("a");
  t.Seal(8);
  t.Add("b");
  const std::shared_ptr<const ReadView> before = t.family->views().Acquire().Share();
  t.family->Drop(t.Nothing());
  CHECK(t.family->dropped());
  CHECK(t.family->memtable() == nullptr);
  CHECK(t.family->AllFlushed());
  CHECK_EQ(t.family->MemoryUsage(), 0);
  CHECK_EQ(t.Get("a"), "none");
  CHECK_EQ(t.Get("b"), "none");
  CHECK((*GetFromView(*before, {}, "b", kMaxSequence)).has_value());
  CHECK_EQ(t.family->name(), "family3");
}

TEST_CASE(
    "Family: options that were read stay as they were when they are replaced, up to a limit") {
  Fixture t;
  t.context.AssertNotShared();
  const ColumnFamilyOptions& before = t.family->options();
  const uint64_t size = before.write_buffer_size;
  ColumnFamilyOptions changed = before;
  changed.write_buffer_size = 4711;
  t.family->ChangeOptions(changed);
  CHECK_EQ(t.family->options().write_buffer_size, 4711);
  CHECK_EQ(before.write_buffer_size, size);
  int changes = 1;
  for (; t.family->MayChangeOptions(); ++changes) t.family->ChangeOptions(changed);
  CHECK_EQ(changes, 9'999);
}

}  // namespace
}  // namespace varve
