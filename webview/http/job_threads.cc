// SPDX-License-Identifier: Apache-2.0
#include "webview/http/job_threads.h"

#include <system_error>

namespace varve::http {
namespace {

constexpr uint64_t kStepMicros = 50'000;  // Between two checks whether to stop.

}  // namespace

JobThreads::JobThreads(api::Jobs& jobs) : jobs_(jobs) {
  jobs_.SetWaker([this] {
    MutexLock lock(mu_);
    ++wakes_;
    woken_.NotifyAll();
  });
  try {
    for (std::thread& thread : threads_) thread = std::thread([this] { Work(); });
  } catch (const std::system_error&) {  // There may be no more threads.
    Stop();
    throw;
  }
}

JobThreads::~JobThreads() { Stop(); }

void JobThreads::Stop() {
  jobs_.SetWaker(nullptr);
  {
    MutexLock lock(mu_);
    stop_ = true;
    woken_.NotifyAll();
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void JobThreads::Work() {
  uint64_t seen = 0;
  while (true) {
    {
      MutexLock lock(mu_);
      while (wakes_ == seen && !stop_) woken_.Wait(mu_);
      if (stop_) return;
      seen = wakes_;
    }
    while (jobs_.Step(kStepMicros)) {
      MutexLock lock(mu_);
      if (stop_) return;
    }
  }
}

}  // namespace varve::http
