// SPDX-License-Identifier: Apache-2.0
#include "webview/http/connections.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace varve::http {
namespace {

// Pairs of sockets: [0] is the server's end.
struct Pairs {
  explicit Pairs(size_t n) : pairs(n) {
    for (auto& pair : pairs) REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
  }
  ~Pairs() {
    for (const auto& pair : pairs) {
      close(pair[0]);
      close(pair[1]);
    }
  }
  bool Closed(size_t i) const {
    char byte;
    return recv(pairs[i][1], &byte, 1, MSG_DONTWAIT) == 0;
  }
  std::vector<std::array<int, 2>> pairs;
};

// Takes all slots, with the first sockets.
std::vector<Connections::Entry*> Fill(Connections* connections, const Pairs& sockets) {
  std::vector<Connections::Entry*> entries;
  for (size_t i = 0; i < kConnectionsMax; ++i) {
    entries.push_back(connections->Admit(sockets.pairs[i][0]));
    REQUIRE(entries.back() != nullptr);
  }
  return entries;
}

TEST_CASE("Connections: when all slots are taken, the one waited for longest makes room") {
  Pairs sockets(kConnectionsMax + 2);
  Connections connections;
  const std::vector<Connections::Entry*> entries = Fill(&connections, sockets);
  for (Connections::Entry* entry : entries) entry->waiting_since_micros = Connections::kAtWork;
  entries[7]->waiting_since_micros = 1;
  entries[9]->waiting_since_micros = 2;
  REQUIRE(connections.Admit(sockets.pairs[kConnectionsMax][0]) != nullptr);
  CHECK(sockets.Closed(7));
  CHECK_FALSE(sockets.Closed(9));
  REQUIRE(connections.Admit(sockets.pairs[kConnectionsMax + 1][0]) != nullptr);
  CHECK(sockets.Closed(9));
}

TEST_CASE("Connections: none is evicted before it is served, or in its first moments") {
  Pairs sockets(kConnectionsMax + 1);
  Connections connections;
  const uint64_t begin = NowMicros();
  const std::vector<Connections::Entry*> entries = Fill(&connections, sockets);
  // The first one's thread is late.
  for (size_t i = 1; i < entries.size(); ++i) entries[i]->waiting_since_micros = i;
  REQUIRE(connections.Admit(sockets.pairs.back()[0]) != nullptr);
  CHECK(NowMicros() - begin >= kPatienceMicros);
  CHECK_FALSE(sockets.Closed(0));
  CHECK(sockets.Closed(1));
}

TEST_CASE("Connections: who asks all the time makes room, too") {
  Pairs sockets(kConnectionsMax + 1);
  Connections connections;
  const std::vector<Connections::Entry*> entries = Fill(&connections, sockets);
  std::atomic<bool> done = false;
  std::thread busy([&] {
    while (!done) {
      for (Connections::Entry* entry : entries) entry->waiting_since_micros = NowMicros();
      std::this_thread::yield();
    }
  });
  CHECK(connections.Admit(sockets.pairs.back()[0]) != nullptr);
  done = true;
  busy.join();
}

TEST_CASE("Connections: nobody waits to be admitted when it ends") {
  Pairs sockets(kConnectionsMax + 1);
  Connections connections;
  Fill(&connections, sockets);
  connections.Close();  // Else it would wait for a first one to be served.
  CHECK(connections.Admit(sockets.pairs.back()[0]) == nullptr);
}

TEST_CASE("Connections: when everybody is at work, the new one is turned away until one leaves") {
  Pairs sockets(kConnectionsMax + 1);
  Connections connections;
  const std::vector<Connections::Entry*> entries = Fill(&connections, sockets);
  for (Connections::Entry* entry : entries) entry->waiting_since_micros = Connections::kAtWork;
  CHECK(connections.Admit(sockets.pairs.back()[0]) == nullptr);
  connections.Remove(entries.back());
  CHECK(connections.Admit(sockets.pairs.back()[0]) != nullptr);
}

}  // namespace
}  // namespace varve::http
