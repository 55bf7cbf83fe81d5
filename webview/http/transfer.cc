// SPDX-License-Identifier: Apache-2.0
#include "webview/http/transfer.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace varve::http {
namespace {

constexpr size_t kPieceBytes = 64 << 10;

// False on timeout.
bool Await(int fd, short events, uint64_t deadline_micros) {
  for (;;) {
    const uint64_t now = NowMicros();
    if (now >= deadline_micros) return false;
    const int millis = static_cast<int>((deadline_micros - now + 999) / 1000);
    pollfd one = {.fd = fd, .events = events, .revents = 0};
    const int ready = poll(&one, 1, millis);
    if (ready > 0) return true;  // Also for errors, which the transfer then reports.
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace

Transfer::Outcome Transfer::Read(uint64_t deadline_micros, std::string* bytes) {
  std::array<char, 8192> buffer;
  while (Await(entry_.fd, POLLIN, deadline_micros)) {
    const ssize_t n = recv(entry_.fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n > 0) {
      bytes->append(buffer.data(), static_cast<size_t>(n));
      return Outcome::kMore;
    }
    if (n == 0 || (errno != EINTR && errno != EAGAIN)) return Outcome::kClosed;
  }
  return Outcome::kTimeout;
}

bool Transfer::Write(std::string_view bytes, uint64_t deadline_micros) {
  while (!bytes.empty()) {
    std::string_view piece = bytes.substr(0, kPieceBytes);
    bytes.remove_prefix(piece.size());
    const Waiting waiting(*this);
    const uint64_t until = std::min(deadline_micros, NowMicros() + kWriteTime);
    while (!piece.empty()) {
      // MSG_NOSIGNAL: a client that disconnects must not end the process with SIGPIPE.
      const ssize_t n = send(entry_.fd, piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n > 0) {
        piece.remove_prefix(static_cast<size_t>(n));
      } else if (n < 0 && errno != EINTR && errno != EAGAIN) {
        return false;
      } else if (!Await(entry_.fd, POLLOUT, until)) {
        return false;
      }
    }
  }
  return true;
}

std::string Transfer::PeerAddress() const {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (getpeername(entry_.fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return "";
  constexpr size_t kNetworkBytes = 8;
  if (peer.ss_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&peer);
    return std::string(reinterpret_cast<const char*>(&v6->sin6_addr), kNetworkBytes);
  }
  const auto* v4 = reinterpret_cast<const sockaddr_in*>(&peer);
  return std::string(reinterpret_cast<const char*>(&v4->sin_addr), sizeof v4->sin_addr);
}

bool Transfer::PeerGone() const {
  char byte;
  const ssize_t n = recv(entry_.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

void Transfer::LetPeerFinish() {
  constexpr uint64_t kPatience = kSecond / 2;
  constexpr size_t kBytesMax = 256 << 10;
  shutdown(entry_.fd, SHUT_WR);
  const Waiting waiting(*this);
  const uint64_t deadline = NowMicros() + kPatience;
  std::string ignored;
  while (ignored.size() < kBytesMax && Read(deadline, &ignored) == Outcome::kMore) {
  }
}

}  // namespace varve::http
