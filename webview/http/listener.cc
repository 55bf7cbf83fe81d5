// SPDX-License-Identifier: Apache-2.0
#include "webview/http/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/try.h"
#include "core/fs/file_descriptor.h"

namespace varve::http {
namespace {

constexpr int kBacklog = 256;

Status Failed(const std::string& address, uint16_t port) {
  const int error = errno;
  const std::string where = address + " port " + std::to_string(port) + ": ";
  if (error == EADDRINUSE) return Status::Busy(where + "another program listens there already");
  if (error == EADDRNOTAVAIL)
    return Status::InvalidArgument(where + "not an address of this machine");
  return Status::IoError(where + std::strerror(error));
}

}  // namespace

Result<Listener> Listener::Open(const std::string& address, uint16_t port) {
  Listener listener;
  listener.port_ = port;
  listener.interrupt_ = AboveStandardDescriptors(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (listener.interrupt_ < 0)
    return Status::IoError(std::string("eventfd: ") + std::strerror(errno));
  if (!address.empty()) {
    const int family = address.find(':') == std::string::npos ? AF_INET : AF_INET6;
    RETURN_IF_ERROR(listener.Listen(family, address));
    return listener;
  }
  RETURN_IF_ERROR(listener.Listen(AF_INET, "127.0.0.1"));
  // Works without IPv6, and if another program has the port there.
  listener.Listen(AF_INET6, "::1").Ignore("127.0.0.1 is the address that is printed");
  return listener;
}

Listener::Listener(Listener&& other) noexcept
    : sockets_(std::move(other.sockets_)),
      interrupt_(std::exchange(other.interrupt_, -1)),
      port_(other.port_) {
  other.sockets_.clear();
}

Listener::~Listener() {
  for (const int socket : sockets_) close(socket);
  if (interrupt_ >= 0) close(interrupt_);
}

Status Listener::Listen(int family, const std::string& address) {
  sockaddr_storage storage = {};
  socklen_t size = 0;
  if (family == AF_INET) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(&storage);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port_);
    if (inet_pton(AF_INET, address.c_str(), &v4->sin_addr) != 1) {
      return Status::InvalidArgument("'" + address +
                                     "' is not an address like 192.168.1.10 or ::1");
    }
    size = sizeof(*v4);
  } else {
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port_);
    if (inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) != 1) {
      return Status::InvalidArgument("'" + address +
                                     "' is not an address like 192.168.1.10 or ::1");
    }
    size = sizeof(*v6);
  }
  const int fd =
      AboveStandardDescriptors(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (fd < 0) return Failed(address, port_);
  sockets_.push_back(fd);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  if (bind(fd, reinterpret_cast<sockaddr*>(&storage), size) != 0 || listen(fd, kBacklog) != 0) {
    const Status failed = Failed(address, port_);
    close(fd);
    sockets_.pop_back();
    return failed;
  }
  if (port_ != 0) return Status::Ok();
  size = sizeof(storage);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0)
    return Failed(address, port_);
  port_ = ntohs(family == AF_INET ? reinterpret_cast<sockaddr_in*>(&storage)->sin_port
                                  : reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port);
  return Status::Ok();
}

void Listener::Run(const std::function<void(int fd)>& take) {
  std::vector<pollfd> waits = {{.fd = interrupt_, .events = POLLIN, .revents = 0}};
  for (const int socket : sockets_) waits.push_back({.fd = socket, .events = POLLIN, .revents = 0});
  for (;;) {
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
    if (waits[0].revents != 0) return;
    for (size_t i = 1; i < waits.size(); ++i) {
      if ((waits[i].revents & POLLIN) == 0) continue;
      const int fd = AboveStandardDescriptors(accept4(waits[i].fd, nullptr, nullptr, SOCK_CLOEXEC));
      if (fd >= 0) {
        const int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        take(fd);
      } else if (errno == EMFILE || errno == ENFILE) {
        poll(waits.data(), 1, 10);  // No descriptor is free: wait instead of spinning.
      }
    }
  }
}

void Listener::Interrupt() {
  const uint64_t one = 1;
  // Cannot fail: the counter cannot overflow.
  [[maybe_unused]] const ssize_t written = write(interrupt_, &one, sizeof(one));
}

}  // namespace varve::http
