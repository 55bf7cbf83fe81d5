// SPDX-License-Identifier: Apache-2.0
// Who has signed in. A session has two secrets: the browser keeps the one in a cookie that no
// script can read, the page keeps the other, which belongs to its origin alone. Cookies go to every
// port of a host, so another server of this machine may see the one, but not both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/threads/mutex.h"
#include "varve/result.h"

namespace varve::http {

inline constexpr uint64_t kSessionSeconds = 12 * 3600;
inline constexpr uint64_t kSessionIdleSeconds = 3600;

struct SessionSecrets {
  std::string cookie;  // 256 random bits in hex.
  std::string key;     // Likewise.
};

// Times are those of a monotonic clock, in microseconds. Thread-safe.
class Sessions {
 public:
  static constexpr size_t kOfUserMax = 16;  // The one that was idle for longest makes room.

  // `proof`: what the user has shown, with which the session ends: the hash of the password.
  Result<SessionSecrets> Begin(const std::string& user, const std::string& proof, uint64_t now)
      EXCLUDES(mu_);
  struct Holder {
    std::string user, proof;
  };
  // `used`: a request came, so that it is not idle.
  std::optional<Holder> Find(std::string_view cookie, std::string_view key, uint64_t now, bool used)
      EXCLUDES(mu_);
  void End(std::string_view cookie) EXCLUDES(mu_);
  // Those of users who are gone, or have another proof.
  void EndUnless(const std::function<bool(const Holder&)>& stays) EXCLUDES(mu_);

 private:
  struct Session {
    Holder holder;
    std::string key_hash;
    uint64_t begun, used;
  };
  void Sweep(uint64_t now) REQUIRES(mu_);
  void MakeRoom(const std::string& user) REQUIRES(mu_);

  Mutex mu_;
  // By the hash of the cookie: how long it takes to find one says nothing of another.
  std::map<std::string, Session, std::less<>> sessions_ GUARDED_BY(mu_);
};

}  // namespace varve::http
