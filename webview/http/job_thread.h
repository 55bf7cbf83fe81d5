// SPDX-License-Identifier: Apache-2.0
// The thread that works on a service's jobs, one step after the other. Sleeps while there are none.
#pragma once

#include <thread>

#include "core/base/mutex.h"
#include "webview/api/jobs.h"

namespace varve::http {

class JobThread {
 public:
  explicit JobThread(api::Jobs& jobs);  // `jobs` must outlive it.
  ~JobThread();                         // After the step that is being done.
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

 private:
  void Work();

  api::Jobs& jobs_;
  Mutex mu_;
  CondVar woken_;
  bool work_ GUARDED_BY(mu_) = false;
  bool stop_ GUARDED_BY(mu_) = false;
  std::thread thread_;  // Last: it uses the others.
};

}  // namespace varve::http
