// SPDX-License-Identifier: Apache-2.0
#include "webview/http/job_thread.h"

namespace varve::http {
namespace {

constexpr uint64_t kStepMicros = 50'000;  // Between two checks whether to stop.

}  // namespace

JobThread::JobThread(api::Jobs& jobs) : jobs_(jobs), thread_([this] { Work(); }) {
  jobs_.SetWaker([this] {
    MutexLock lock(mu_);
    work_ = true;
    woken_.NotifyAll();
  });
}

JobThread::~JobThread() {
  jobs_.SetWaker(nullptr);
  {
    MutexLock lock(mu_);
    stop_ = true;
    woken_.NotifyAll();
  }
  thread_.join();
}

void JobThread::Work() {
  while (true) {
    {
      MutexLock lock(mu_);
      while (!work_ && !stop_) woken_.Wait(mu_);
      if (stop_) return;
      work_ = false;
    }
    while (jobs_.Step(kStepMicros)) {
      MutexLock lock(mu_);
      if (stop_) return;
    }
  }
}

}  // namespace varve::http
