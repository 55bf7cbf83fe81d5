// SPDX-License-Identifier: Apache-2.0
// The line of writers: each write is done once, the leader sees what a writer made before it joined
// and the writer what the leader did, and what only the leader may touch passes from one to the
// next. A writer that nobody wakes is a deadlock.
#include "core/engine/write/write_queue.h"

#include <memory>
#include <vector>

#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {
namespace {

class Line final : public Harness {
 public:
  Line() { batch_.Put("key", "value"); }
  ~Line() override { Expect(led_ == joined_, "a write was not done"); }

  void Run(int thread) override {
    if (thread == kThreads - 1 && Random(2) == 0) return;
    const int writes = 1 + static_cast<int>(Random(2));
    for (int i = 0; i < writes; ++i) WriteOne();
  }

 private:
  using Role = WriteQueue::Role;

  void WriteOne() {
    WriteQueue::Writer own;
    const bool alone = Random(8) == 0;
    if (!alone) own.batch = &batch_;
    own.options.durability = Random(3) == 0 ? Durability::kSync : Durability::kBuffered;
    own.user_bytes = 7;
    Role role = queue_.Join(&own);
    if (role == Role::kHelps) {
      Insert(&own);
      role = queue_.HelpDone(&own);
    }
    if (role == Role::kLeads) {
      alone ? HoldLead(&own) : Serve(&own);
    } else {
      Expect(role == Role::kDone, "a writer returns without being done");
    }
    Expect(own.first_sequence == 1, "a write was done more than once, or not at all");
  }

  static void Insert(WriteQueue::Writer* writer) { ++writer->first_sequence; }

  void HoldLead(WriteQueue::Writer* own) {
    ++led_, ++joined_;
    own->first_sequence = 1;
    Expect(queue_.Finish(own, *own, false) == nullptr, "the lead was kept");
  }

  void Serve(WriteQueue::Writer* own) {
    for (WriteQueue::Writer* first = own; first != nullptr;) {
      const std::vector<WriteQueue::Writer*> group =
          Random(8) == 0 ? queue_.TakeAlone(first) : queue_.TakeGroup(first);
      const bool together = group.size() > 1 && Random(3) != 0;
      if (together) queue_.AskForHelp();
      for (WriteQueue::Writer* writer : group) {
        Expect(writer->user_bytes == 7, "the leader does not see what a writer brings");
        ++joined_;
        if (writer == first || !together) Insert(writer);
      }
      if (together) queue_.AwaitHelp();
      for (const WriteQueue::Writer* writer : group) {
        Expect(writer->first_sequence == 1, "a helper's insert is not there");
        ++led_;
      }
      first = queue_.Finish(first, *own, Random(2) == 0);
    }
  }

  WriteQueue queue_;
  WriteBatch batch_;
  int led_ = 0, joined_ = 0;  // Of whoever leads.
};

}  // namespace

const Part kWriteQueue = {"write_queue", "core/engine/write/write_queue", 100000, Make<Line>};

}  // namespace varve::memory_orders
