// SPDX-License-Identifier: Apache-2.0
// The line of writers alone, in orders of threads that are drawn: few steps, so that many of their
// orders are met. Where a writer's role is lost, it waits without end, and the scheduler ends the
// process.
#include "core/engine/write/write_queue.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/simulator/scheduler.h"

namespace varve::simulator {
namespace {

constexpr size_t kWriters = 4;
constexpr int kBatches = 3;

// Commits as WritePath does: the first of a group by who leads, the others by themselves if they
// are asked.
class Line {
 public:
  explicit Line(uint64_t seed) : random_(seed) { batch_.Put("key", "value"); }

  void Write(size_t thread) {
    WriteQueue::Writer own;
    own.batch = &batch_;
    own.options.durability = thread == 0 ? Durability::kSync : Durability::kBuffered;
    WriteQueue::Role role = queue_.Join(&own);
    if (role == WriteQueue::Role::kHelps) {
      WriteQueue::AssertHelps(own);
      Insert(&own);
      role = queue_.HelpDone(&own);
    }
    if (role == WriteQueue::Role::kLeads) Serve(&own);
    CHECK_EQ(own.first_sequence, 1);
    written_.fetch_add(1);
  }
  int written() const { return written_; }

 private:
  // The times that it was inserted; the writer's own threads only.
  static void Insert(WriteQueue::Writer* writer) { ++writer->first_sequence; }

  void Serve(WriteQueue::Writer* own) {
    for (WriteQueue::Writer* first = own; first != nullptr;) {
      WriteQueue::AssertLeads(*first);
      CHECK_FALSE(led_);
      led_ = true;
      const std::vector<WriteQueue::Writer*> group = queue_.TakeGroup(first);
      const bool together = group.size() > 1 && random_() % 4 != 0;
      if (together) queue_.AskForHelp();
      for (WriteQueue::Writer* writer : group) {
        if (writer == first || !together) Insert(writer);
      }
      if (together) queue_.AwaitHelp();
      for (const WriteQueue::Writer* writer : group) CHECK_EQ(writer->first_sequence, 1);
      const bool keep = random_() % 2 == 0;
      led_ = false;
      first = queue_.Finish(first, *own, keep);
    }
  }

  WriteQueue queue_;
  WriteBatch batch_;
  std::mt19937_64 random_;  // Of who leads, as led_ is.
  bool led_ = false;
  std::atomic<int> written_{0};
};

TEST_CASE("WriteQueue: each write is done once, by one thread, in every order of threads") {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Line line(seed);
    Scheduler(seed).Run([&] {
      std::array<std::thread, kWriters> threads;
      for (size_t i = 0; i < kWriters; ++i) {
        threads[i] = std::thread([&line, i] {
          for (int left = kBatches; left > 0; --left) line.Write(i);
        });
      }
      for (std::thread& thread : threads) thread.join();
    });
    CHECK_EQ(line.written(), kWriters * kBatches);
  }
}

}  // namespace
}  // namespace varve::simulator
