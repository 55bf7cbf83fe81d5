// SPDX-License-Identifier: Apache-2.0
#include "webview/http/access.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "core/base/try.h"
#include "webview/api/json/json.h"
#include "webview/api/routing/problem.h"
#include "webview/http/password.h"
#include "webview/http/token.h"
#include "webview/http/transfer.h"

namespace varve::http {
namespace {

// What follows the scheme of the Authorization header, in any case of letters.
std::optional<std::string_view> CredentialOf(const RequestHead& head, std::string_view scheme) {
  const std::string* authorization = head.Find("authorization");
  if (authorization == nullptr) return std::nullopt;
  const std::string_view text = *authorization;
  if (LowerCase(text.substr(0, scheme.size())) != scheme) return std::nullopt;
  return text.substr(scheme.size());
}

// Changes when the file is written or replaced; empty: there is none.
std::string StampOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return "";
  std::string stamp;
  for (const auto number :
       {static_cast<uint64_t>(info.st_dev), static_cast<uint64_t>(info.st_ino),
        static_cast<uint64_t>(info.st_size), static_cast<uint64_t>(info.st_mode),
        static_cast<uint64_t>(info.st_mtim.tv_sec), static_cast<uint64_t>(info.st_mtim.tv_nsec),
        static_cast<uint64_t>(info.st_ctim.tv_sec), static_cast<uint64_t>(info.st_ctim.tv_nsec)}) {
    stamp += std::to_string(number) + " ";
  }
  return stamp;
}

Result<std::vector<User>> ReadUsers(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadUsersText(path));
  Result<std::vector<User>> users = ParseUsers(text);
  if (!users.ok()) return users.status().At(path);
  return users;
}

bool HavePasswords(const std::vector<User>& users) {
  return std::any_of(users.begin(), users.end(),
                     [](const User& user) { return !user.password.empty(); });
}

struct SignInBody {
  std::string name, password;
};

std::optional<SignInBody> ReadSignIn(const std::string& body) {
  const api::Json json = api::ParseJson(body, api::Members::kOnce);
  if (!json.is_object() || json.size() != 2) return std::nullopt;
  const auto name = json.find("name"), password = json.find("password");
  if (name == json.end() || password == json.end()) return std::nullopt;
  if (!name->is_string() || !password->is_string()) return std::nullopt;
  return SignInBody{*name, *password};
}

api::Response TooOften(uint64_t seconds) {
  api::Response response = api::Problem("rate_limited", "too many passwords are tried; wait " +
                                                            std::to_string(seconds) + " seconds")
                               .WithStatus(429)
                               .ToResponse();
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

}  // namespace

Access::Access(std::string_view token) : users_(std::make_shared<const Users>(OneUser(token))) {}

Result<std::unique_ptr<Access>> Access::OfFile(std::string path,
                                               std::function<void(const std::string&)> note) {
  auto access = std::unique_ptr<Access>(new Access());
  access->path_ = std::move(path);
  access->note_ = std::move(note);
  std::string stamp = StampOf(access->path_);
  ASSIGN_OR_RETURN(Users users, ReadUsers(access->path_));
  if (users.empty()) {
    return Status::InvalidArgument(access->path_ +
                                   ": there is no user in it; see: varve users add");
  }
  ASSIGN_OR_RETURN(const std::string secret, MakeToken());
  Result<std::string> hash = HashPassword(secret);
  if (hash.ok()) access->no_password_ = *std::move(hash);
  if (!hash.ok() && HavePasswords(users)) return hash.status().At(access->path_);
  MutexLock lock(access->mu_);
  access->stamp_ = std::move(stamp);
  access->users_ = std::make_shared<const Users>(std::move(users));
  return access;
}

std::shared_ptr<const Access::Users> Access::Current() {
  std::string failed;
  std::shared_ptr<const Users> users;
  {
    const std::string stamp = path_.empty() ? "" : StampOf(path_);
    MutexLock lock(mu_);
    if (path_.empty() || stamp == stamp_) return users_;
    stamp_ = stamp;
    Result<Users> read = ReadUsers(path_);
    if (read.ok()) {
      users_ = std::make_shared<const Users>(*std::move(read));
      sessions_.EndUnless([this](const Sessions::Holder& holder) REQUIRES(mu_) {
        const User* user = FindByName(*users_, holder.user);
        return user != nullptr && user->password == holder.proof;
      });
    } else {
      failed = read.status().message();
    }
    users = users_;
  }
  if (!failed.empty() && note_) note_(failed + "; the users stay as they were");
  return users;
}

