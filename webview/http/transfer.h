// SPDX-License-Identifier: Apache-2.0
// Bytes from and to one client, each wait with an end. The only place that touches a connected
// socket.
//
//   head 5 s | body 5 s | idle between requests 15 s | 10 s for each 64 KiB that the client takes
//
// The times are for the whole of a phase, not for a byte of it: one byte every four seconds is
// slow, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "webview/http/connections.h"

namespace varve::http {

inline constexpr uint64_t kSecond = 1'000'000;  // Microseconds.
inline constexpr uint64_t kHeadTime = 5 * kSecond;
inline constexpr uint64_t kBodyTime = 5 * kSecond;
inline constexpr uint64_t kIdleTime = 15 * kSecond;
inline constexpr uint64_t kWriteTime = 10 * kSecond;
inline constexpr uint64_t kRequestTime = 30 * kSecond;

// One thread: the one that serves the connection.
class Transfer {
 public:
  explicit Transfer(Connections::Entry* entry) : entry_(*entry) {}

  enum class Outcome : uint8_t { kMore, kClosed, kTimeout };
  // Appends what there is, at least a byte.
  Outcome Read(uint64_t deadline_micros, std::string* bytes);
  // All of it, or false.
  bool Write(std::string_view bytes, uint64_t deadline_micros);

  // The client has closed its side, or is gone.
  bool PeerGone() const;
  // After an answer that the client may not have waited for: closing at once would make the system
  // reset the connection and take the answer away from it.
  void LetPeerFinish();

  // While it lives the client is waited for (see Connections).
  class Waiting {
   public:
    explicit Waiting(Transfer& transfer) : since_(transfer.entry_.waiting_since_micros) {
      since_.store(NowMicros(), std::memory_order_relaxed);
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() { since_.store(Connections::kAtWork, std::memory_order_relaxed); }

   private:
    std::atomic<uint64_t>& since_;
  };

 private:
  Connections::Entry& entry_;
};

}  // namespace varve::http
