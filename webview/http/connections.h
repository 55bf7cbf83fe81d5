// SPDX-License-Identifier: Apache-2.0
// The open connections, limited in number.
//
// A client that sends nothing occupies a slot, so when a new one connects and all slots are taken,
// the connection we have waited for longest is evicted: 200 silent clients cannot block one that
// sends requests. Only if all connections have been busy for a second, new ones are rejected.
//
// A connection is not evicted in its first moments: otherwise a burst of new ones would evict
// clients whose request is on its way or not read yet. Meanwhile new ones queue in the socket's
// backlog, and are admitted in order, 640 or more per second.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>

#include "core/base/threads/mutex.h"

namespace varve::http {

inline constexpr size_t kConnectionsMax = 32;
// How long a new connection is protected from eviction.
inline constexpr uint64_t kPatienceMicros = 50'000;
// After all connections have been busy for this long, new ones are rejected, and further ones
// within the same time are rejected immediately.
inline constexpr uint64_t kBusyMicros = 1'000'000;

// Thread-safe.
class Connections {
 public:
  // One open connection; owned by the thread that serves it.
  struct Entry {
    int fd = -1;
    uint64_t admitted_micros = 0;
    // When we began to wait for this peer to send or receive bytes, or one of the two values below.
    std::atomic<uint64_t> waiting_since_micros{kNotServedYet};
  };
  static constexpr uint64_t kAtWork = 0;
  static constexpr uint64_t kNotServedYet = UINT64_MAX;  // No thread has started serving it.

  // Null if all connections have been busy for kBusyMicros, or after Close(). Waits for that, or
  // until a connection is old enough to be evicted: at most the sum of the two times above.
  Entry* Admit(int fd);
  // Call before closing `entry->fd`.
  void Remove(Entry* entry);
  // No more connections are admitted, and waiting calls return.
  void Close();
  // Ends every transfer, so that the threads serving them return.
  void ShutDownAll();

 private:
  struct Choice {
    const Entry* evict = nullptr;  // The one waited for longest; null: none may be evicted.
    bool somebody_is_new = false;  // Some connection may be evicted soon.
  };
  Choice Choose(uint64_t now) REQUIRES(mu_);
  void Evict(const Entry* entry) REQUIRES(mu_);

  Mutex mu_;
  CondVar left_;
  std::list<Entry> entries_ GUARDED_BY(mu_);
  std::list<Entry> evicted_ GUARDED_BY(mu_);  // No longer counted.
  uint64_t refused_at_ GUARDED_BY(mu_) = 0;
  bool closing_ GUARDED_BY(mu_) = false;
};

// Of a monotonic clock.
uint64_t NowMicros();

}  // namespace varve::http
