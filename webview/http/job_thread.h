// SPDX-License-Identifier: Apache-2.0
// The thread that runs a service's jobs step by step. Sleeps while there are none.
#pragma once

#include <thread>

#include "core/base/threads/mutex.h"
#include "webview/api/jobs.h"

namespace varve::http {

class JobThread {
 public:
  explicit JobThread(api::Jobs& jobs);  // `jobs` must outlive it.
  ~JobThread();                         // Waits for the current step.
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

 private:
  void Work();

  api::Jobs& jobs_;
  Mutex mu_;
  CondVar woken_;
  bool work_ GUARDED_BY(mu_) = false;
  bool stop_ GUARDED_BY(mu_) = false;
  std::thread thread_;  // Declared last: uses the other members.
};

}  // namespace varve::http
