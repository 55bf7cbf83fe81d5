// SPDX-License-Identifier: Apache-2.0
// What each client of a database called, when, and what it was answered, in memory that outlives
// the process that writes it: a history for a checker of linearizability.
//
//   call     interval in which it may take effect
//   -------  -----------------------------------------------------------
//   write    of the call (put, delete, range deletion, batch): all its keys at one moment
//   read     of Get, MultiGet; for an iterator or snapshot of the call that makes it, whenever the
//            values are read
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <span>

namespace varve::linearizability {

inline constexpr uint32_t kKeys = 6;
inline constexpr uint32_t kClients = 6;
inline constexpr uint32_t kCallsMax = 4000;  // Of one client.

// A key's value; 0: it has none. Each value that is written is another one.
struct KeyValue {
  uint32_t key = 0;
  uint32_t value = 0;
};

struct Call {
  uint64_t invoked = 0;   // Nanoseconds of the monotonic clock, which processes share.
  uint64_t returned = 0;  // 0: the process ended first.
  bool is_write = false;
  uint32_t count = 0;
  KeyValue values[kKeys];
};

// All calls of one history. Each client writes only its own.
class History {
 public:
  // In shared memory, empty. Valid until the process ends.
  static History* Make();

  // The next call, or null if there is no room for one. It counts from Begin() on.
  Call* Next(uint32_t client);
  void Begin(uint32_t client, Call* call);
  static void End(Call* call);

  uint32_t Count() const;
  // A client's process has ended: what had not returned by now may or may not have had an effect,
  // and has none later. Reads of which nothing is known are dropped.
  void NoteDeath();
  // One JSON object a line: {"client":1,"call":5,"return":9,"write":[[0,17]]}, or "read"; "maybe"
  // where the process ended first.
  void Print(FILE* out) const;

  std::atomic<bool> failed{false};  // A client met an error.

 private:
  struct Client {
    std::atomic<uint32_t> count;
    Call calls[kCallsMax];
    bool dropped[kCallsMax];
    bool maybe[kCallsMax];
  };

  Client clients_[kClients];
};

}  // namespace varve::linearizability
