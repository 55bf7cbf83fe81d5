// SPDX-License-Identifier: Apache-2.0
#include "webview/http/connections.h"

#include <sys/socket.h>

#include <chrono>

namespace varve::http {

uint64_t NowMicros() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

Connections::Entry* Connections::Admit(int fd) {
  MutexLock lock(mu_);
  if (counted_ == kConnectionsMax) {
    Entry* longest = nullptr;
    uint64_t since = UINT64_MAX;
    for (Entry& entry : entries_) {
      const uint64_t waiting = entry.waiting_since_micros.load(std::memory_order_relaxed);
      if (entry.evicted || waiting == 0 || waiting >= since) continue;
      since = waiting;
      longest = &entry;
    }
    if (longest == nullptr) return nullptr;
    // Its thread wakes up, finds the connection closed and removes it.
    longest->evicted = true;
    shutdown(longest->fd, SHUT_RDWR);
    --counted_;
  }
  ++counted_;
  Entry& entry = entries_.emplace_back();
  entry.fd = fd;
  entry.waiting_since_micros.store(NowMicros(), std::memory_order_relaxed);
  return &entry;
}

void Connections::Remove(Entry* entry) {
  MutexLock lock(mu_);
  if (!entry->evicted) --counted_;
  entries_.remove_if([entry](const Entry& one) { return &one == entry; });
}

void Connections::ShutDownAll() {
  MutexLock lock(mu_);
  for (const Entry& entry : entries_) shutdown(entry.fd, SHUT_RDWR);
}

}  // namespace varve::http
