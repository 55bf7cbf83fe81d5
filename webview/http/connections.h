// SPDX-License-Identifier: Apache-2.0
// The connections that are open, of which there is a bounded number.
//
// A client that sends nothing costs a slot and no work, so when a new one comes and all slots are
// taken, the one that has kept us waiting longest makes room: 200 silent clients do not keep the
// one that speaks from being served. Only when nobody is waited for, for a second, are new ones
// turned away.
//
// Nobody makes room in the first moments of its connection: else a burst of new ones would throw
// out a client whose request is on its way, or has come and is not read yet. The new ones queue up
// in the socket's backlog meanwhile, and are admitted in their order, 640 or more a second.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>

#include "core/base/mutex.h"

namespace varve::http {

inline constexpr size_t kConnectionsMax = 32;
// How long a connection is left alone after it was admitted, however many others come.
inline constexpr uint64_t kPatienceMicros = 50'000;
// After being at work for everybody for so long new ones are turned away, and at once within so
// long after that.
inline constexpr uint64_t kBusyMicros = 1'000'000;

// Thread-safe.
class Connections {
 public:
  // One open connection; owned by the thread that serves it.
  struct Entry {
    int fd = -1;
    uint64_t admitted_micros = 0;
    // When we began to wait for this peer to send or to take bytes, or one of the two below.
    std::atomic<uint64_t> waiting_since_micros{kNotServedYet};
  };
  static constexpr uint64_t kAtWork = 0;
  static constexpr uint64_t kNotServedYet = UINT64_MAX;  // No thread has looked at it.

  // Null if all slots are taken by connections that are being worked for, and were for kBusyMicros,
  // or after Close(). Waits for that, or for some connection to be old enough to make room: at most
  // the two times above.
  Entry* Admit(int fd);
  // Before `entry->fd` is closed.
  void Remove(Entry* entry);
  // Nobody is admitted any more, or waits to be.
  void Close();
  // Ends every transfer, so that the threads that serve them come to an end.
  void ShutDownAll();

 private:
  struct Choice {
    const Entry* evict = nullptr;  // Who is waited for longest; null: nobody may make room.
    bool somebody_is_new = false;  // Who may, soon.
  };
  Choice Choose(uint64_t now) REQUIRES(mu_);
  void Evict(const Entry* entry) REQUIRES(mu_);

  Mutex mu_;
  CondVar left_;
  std::list<Entry> entries_ GUARDED_BY(mu_);
  std::list<Entry> evicted_ GUARDED_BY(mu_);  // Do not count any more.
  uint64_t refused_at_ GUARDED_BY(mu_) = 0;
  bool closing_ GUARDED_BY(mu_) = false;
};

// Of a clock that only goes forward.
uint64_t NowMicros();

}  // namespace varve::http