std::optional<std::string> Access::CookieOf(const RequestHead& head) const {
  const std::string* header = head.Find("cookie");
  if (header == nullptr) return std::nullopt;
  std::optional<std::string> found;
  std::string_view rest = *header;
  while (!rest.empty()) {
    std::string_view one = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (!one.starts_with(cookie_name_ + "=")) continue;
    if (found) return std::nullopt;  // Somebody has set another beside ours.
    found = one.substr(cookie_name_.size() + 1);
  }
  return found;
}

std::optional<Refusal> Access::Identify(const RequestHead& head, bool used, api::Caller* caller) {
  const std::shared_ptr<const Users> users = Current();
  const bool sign_in = HavePasswords(*users);
  const auto refusal = [sign_in](const char* why) {
    return Refusal{.status = 401, .code = "unauthorized", .why = why, .sign_in = sign_in};
  };
  const User* user = nullptr;
  if (const auto token = CredentialOf(head, "bearer ")) {
    user = FindByToken(*users, *token);
    if (user == nullptr) return refusal("that is not a token of this server");
  } else if (const auto key = CredentialOf(head, "session ")) {
    const std::optional<std::string> cookie = CookieOf(head);
    const auto holder = cookie ? sessions_.Find(*cookie, *key, NowMicros(), used) : std::nullopt;
    if (holder) user = FindByName(*users, holder->user);
    if (user == nullptr || user->password != holder->proof) {
      return refusal("the session has ended; sign in again");
    }
  } else {
    return refusal(
        sign_in ? "sign in, or send a token as 'Authorization: Bearer TOKEN'"
                : "send the token that was printed at the start as 'Authorization: Bearer TOKEN'");
  }
  *caller = user->caller;
  return std::nullopt;
}

bool Access::IsStill(const RequestHead& head, const api::Caller& caller) {
  api::Caller now;
  return !Identify(head, /*used=*/false, &now) && now.name == caller.name &&
         now.rights == caller.rights;
}

bool Access::OffersSignIn() { return HavePasswords(*Current()); }

bool Access::IsAboutSession(const RequestHead& head) {
  return head.path() == kSessionPath && (head.method == "POST" || head.method == "DELETE") &&
         OffersSignIn();
}

Result<SessionSecrets> Access::Verify(const std::string& name, const std::string& password) {
  const std::shared_ptr<const Users> users = Current();
  const User* user = FindByName(*users, name);
  const bool has_password = user != nullptr && !user->password.empty();
  const bool right = IsPassword(has_password ? user->password : no_password_, password);
  if (has_password && right) return sessions_.Begin(name, user->password, NowMicros());
  return Status::InvalidArgument("the name or the password is wrong");
}

api::Response Access::SignIn(const std::string& body, const std::string& address) {
  const std::optional<SignInBody> given = ReadSignIn(body);
  if (!given) {
    return api::Problem("bad_request", R"(the body must be {"name":"…","password":"…"})")
        .ToResponse();
  }
  const uint64_t now = NowMicros();
  const std::string name = HashToken(given->name);  // Of any length.
  if (const uint64_t wait = throttle_.Try(name, address, now); wait > 0) return TooOften(wait);
  if (!verifying_.try_acquire()) {
    throttle_.TakeBack(name, address, now);
    return TooOften(1);
  }
  const std::unique_ptr<std::counting_semaphore<>, void (*)(std::counting_semaphore<>*)> release(
      &verifying_, [](std::counting_semaphore<>* slots) { slots->release(); });
  const Result<SessionSecrets> session = Verify(given->name, given->password);
  if (!session.ok()) {
    const bool wrong = session.status().code() == Code::kInvalidArgument;
    return (wrong ? api::Problem("unauthorized", std::string(session.status().message()))
                  : api::Problem(session.status()))
        .ToResponse();
  }
  throttle_.TakeBack(name, address, now);
  return {.status = 201,
          .headers = {{"Content-Type", std::string(api::kJsonType)},
                      {"Set-Cookie", cookie_name_ + "=" + session->cookie +
                                         "; HttpOnly; SameSite=Strict; Path=/api/; Max-Age=" +
                                         std::to_string(kSessionSeconds)}},
          .body = api::Dump({{"schema", "varve.session/1"},
                             {"user", given->name},
                             {"key", session->key},
                             {"seconds", kSessionSeconds}}) +
                  "\n"};
}

api::Response Access::SignOut(const RequestHead& head) {
  if (const std::optional<std::string> cookie = CookieOf(head)) sessions_.End(*cookie);
  return {.status = 204,
          .headers = {{"Set-Cookie",
                       cookie_name_ + "=; HttpOnly; SameSite=Strict; Path=/api/; Max-Age=0"}}};
}

}  // namespace varve::http
