// SPDX-License-Identifier: Apache-2.0
// Epochs: a writer replaces an object and frees the old one as soon as epochs say that it may,
// while readers use what they find. The source is part of this file, so that each execution begins
// with the process's first epoch.
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/threads/epoch.cc"  // NOLINT(bugprone-suspicious-include)
#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {

void ResetEpochs() {
  for (Announcement* a = announcements.load(std::memory_order_relaxed); a != nullptr;) {
    const std::unique_ptr<Announcement> ended(std::exchange(a, a->next));
  }
  std::construct_at(&announcements, nullptr);
  std::construct_at(&present_epoch, kIdle + 1);
}

namespace {

struct Object {
  int number = 0;
};

class Replaced final : public Harness {
 public:
  Replaced() {
    // What an execution left that failed is no longer there.
    std::construct_at(&announcements, nullptr);
    std::construct_at(&present_epoch, kIdle + 1);
    present_.store(new Object{0});
  }
  ~Replaced() override {
    delete present_.load();
    for (const auto& [stamp, object] : retired_) delete object;
    ResetEpochs();
  }

  void Run(int thread) override {
    if (thread == 0) return Replace();
    for (int i = 0; i < 2; ++i) {
      const int known = known_.load(std::memory_order_acquire);
      const EpochGuard guard;
      Use(known);
      if (Random(2) == 0) {
        const EpochGuard nested;
        Use(known);
      }
      Use(known);
    }
  }

 private:
  void Use(int known) const {
    Expect(IsWithinEpoch(), "a guard is not known");
    const Object* const object = present_.load();
    Expect(object->number >= known, "an object is found that was replaced before");
  }

  void Replace() {
    for (int i = 1; i <= 3; ++i) {
      Object* const old = present_.load(std::memory_order_relaxed);
      present_.store(new Object{i});
      known_.store(i, std::memory_order_release);
      retired_.emplace_back(EndEpoch(), old);
      const uint64_t oldest = OldestEpochInUse();
      std::erase_if(retired_, [&](const auto& retired) {
        if (retired.first >= oldest) return false;
        delete retired.second;
        return true;
      });
    }
  }

  std::atomic<Object*> present_{nullptr};
  std::atomic<int> known_{0};
  std::vector<std::pair<uint64_t, Object*>> retired_;
};

}  // namespace

const Part kEpochs = {"epochs", "core/base/threads/epoch", 50000, Make<Replaced>};

}  // namespace varve::memory_orders
