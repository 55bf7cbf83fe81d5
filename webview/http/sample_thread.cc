// SPDX-License-Identifier: Apache-2.0
#include "webview/http/sample_thread.h"

#include <utility>

namespace varve::http {
namespace {

constexpr uint64_t kPeriodMicros = 1'000'000;

}  // namespace

SampleThread::SampleThread(std::function<void()> sample)
    : sample_(std::move(sample)), thread_([this] { Work(); }) {}

SampleThread::~SampleThread() {
  {
    MutexLock lock(mu_);
    stop_ = true;
    stopped_.NotifyAll();
  }
  thread_.join();
}

void SampleThread::Work() {
  while (true) {
    sample_();
    MutexLock lock(mu_);
    if (!stop_) stopped_.WaitFor(mu_, kPeriodMicros);
    if (stop_) return;
  }
}

}  // namespace varve::http
