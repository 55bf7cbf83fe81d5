// SPDX-License-Identifier: Apache-2.0
// Waiting for what wakes nobody: the end of a process, a file that another machine makes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"
#include "varve/result.h"

namespace varve {

// Thread-safe.
class Poll {
 public:
  explicit Poll(Clock& clock) : clock_(clock) {}

  // Calls `look`, first after 2 ms and then less and less often, but every 25 ms, until what it
  // returns is true or an error (Result<bool>, std::optional), or `micros` have passed. Returns
  // what it returned last.
  template <typename Look>
  auto Until(uint64_t micros, Look look) EXCLUDES(mu_) {
    uint64_t pause = kFirstMicros;
    for (const uint64_t begin = clock_.NowMicros();;) {
      auto seen = look();
      if (IsOver(seen) || clock_.NowMicros() - begin >= micros) return seen;
      MutexLock lock(mu_);
      never_.WaitFor(mu_, pause);
      pause = std::min(2 * pause, kMicros);
    }
  }

 private:
  static constexpr uint64_t kFirstMicros = 2'000;
  static constexpr uint64_t kMicros = 25'000;

  static bool IsOver(const Result<bool>& seen) { return !seen.ok() || *seen; }
  template <typename Value>
  static bool IsOver(const std::optional<Value>& seen) {
    return seen.has_value();
  }

  Clock& clock_;
  Mutex mu_;
  CondVar never_;  // Only to wait for a while.
};

}  // namespace varve
