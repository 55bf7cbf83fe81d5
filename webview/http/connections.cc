// SPDX-License-Identifier: Apache-2.0
#include "webview/http/connections.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>

namespace varve::http {
namespace {

// Polling interval of Admit() for connections that may be evicted.
constexpr uint64_t kLookMicros = 5'000;

}  // namespace

uint64_t NowMicros() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

Connections::Entry* Connections::Admit(int fd) {
  MutexLock lock(mu_);
  const uint64_t begin = NowMicros();
  while (entries_.size() == kConnectionsMax) {
    if (closing_) return nullptr;
    const uint64_t now = NowMicros();
    const Choice choice = Choose(now);
    if (choice.evict != nullptr) {
      Evict(choice.evict);
    } else if (choice.somebody_is_new) {
      left_.WaitFor(mu_, kLookMicros);
    } else if (now - begin >= kBusyMicros || now - refused_at_ < kBusyMicros) {
      refused_at_ = now;
      return nullptr;
    } else {
      left_.WaitFor(mu_, kLookMicros);
    }
  }
  Entry& entry = entries_.emplace_back();
  entry.fd = fd;
  entry.admitted_micros = NowMicros();
  return &entry;
}

Connections::Choice Connections::Choose(uint64_t now) {
  Choice choice;
  uint64_t longest_since = UINT64_MAX;
  for (const Entry& entry : entries_) {
    const uint64_t since = entry.waiting_since_micros.load(std::memory_order_relaxed);
    if (since == kAtWork) continue;
    if (since == kNotServedYet || now < entry.admitted_micros + kPatienceMicros) {
      choice.somebody_is_new = true;
    } else if (since < longest_since) {
      longest_since = since;
      choice.evict = &entry;
    }
  }
  return choice;
}

// Its thread wakes up, finds the connection closed and removes it.
void Connections::Evict(const Entry* entry) {
  shutdown(entry->fd, SHUT_RDWR);
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [entry](const Entry& one) { return &one == entry; });
  evicted_.splice(evicted_.end(), entries_, at);
}

void Connections::Remove(Entry* entry) {
  MutexLock lock(mu_);
  for (std::list<Entry>* const list : {&entries_, &evicted_}) {
    list->remove_if([entry](const Entry& one) { return &one == entry; });
  }
  left_.NotifyOne();
}

void Connections::Close() {
  MutexLock lock(mu_);
  closing_ = true;
  left_.NotifyAll();
}

void Connections::ShutDownAll() {
  MutexLock lock(mu_);
  for (const std::list<Entry>* const list : {&entries_, &evicted_}) {
    for (const Entry& entry : *list) shutdown(entry.fd, SHUT_RDWR);
  }
}

}  // namespace varve::http
