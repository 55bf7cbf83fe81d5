// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/read_view.h"

#include <doctest/doctest.h>
#include <malloc.h>

#include <thread>

namespace varve {
namespace {

// Tells views apart by the id of their memtable.
std::shared_ptr<const ReadView> MakeView(uint64_t id) {
  auto view = std::make_shared<ReadView>();
  view->memtable = MemTable::Create(*BytewiseComparator(), id, {});
  return view;
}

TEST_CASE("ReadViewHolder: a pin keeps its view while a newer one is published") {
  ReadViewHolder holder(MakeView(1));
  {
    const ReadViewHolder::Pin pin = holder.Acquire();
    holder.Publish(MakeView(2));
    CHECK(pin->memtable->id() == 1);
    CHECK(holder.Acquire()->memtable->id() == 2);  // A read within a read sees the present.
  }
  CHECK(holder.Acquire()->memtable->id() == 2);
}

TEST_CASE("ReadViewHolder: an idle thread does not keep an old view alive") {
  auto first = MakeView(1);
  const std::weak_ptr<const ReadView> watched = first;
  ReadViewHolder holder(std::move(first));
  {
    const ReadViewHolder::Pin pin = holder.Acquire();
  }
  CHECK_FALSE(watched.expired());
  holder.Publish(MakeView(2));
  CHECK(watched.expired());
}

TEST_CASE("ReadViewHolder: a stale view goes when its pin does, a shared one when the share does") {
  auto first = MakeView(1);
  const std::weak_ptr<const ReadView> watched = first;
  ReadViewHolder holder(std::move(first));
  std::shared_ptr<const ReadView> share;
  {
    const ReadViewHolder::Pin pin = holder.Acquire();
    share = pin.Share();
    holder.Publish(MakeView(2));
  }
  CHECK_FALSE(watched.expired());
  share.reset();
  CHECK(watched.expired());
}

TEST_CASE("ReadViewHolder: a thread's slots of different holders do not mix") {
  for (uint64_t round = 0; round < 3; ++round) {
    ReadViewHolder a(MakeView(10 + round));
    ReadViewHolder b(MakeView(20 + round));
    CHECK(a.Acquire()->memtable->id() == 10 + round);
    CHECK(b.Acquire()->memtable->id() == 20 + round);
    CHECK(a.Acquire()->memtable->id() == 10 + round);
  }
}

TEST_CASE(
    "ReadViewHolder: what threads counted stays when they have ended, their memory does not") {
  ReadViewHolder holder(MakeView(1));
  const auto read_on_threads = [&](int threads) {
    for (int i = 0; i < threads; ++i) {
      std::thread([&] { holder.Acquire().counters().gets.Add(1); }).join();
    }
  };
  read_on_threads(500);
  const size_t before = mallinfo2().uordblks;
  read_on_threads(2000);
  CHECK(mallinfo2().uordblks < before + 200'000);
  FamilyStats sum;
  holder.AddCounters(&sum);
  CHECK(sum.gets == 2500);
  holder.Publish(MakeView(2));
  FamilyStats after;
  holder.AddCounters(&after);
  CHECK(after.gets == 2500);
}

TEST_CASE("ReadViewHolder: readers on many threads never go back in time") {
  ReadViewHolder holder(MakeView(1));
  std::atomic<uint64_t> published{1};
  std::atomic<int> went_back{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      uint64_t seen = 0;
      while (seen < 300) {
        const uint64_t at_least = published.load();
        const ReadViewHolder::Pin pin = holder.Acquire();
        const uint64_t id = pin->memtable->id();
        if (id < at_least || id < seen) ++went_back;
        seen = id;
      }
    });
  }
  for (uint64_t id = 2; id <= 300; ++id) {
    holder.Publish(MakeView(id));
    published = id;
    std::thread([&] { CHECK(holder.Acquire()->memtable->id() == id); }).join();
  }
  for (std::thread& reader : readers) reader.join();
  CHECK(went_back == 0);
}

}  // namespace
}  // namespace varve
