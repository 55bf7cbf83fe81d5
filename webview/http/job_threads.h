// SPDX-License-Identifier: Apache-2.0
// The threads that run a service's jobs step by step: two, so that one which cannot pause, a
// compaction, does not hold up the others. They sleep while there are none.
#pragma once

#include <array>
#include <thread>

#include "core/base/threads/mutex.h"
#include "webview/api/jobs.h"

namespace varve::http {

class JobThreads {
 public:
  // `jobs` must outlive it. Throws std::system_error if there cannot be so many threads.
  explicit JobThreads(api::Jobs& jobs);
  ~JobThreads();  // Waits for the current steps.
  JobThreads(const JobThreads&) = delete;
  JobThreads& operator=(const JobThreads&) = delete;

 private:
  void Work();
  void Stop();

  api::Jobs& jobs_;
  Mutex mu_;
  CondVar woken_;
  uint64_t wakes_ GUARDED_BY(mu_) = 0;  // So often there was new work.
  bool stop_ GUARDED_BY(mu_) = false;
  std::array<std::thread, 2> threads_;  // Declared last: use the other members.
};

}  // namespace varve::http
