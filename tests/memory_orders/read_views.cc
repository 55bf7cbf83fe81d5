// SPDX-License-Identifier: Apache-2.0
// The views that readers pin: a reader sees a view that is not older than what was published before
// it began, completely; no view is freed while it is used; each read is counted, also those of
// threads that have ended.
#include <atomic>
#include <memory>

#include "core/engine/read/read_view.h"
#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {
namespace {

std::shared_ptr<const ReadView> View(uintptr_t number) {
  auto view = std::make_shared<ReadView>();
  view->comparator = reinterpret_cast<const Comparator*>(8 * number);  // Only a number.
  return view;
}
uintptr_t NumberOf(const ReadView& view) {
  return reinterpret_cast<uintptr_t>(view.comparator) / 8;
}

class Views final : public Harness {
 public:
  ~Views() override {
    FamilyStats sum;
    holder_.AddCounters(&sum);
    Expect(sum.gets == reads_.load(), "a read is not counted");
  }

  void Run(int thread) override {
    if (thread == 0) {
      for (uintptr_t i = 1; i <= 3; ++i) {
        holder_.Publish(View(i));
        published_.store(i, std::memory_order_release);
      }
      return;
    }
    std::shared_ptr<const ReadView> kept;
    for (int i = 0; i < 2; ++i) {
      const uintptr_t known = published_.load(std::memory_order_acquire);
      const ReadViewHolder::Pin pin = holder_.Acquire();
      Expect(NumberOf(*pin) >= known, "a view is older than what was published");
      if (Random(4) == 0) {  // Another read of the same thread: its slot is busy.
        const ReadViewHolder::Pin second = holder_.Acquire();
        Expect(NumberOf(*second) >= known, "a view is older than what was published");
      }
      if (Random(2) == 0) kept = pin.Share();
      pin.counters().gets.Add(1);
      reads_.fetch_add(1, std::memory_order_relaxed);
      Expect(NumberOf(*pin) >= known, "a pinned view changed");
    }
    if (kept != nullptr) Expect(NumberOf(*kept) <= 3, "a shared view changed");
  }

 private:
  ReadViewHolder holder_{View(0)};
  std::atomic<uintptr_t> published_{0};
  std::atomic<uint64_t> reads_{0};
};

}  // namespace

const Part kReadViews = {"read_views", "core/engine/read/read_view", 10000, Make<Views>};

}  // namespace varve::memory_orders
