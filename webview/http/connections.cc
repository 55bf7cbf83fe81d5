// SPDX-License-Identifier: Apache-2.0
#include "webview/http/connections.h"

#include <sys/socket.h>

#include <chrono>

namespace varve::http {
namespace {

// How often Admit() looks whether somebody is waited for again, which nobody tells it.
constexpr uint64_t kLookMicros = 5'000;

}  // namespace

uint64_t NowMicros() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

Connections::Entry* Connections::Admit(int fd) {
  MutexLock lock(mu_);
  while (counted_ == kConnectionsMax) {
    const uint64_t now = NowMicros();
    const auto [longest, waited] = LongestWaited(now);
    if (longest == nullptr) {
      if (!all_at_work_since_) all_at_work_since_ = now;
      if (now - *all_at_work_since_ >= kBusyMicros) return nullptr;
      left_.WaitFor(mu_, kLookMicros);
      continue;
    }
    all_at_work_since_.reset();
    if (waited < kPatienceMicros) {
      left_.WaitFor(mu_, kPatienceMicros - waited);
      continue;  // All may have changed.
    }
    // Its thread wakes up, finds the connection closed and removes it.
    longest->evicted = true;
    shutdown(longest->fd, SHUT_RDWR);
    --counted_;
  }
  all_at_work_since_.reset();
  ++counted_;
  Entry& entry = entries_.emplace_back();
  entry.fd = fd;
  return &entry;
}

std::pair<Connections::Entry*, uint64_t> Connections::LongestWaited(uint64_t now) {
  std::pair<Entry*, uint64_t> longest = {nullptr, 0};
  for (Entry& entry : entries_) {
    const uint64_t since = entry.waiting_since_micros.load(std::memory_order_relaxed);
    if (entry.evicted || since == kAtWork) continue;
    const uint64_t waited = since < now ? now - since : 0;  // 0 for kNotServedYet, too.
    if (longest.first == nullptr || waited > longest.second) longest = {&entry, waited};
  }
  return longest;
}

void Connections::Remove(Entry* entry) {
  MutexLock lock(mu_);
  if (!entry->evicted) --counted_;
  entries_.remove_if([entry](const Entry& one) { return &one == entry; });
  left_.NotifyOne();
}

void Connections::ShutDownAll() {
  MutexLock lock(mu_);
  for (const Entry& entry : entries_) shutdown(entry.fd, SHUT_RDWR);
}

}  // namespace varve::http
