// SPDX-License-Identifier: Apache-2.0
// Access control: the checks between parsing a request and routing it. Pure.
//
//   1. Host is one of ours, letter for letter       else 403   (a page that had its name rebound
//   2. an absolute address names the same host      else 403    to 127.0.0.1 still sends its own)
//   3. Sec-Fetch-Site, if there: same-origin, none  else 403   (another site's page asks)
//   4. Origin, if there: this host's                else 403
//   5. the method is one of ours                    else 405   (OPTIONS too: there is no CORS)
//   6. /api and /metrics: Authorization (access.h)  else 401   (but of who signs in)
//   7. PATCH and uploads: allowed at all            else 403 read_only
//   8. a body is application/json                   else 415   (a form cannot send that)
//      or application/octet-stream, which only writers may send
//
// What a user has the right to, the API checks (webview/api/routing/rights.h).
//
// The first failed check decides, and checks 1-4 apply to the page and its scripts as well, so that
// a stranger learns nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webview/http/access.h"
#include "webview/http/request_head.h"

namespace varve::http {

struct GuardRules {
  std::vector<std::string> hosts;  // "127.0.0.1:8420", in lower case.
  Access* access = nullptr;        // Must outlive the server.
  bool write = false;              // Whether PATCH and uploads may be passed on.
};

// The host names accepted by a server on `port`. `address`, if not empty, is an additional one that
// it listens on.
std::vector<std::string> AllowedHosts(const std::string& address, uint16_t port);

// Why the request is refused; nullopt: it is allowed, and of a protected path `caller` is who asks.
std::optional<Refusal> CheckRequest(const GuardRules& rules, const RequestHead& head,
                                    api::Caller* caller);

// Whether the path needs the token: everything that reveals anything about a database.
bool IsProtected(std::string_view path);

}  // namespace varve::http
