// SPDX-License-Identifier: Apache-2.0
// Transfers bytes from and to one client, with time limits. The only code that accesses a connected
// socket.
//
//   head 5 s | body 5 s | idle between requests 15 s | 10 s for each 64 KiB that the client takes,
//   or brings in an upload
//
// The limits apply to whole phases, not to single bytes: one byte every four seconds is also too
// slow.
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
inline constexpr uint64_t kPieceTime = 10 * kSecond;
inline constexpr uint64_t kRequestTime = 30 * kSecond;

// Used only by the thread that serves the connection.
class Transfer {
 public:
  explicit Transfer(Connections::Entry* entry) : entry_(*entry) {}

  enum class Outcome : uint8_t { kMore, kClosed, kTimeout };
  // Appends the available bytes, at least one.
  Outcome Read(uint64_t deadline_micros, std::string* bytes);
  // Sends all of it, or returns false.
  bool Write(std::string_view bytes, uint64_t deadline_micros);

  // The other end, without its port; of IPv6 the network, since a host has many addresses there.
  std::string PeerAddress() const;
  // The client has closed its side or disconnected.
  bool PeerGone() const;
  // After an answer that the client may not have waited for: closing immediately would make the
  // system reset the connection and discard the answer.
  void LetPeerFinish();

  // Marks the time during which we wait for the client (see Connections).
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
