// SPDX-License-Identifier: Apache-2.0
// For tests that wait until another thread has reached a point for which there is no call to wait
// on: they wait for an observable condition, not for time to pass.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

namespace varve {

// Returns once the condition holds. Ends the process after a minute and prints `what`: the caller
// may be a callback of the engine, where nothing can be thrown.
inline void WaitUntil(const char* what, const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      std::fprintf(stderr, "waited a minute until %s\n", what);
      std::_Exit(1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // pause: between two looks
  }
}

// A thread of this process whose state others may ask for.
class WatchedThread {
 public:
  // Called by the thread.
  void Enter() { id_ = gettid(); }
  // It has entered, and a call that it made has not returned: it waits for a lock, a condition or a
  // result. A thread that is ready to run is not blocked, however busy the machine is.
  bool IsBlocked() const {
    std::ifstream file("/proc/self/task/" + std::to_string(id_) + "/stat");
    const std::string stat{std::istreambuf_iterator<char>(file), {}};
    const size_t name_end = stat.rfind(')');  // A name may contain anything.
    return name_end != std::string::npos && stat.compare(name_end, 3, ") S") == 0;
  }

 private:
  std::atomic<pid_t> id_{0};
};

}  // namespace varve
