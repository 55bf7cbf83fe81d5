// SPDX-License-Identifier: Apache-2.0
// Who asks: by a token, or by the session that a name and a password have begun.
//
//   Authorization: Bearer TOKEN
//   Authorization: Session KEY, with the cookie that POST /api/v1/session has set
//
// A cookie alone counts for nothing: pages of other origins make browsers send it, but cannot send
// an Authorization header, since browsers ask for permission first (OPTIONS), which is refused.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/result.h"
#include "webview/api/routing/request.h"
#include "webview/api/routing/response.h"
#include "webview/http/request_head.h"
#include "webview/http/sessions.h"
#include "webview/http/throttle.h"
#include "webview/http/users.h"

namespace varve::http {

inline constexpr std::string_view kSessionPath = "/api/v1/session";
inline constexpr int kVerifyingMax = 2;  // Passwords at the same time.

// Thread-safe.
class Access {
 public:
  // Of the one user who has started the program.
  explicit Access(std::string_view token);
  // Of the users in the file at `path`, which is read again whenever it has changed. One that makes
  // no sense changes nothing, and `note` is told so. InvalidArgument, IoError.
  static Result<std::unique_ptr<Access>> OfFile(std::string path,
                                                std::function<void(const std::string&)> note);

  // Of a server on that port: cookies are not separated by port, but by name.
  void SetPort(uint16_t port) { cookie_name_ = "varve-session-" + std::to_string(port); }

  // Who asks. `used`: by a request, and not by an answer that goes on.
  std::optional<Refusal> Identify(const RequestHead& head, bool used, api::Caller* caller);
  // Whether it is still that one, with the same rights.
  bool IsStill(const RequestHead& head, const api::Caller& caller);

  // Whether there are users who sign in.
  bool OffersSignIn();
  // Whether the request is to be answered by the next two, and not by the API.
  bool IsAboutSession(const RequestHead& head);
  // POST {"name":…,"password":…}, from that address.
  api::Response SignIn(const std::string& body, const std::string& address);
  api::Response SignOut(const RequestHead& head);

 private:
  using Users = std::vector<User>;
  Access() = default;
  std::shared_ptr<const Users> Current() EXCLUDES(mu_);
  std::optional<std::string> CookieOf(const RequestHead& head) const;
  Result<SessionSecrets> Verify(const std::string& name, const std::string& password);

  std::string path_;  // Empty: there is no file.
  std::function<void(const std::string&)> note_;
  std::string cookie_name_;
  std::string no_password_;  // A hash to compare with where there is none.
  Sessions sessions_;
  Throttle throttle_;
  std::counting_semaphore<> verifying_{kVerifyingMax};
  Mutex mu_;
  std::string stamp_ GUARDED_BY(mu_);  // Of the file when it was last read.
  std::shared_ptr<const Users> users_ GUARDED_BY(mu_);
};

}  // namespace varve::http
