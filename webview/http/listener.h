// SPDX-License-Identifier: Apache-2.0
// The sockets that connections come in at: 127.0.0.1 and ::1 on one port, or the one address that
// the user named.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "varve/result.h"

namespace varve::http {

// One thread, but for Interrupt().
class Listener {
 public:
  // `address` empty: loopback, on both families where the machine has both. Otherwise a numeric
  // address. `port` 0: any that is free.
  static Result<Listener> Open(const std::string& address, uint16_t port);
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  uint16_t port() const { return port_; }

  // Hands each new connection's descriptor, close-on-exec, to `take`, until Interrupt().
  void Run(const std::function<void(int fd)>& take);
  // From any thread: Run() returns.
  void Interrupt();

 private:
  Listener() = default;
  Status Listen(int family, const std::string& address);

  std::vector<int> sockets_;
  int interrupt_ = -1;  // An eventfd.
  uint16_t port_ = 0;
};

}  // namespace varve::http
