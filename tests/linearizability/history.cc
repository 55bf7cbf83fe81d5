// SPDX-License-Identifier: Apache-2.0
#include "tests/linearizability/history.h"

#include <sys/mman.h>
#include <time.h>

#include <cinttypes>
#include <new>

#include "core/base/check.h"

namespace varve::linearizability {
namespace {

uint64_t Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

History* History::Make() {
  void* const bytes =
      mmap(nullptr, sizeof(History), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(bytes != MAP_FAILED);
  return new (bytes) History;
}

Call* History::Next(uint32_t client) {
  const uint32_t count = clients_[client].count.load(std::memory_order_relaxed);
  if (count == kCallsMax) return nullptr;
  Call* const call = &clients_[client].calls[count];
  *call = Call();
  return call;
}

void History::Begin(uint32_t client, Call* call) {
  call->invoked = Now();
  clients_[client].count.fetch_add(1, std::memory_order_release);
}

void History::End(Call* call) { call->returned = Now(); }

uint32_t History::Count() const {
  uint32_t count = 0;
  for (const Client& client : clients_) count += client.count.load(std::memory_order_acquire);
  return count;
}

void History::NoteDeath() {
  const uint64_t now = Now();
  for (Client& client : clients_) {
    for (uint32_t i = 0; i < client.count.load(std::memory_order_acquire); ++i) {
      Call& call = client.calls[i];
      if (call.returned != 0) continue;
      call.returned = now;
      client.maybe[i] = call.is_write;
      client.dropped[i] = !call.is_write;
    }
  }
}

void History::Print(FILE* out) const {
  for (uint32_t client = 0; client < kClients; ++client) {
    const Client& of = clients_[client];
    for (uint32_t i = 0; i < of.count.load(std::memory_order_acquire); ++i) {
      if (of.dropped[i]) continue;
      const Call& call = of.calls[i];
      fprintf(out, "{\"client\":%u,\"call\":%" PRIu64 ",\"return\":%" PRIu64 ",%s\"%s\":[", client,
              call.invoked, call.returned, of.maybe[i] ? "\"maybe\":true," : "",
              call.is_write ? "write" : "read");
      for (uint32_t k = 0; k < call.count; ++k) {
        fprintf(out, "%s[%u,%u]", k > 0 ? "," : "", call.values[k].key, call.values[k].value);
      }
      fputs("]}\n", out);
    }
  }
}

}  // namespace varve::linearizability
