// SPDX-License-Identifier: Apache-2.0
#include "webview/http/guard.h"

#include <algorithm>
#include <array>

namespace varve::http {
namespace {

constexpr std::array<std::string_view, 5> kServed = {"GET", "HEAD", "POST", "PATCH", "DELETE"};

Refusal Forbidden(std::string why) { return {403, "forbidden", std::move(why)}; }

std::optional<Refusal> CheckHost(const GuardRules& rules, const RequestHead& head) {
  const std::string* host = head.Find("host");
  if (host == nullptr) return Forbidden("there is no Host header");
  const std::string name = LowerCase(*host);
  if (std::find(rules.hosts.begin(), rules.hosts.end(), name) == rules.hosts.end()) {
    return Forbidden("this server does not go by that name; use the address that it printed");
  }
  if (!head.authority.empty() && LowerCase(head.authority) != name) {
    return Forbidden("the address and the Host header name different hosts");
  }
  return std::nullopt;
}

std::optional<Refusal> CheckSite(const RequestHead& head) {
  const std::string* site = head.Find("sec-fetch-site");
  if (site != nullptr && *site != "same-origin" && *site != "none") {
    return Forbidden("another site's page asked for this");
  }
  const std::string* origin = head.Find("origin");
  if (origin != nullptr && *origin != "http://" + LowerCase(*head.Find("host"))) {
    return Forbidden("a page of another origin asked for this");
  }
  return std::nullopt;
}

std::optional<Refusal> CheckWrite(const GuardRules& rules, const RequestHead& head) {
  const bool upload = IsUpload(head);
  if (rules.write || (head.method != "PATCH" && !upload)) return std::nullopt;
  return Refusal{403, "read_only",
                 upload ? "this server takes no files; it was started without --write"
                        : "this server only shows; start it with --write to change things"};
}

std::optional<Refusal> CheckBody(const RequestHead& head) {
  if (head.method != "POST" && head.method != "PATCH") return std::nullopt;
  if (IsUpload(head) && head.path() != kSessionPath) return std::nullopt;
  const std::string* type = head.Find("content-type");
  const std::string name = type == nullptr ? "" : LowerCase(*type);
  const bool json = name == "application/json" || name == "application/json; charset=utf-8" ||
                    name == "application/json;charset=utf-8" ||
                    (head.method == "PATCH" && name == "application/merge-patch+json");
  if (json) return std::nullopt;
  return Refusal{415, "unsupported_media_type",
                 head.method + " takes Content-Type: application/json only"};
}

}  // namespace

std::vector<std::string> AllowedHosts(const std::string& address, uint16_t port) {
  const std::string colon_port = ":" + std::to_string(port);
  std::vector<std::string> hosts;
  for (const std::string name : {"127.0.0.1", "localhost", "[::1]"}) {
    hosts.push_back(name + colon_port);
    if (port == 80) hosts.push_back(name);  // Browsers omit the default port.
  }
  if (!address.empty()) {
    const bool v6 = address.find(':') != std::string::npos;
    hosts.push_back((v6 ? "[" + LowerCase(address) + "]" : LowerCase(address)) + colon_port);
  }
  return hosts;
}

bool IsProtected(std::string_view path) {
  return path == "/api" || path.starts_with("/api/") || path == "/metrics";
}

std::optional<Refusal> CheckRequest(const GuardRules& rules, const RequestHead& head,
                                    api::Caller* caller) {
  if (auto refusal = CheckHost(rules, head)) return refusal;
  if (auto refusal = CheckSite(head)) return refusal;
  if (std::find(kServed.begin(), kServed.end(), head.method) == kServed.end()) {
    return Refusal{405, "method_not_allowed", head.method + " is not taken here"};
  }
  if (!IsProtected(head.path())) {
    if (head.method == "GET" || head.method == "HEAD") return std::nullopt;
    return Refusal{405, "method_not_allowed", "pages are only read: GET or HEAD"};
  }
  const bool signs_in = head.method == "POST" && rules.access->IsAboutSession(head);
  if (!signs_in) {
    if (auto refusal = rules.access->Identify(head, /*used=*/true, caller)) return refusal;
  }
  if (auto refusal = CheckWrite(rules, head)) return refusal;
  return CheckBody(head);
}

}  // namespace varve::http
