// SPDX-License-Identifier: Apache-2.0
// Executor without threads, for the browser and for deterministic tests: jobs run when a caller is
// about to wait for them, flushes first, otherwise in the order of scheduling.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <utility>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"

namespace varve {

// Thread-safe. Jobs still queued when it is destroyed are dropped.
class InlineExecutor final : public Executor {
 public:
  void Schedule(Lane lane, std::function<void()> job) override {
    MutexLock lock(mu_);
    jobs_[static_cast<size_t>(lane)].push_back(std::move(job));
  }
  int Parallelism(Lane) const override { return 1; }
  bool RunOneWhileWaiting() override {
    std::function<void()> job = Take();
    if (!job) return false;
    job();
    return true;
  }
  // While held, compactions stay queued, so that a caller can run them one at a time. Meanwhile no
  // thread may wait for one.
  void HoldCompactions(bool hold) {
    MutexLock lock(mu_);
    hold_compactions_ = hold;
  }

 private:
  std::function<void()> Take() {
    MutexLock lock(mu_);
    for (Lane which : {Lane::kFlush, Lane::kCompaction}) {
      auto& lane = jobs_[static_cast<size_t>(which)];
      if (lane.empty() || (which == Lane::kCompaction && hold_compactions_)) continue;
      std::function<void()> job = std::move(lane.front());
      lane.pop_front();
      return job;
    }
    return nullptr;
  }

  Mutex mu_;
  std::array<std::deque<std::function<void()>>, 2> jobs_ GUARDED_BY(mu_);
  bool hold_compactions_ GUARDED_BY(mu_) = false;
};

}  // namespace varve
