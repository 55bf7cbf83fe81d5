// SPDX-License-Identifier: Apache-2.0
// The connections that are open, of which there is a bounded number.
//
// A client that sends nothing costs a slot and no work, so when a new one comes and all slots are
// taken, the one that has kept us waiting longest makes room: 200 silent clients do not keep the
// one that speaks from being served. Only when nobody is waited for is the new one turned away.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>

#include "core/base/mutex.h"

namespace varve::http {

inline constexpr size_t kConnectionsMax = 32;

// Thread-safe.
class Connections {
 public:
  // One open connection; owned by the thread that serves it.
  struct Entry {
    int fd = -1;
    bool evicted = false;  // Guarded by the table's mutex: does not count any more.
    // When we began to wait for this peer to send or to take bytes; 0: we do not.
    std::atomic<uint64_t> waiting_since_micros{0};
  };

  // Null if all slots are taken by connections that are being worked for. The entry counts as
  // waited for until its thread says otherwise.
  Entry* Admit(int fd);
  // Before `entry->fd` is closed.
  void Remove(Entry* entry);
  // Ends every transfer, so that the threads that serve them come to an end.
  void ShutDownAll();

 private:
  Mutex mu_;
  std::list<Entry> entries_ GUARDED_BY(mu_);
  size_t counted_ GUARDED_BY(mu_) = 0;
};

// Of a clock that only goes forward.
uint64_t NowMicros();

}  // namespace varve::http
