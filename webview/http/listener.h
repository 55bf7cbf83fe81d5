// SPDX-License-Identifier: Apache-2.0
// The listening sockets: 127.0.0.1 and ::1 on one port, or the one address given by the user.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "varve/result.h"

namespace varve::http {

// One thread, except Interrupt().
class Listener {
 public:
  // `address` empty: loopback, for both address families if available. Otherwise a numeric address.
  // `port` 0: any free one.
  static Result<Listener> Open(const std::string& address, uint16_t port);
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  uint16_t port() const { return port_; }

  // Passes the descriptor of each new connection, close-on-exec, to `take`, until Interrupt().
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
