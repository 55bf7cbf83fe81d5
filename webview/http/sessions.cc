// SPDX-License-Identifier: Apache-2.0
#include "webview/http/sessions.h"

#include <algorithm>

#include "core/base/try.h"
#include "webview/http/token.h"
#include "webview/http/transfer.h"
#include "webview/http/users.h"

namespace varve::http {
namespace {

Result<std::string> MakeSecret() {
  ASSIGN_OR_RETURN(std::string secret, MakeToken());
  ASSIGN_OR_RETURN(const std::string more, MakeToken());
  return secret + more;
}

}  // namespace

Result<SessionSecrets> Sessions::Begin(const std::string& user, const std::string& proof,
                                       uint64_t now) {
  SessionSecrets secrets;
  ASSIGN_OR_RETURN(secrets.cookie, MakeSecret());
  ASSIGN_OR_RETURN(secrets.key, MakeSecret());
  MutexLock lock(mu_);
  Sweep(now);
  MakeRoom(user);
  sessions_[HashToken(secrets.cookie)] = {
      .holder = {user, proof}, .key_hash = HashToken(secrets.key), .begun = now, .used = now};
  return secrets;
}

std::optional<Sessions::Holder> Sessions::Find(std::string_view cookie, std::string_view key,
                                               uint64_t now, bool used) {
  const std::string key_hash = HashToken(key);
  MutexLock lock(mu_);
  Sweep(now);
  const auto found = sessions_.find(HashToken(cookie));
  if (found == sessions_.end() || !TokensEqual(found->second.key_hash, key_hash)) {
    return std::nullopt;
  }
  if (used) found->second.used = std::max(found->second.used, now);  // Threads overtake others.
  return found->second.holder;
}

void Sessions::End(std::string_view cookie) {
  MutexLock lock(mu_);
  sessions_.erase(HashToken(cookie));
}

void Sessions::EndUnless(const std::function<bool(const Holder&)>& stays) {
  MutexLock lock(mu_);
  std::erase_if(sessions_, [&](const auto& entry) { return !stays(entry.second.holder); });
}

void Sessions::Sweep(uint64_t now) {
  std::erase_if(sessions_, [now](const auto& entry) {
    const Session& session = entry.second;
    return now >= session.begun + kSessionSeconds * kSecond ||
           now >= session.used + kSessionIdleSeconds * kSecond;
  });
}

void Sessions::MakeRoom(const std::string& user) {
  size_t count = 0;
  auto oldest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    if (at->second.holder.user != user) continue;
    ++count;
    if (oldest == sessions_.end() || at->second.used < oldest->second.used) oldest = at;
  }
  if (count >= kOfUserMax) sessions_.erase(oldest);
}

}  // namespace varve::http
