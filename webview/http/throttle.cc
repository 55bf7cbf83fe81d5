// SPDX-License-Identifier: Apache-2.0
#include "webview/http/throttle.h"

#include <algorithm>

namespace varve::http {

uint64_t Throttle::Try(const std::string& name, const std::string& address, uint64_t now) {
  MutexLock lock(mu_);
  Forget(&names_, now);
  Forget(&addresses_, now);
  const uint64_t wait = std::max(WaitFor(names_, name, kOfNameMax, now),
                                 WaitFor(addresses_, address, kOfAddressMax, now));
  if (wait > 0) return wait;
  names_[name].push_back(now);
  addresses_[address].push_back(now);
  return 0;
}

void Throttle::TakeBack(const std::string& name, const std::string& address, uint64_t now) {
  MutexLock lock(mu_);
  const auto take_back = [now](Times* times, const std::string& key) {
    const auto found = times->find(key);
    if (found == times->end()) return;
    const auto at = std::find(found->second.begin(), found->second.end(), now);
    if (at != found->second.end()) found->second.erase(at);
  };
  take_back(&names_, name);
  take_back(&addresses_, address);
}

uint64_t Throttle::WaitFor(const Times& times, const std::string& key, size_t max, uint64_t now) {
  const auto found = times.find(key);
  if (found == times.end()) return times.size() < kKeysMax ? 0 : kWindowMicros / 1'000'000;
  if (found->second.size() < max) return 0;
  return (found->second.front() + kWindowMicros - now + 999'999) / 1'000'000;
}

void Throttle::Forget(Times* times, uint64_t now) {
  for (auto& [key, list] : *times) {
    while (!list.empty() && now >= list.front() + kWindowMicros) list.pop_front();
  }
  std::erase_if(*times, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace varve::http
