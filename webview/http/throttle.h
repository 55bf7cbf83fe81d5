// SPDX-License-Identifier: Apache-2.0
// Limits how often passwords are tried: a few wrong ones a minute for each name, whether there is
// such a user or not, and for each address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "core/base/threads/mutex.h"

namespace varve::http {

// Times are those of a monotonic clock, in microseconds. Thread-safe.
class Throttle {
 public:
  static constexpr size_t kOfNameMax = 5, kOfAddressMax = 20;
  static constexpr size_t kKeysMax = 4096;  // Names and addresses; then nobody may try.
  static constexpr uint64_t kWindowMicros = 60'000'000;

  // 0: it may be tried, and counts as wrong until TakeBack() of the same `now`. Otherwise the
  // seconds to wait.
  uint64_t Try(const std::string& name, const std::string& address, uint64_t now) EXCLUDES(mu_);
  void TakeBack(const std::string& name, const std::string& address, uint64_t now) EXCLUDES(mu_);

 private:
  using Times = std::map<std::string, std::deque<uint64_t>, std::less<>>;
  static uint64_t WaitFor(const Times& times, const std::string& key, size_t max, uint64_t now);
  static void Forget(Times* times, uint64_t now);

  Mutex mu_;
  Times names_ GUARDED_BY(mu_), addresses_ GUARDED_BY(mu_);
};

}  // namespace varve::http
