// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/write_queue.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "core/fs/memory_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

// Several writers at once, with batches small enough to be grouped and large enough to be inserted
// by several threads. A reader checks that each batch is seen whole.
void WriteTogether(size_t value_size) {
  const auto fs = NewMemoryFileSystem();
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs.get();
  options.family.write_buffer_size = 256 << 10;
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  constexpr int kWriters = 4, kBatches = 200;
  std::atomic<bool> stop{false};
  std::atomic<int> torn{0};
  std::thread reader([&] {
    const std::vector<std::string_view> keys = {"a", "b"};
    while (!stop) {
      const auto values = db.MultiGet({}, keys);
      if (!values[0].ok() || !values[1].ok()) {
        ++torn;
      } else if (values[0]->has_value() != values[1]->has_value() ||
                 (values[0]->has_value() && (*values[0])->view() != (*values[1])->view())) {
        ++torn;
      }
    }
  });
  std::atomic<int> failures{0};
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kBatches; ++i) {
        const std::string value = std::to_string(w) + ":" + std::to_string(i);
        WriteBatch batch;
        batch.Put("a", value);
        batch.Put("own" + value, std::string(value_size, 'v'));
        batch.Put("b", value);
        if (!db.Write({.durability = Durability(i % 3)}, std::move(batch)).ok()) ++failures;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  stop = true;
  reader.join();
  CHECK(failures == 0);
  CHECK(torn == 0);
  CHECK(db.Stats().last_sequence == uint64_t{3} * kWriters * kBatches);
  for (int w = 0; w < kWriters; ++w) {
    for (int i = 0; i < kBatches; ++i) {
      auto value = db.Get({}, "own" + std::to_string(w) + ":" + std::to_string(i));
      REQUIRE(value.ok());
      CHECK(value->has_value());
    }
  }
  opened->reset();
}

TEST_CASE("WriteQueue: a lone writer leads, takes only itself, and leaves the queue empty") {
  WriteQueue queue;
  WriteBatch batch;
  batch.Put("key", "value");
  for (int turn = 0; turn < 3; ++turn) {
    WriteQueue::Writer writer;
    writer.batch = &batch;
    REQUIRE(queue.Join(&writer) == WriteQueue::Role::kLeads);
    WriteQueue::AssertLeads(writer);
    CHECK(queue.TakeGroup(&writer) == std::vector<WriteQueue::Writer*>{&writer});
    CHECK(queue.Finish(&writer, writer, /*keep=*/true) == nullptr);
  }
}

// Nothing but the group that it is in says that a writer is in line: others have a moment after
// they said that they come.
void AwaitArrivals(const std::atomic<int>& coming, int count) {
  while (coming < count) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) std::this_thread::yield();
}

// Of the writers that come while somebody leads: how many are in its group, and who leads next.
void TakeThoseBehind(const std::array<Durability, 3>& behind, size_t expected_group) {
  WriteQueue queue;
  WriteBatch batch;
  batch.Put("key", "value");
  WriteQueue::Writer first;
  first.batch = &batch;
  REQUIRE(queue.Join(&first) == WriteQueue::Role::kLeads);
  WriteQueue::AssertLeads(first);
  std::array<WriteQueue::Writer, 3> writers;
  std::atomic<int> coming{0}, led{0};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < writers.size(); ++i) {
    writers[i].batch = &batch;
    writers[i].options.durability = behind[i];
    threads.emplace_back([&queue, &coming, &led, writer = &writers[i]] {
      ++coming;
      if (queue.Join(writer) != WriteQueue::Role::kLeads) return;
      WriteQueue::AssertLeads(*writer);
      ++led;
      queue.Finish(writer, *writer, /*keep=*/false);
    });
  }
  AwaitArrivals(coming, static_cast<int>(writers.size()));
  while (queue.TakeGroup(&first).size() < expected_group) std::this_thread::yield();
  CHECK_EQ(queue.TakeGroup(&first).size(), expected_group);
  queue.Finish(&first, first, /*keep=*/false);
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(led, static_cast<int>(writers.size() + 1 - expected_group));
}

TEST_CASE("WriteQueue: those behind share the leader's record, and are done with it") {
  TakeThoseBehind({Durability::kBuffered, Durability::kSync, Durability::kBuffered}, 4);
}

TEST_CASE("WriteQueue: unlogged writes are in no group with logged ones, and lead their own") {
  TakeThoseBehind({Durability::kNone, Durability::kNone, Durability::kNone}, 1);
}

TEST_CASE("WriteQueue: large batches are not taken along by a small one") {
  WriteQueue queue;
  WriteBatch small, large;
  small.Put("key", "value");
  large.Put("key", std::string(200 << 10, 'v'));
  WriteQueue::Writer first, second;
  first.batch = &small;
  second.batch = &large;
  REQUIRE(queue.Join(&first) == WriteQueue::Role::kLeads);
  WriteQueue::AssertLeads(first);
  std::atomic<int> coming{0}, led{0};
  std::thread thread([&] {
    ++coming;
    if (queue.Join(&second) != WriteQueue::Role::kLeads) return;
    WriteQueue::AssertLeads(second);
    ++led;
    queue.Finish(&second, second, /*keep=*/false);
  });
  AwaitArrivals(coming, 1);
  CHECK_EQ(queue.TakeGroup(&first).size(), 1);
  queue.Finish(&first, first, /*keep=*/false);
  thread.join();
  CHECK_EQ(led, 1);
}

TEST_CASE("WriteQueue: who helps inserts its own batch before the group is done") {
  WriteQueue queue;
  WriteBatch batch;
  batch.Put("key", "value");
  WriteQueue::Writer first, second;
  first.batch = second.batch = &batch;
  REQUIRE(queue.Join(&first) == WriteQueue::Role::kLeads);
  WriteQueue::AssertLeads(first);
  std::atomic<bool> inserted{false};
  std::thread thread([&] {
    REQUIRE(queue.Join(&second) == WriteQueue::Role::kHelps);
    WriteQueue::AssertHelps(second);
    inserted = true;
    CHECK(queue.HelpDone(&second) == WriteQueue::Role::kDone);
  });
  while (queue.TakeGroup(&first).size() < 2) std::this_thread::yield();
  queue.AskForHelp();
  queue.AwaitHelp();
  CHECK(inserted);
  CHECK(queue.Finish(&first, first, /*keep=*/false) == nullptr);
  thread.join();
}

TEST_CASE("WriteQueue: a leader that keeps the lead goes on with the next group") {
  WriteQueue queue;
  WriteBatch batch;
  batch.Put("key", "value");
  WriteQueue::Writer first, second;
  first.batch = second.batch = &batch;
  REQUIRE(queue.Join(&first) == WriteQueue::Role::kLeads);
  WriteQueue::AssertLeads(first);
  std::thread thread([&] { CHECK(queue.Join(&second) == WriteQueue::Role::kDone); });
  while (queue.TakeGroup(&first).size() < 2) std::this_thread::yield();
  queue.TakeAlone(&first);
  WriteQueue::Writer* const next = queue.Finish(&first, first, /*keep=*/true);
  REQUIRE(next == &second);
  WriteQueue::AssertLeads(*next);
  CHECK(queue.TakeGroup(next) == std::vector<WriteQueue::Writer*>{&second});
  CHECK(queue.Finish(next, first, /*keep=*/true) == nullptr);
  thread.join();
}

TEST_CASE("WriteQueue: many writers' small batches are all there and whole") { WriteTogether(10); }

TEST_CASE("WriteQueue: large groups are inserted by their own writers") { WriteTogether(30000); }

}  // namespace
}  // namespace varve
