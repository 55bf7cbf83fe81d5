// SPDX-License-Identifier: Apache-2.0
#include "webview/http/sample_thread.h"

#include <new>
#include <utility>

#include "core/base/out_of_memory.h"

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
    try {
      const OutOfMemoryThrows throws;
      sample_();
    } catch (const std::bad_alloc&) {  // This second is missing in the history.
    }
    MutexLock lock(mu_);
    if (!stop_) stopped_.WaitFor(mu_, kPeriodMicros);
    if (stop_) return;
  }
}

}  // namespace varve::http
