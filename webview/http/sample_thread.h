// SPDX-License-Identifier: Apache-2.0
// A thread that calls a function once a second, for statistics over time.
#pragma once

#include <functional>
#include <thread>

#include "core/base/threads/mutex.h"

namespace varve::http {

// Runs from construction to destruction.
class SampleThread {
 public:
  explicit SampleThread(std::function<void()> sample);
  ~SampleThread();
  SampleThread(const SampleThread&) = delete;
  SampleThread& operator=(const SampleThread&) = delete;

 private:
  void Work();

  const std::function<void()> sample_;
  Mutex mu_;
  CondVar stopped_;
  bool stop_ GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace varve::http
