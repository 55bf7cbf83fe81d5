// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/router.h"

#include <algorithm>
#include <exception>
#include <new>

#include "core/base/hash/hash.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/json/recovery_json.h"
#include "webview/api/routing/call.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

constexpr size_t kBodyBytesMax = 64 << 10;
constexpr int kAttemptsMax = 3;
constexpr int kPartialExit = 7;

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; };
           return lower(x) == lower(y);
         });
}

// Matches "/targets/{t}/cfs/{cf}:multiget" against decoded segments.
bool Matches(std::string_view pattern, std::span<const std::string> path, Call::PathParts* parts) {
  parts->clear();
  for (const std::string& segment : path) {
    if (pattern.empty()) return false;
    pattern.remove_prefix(1);  // '/'
    const std::string_view expected = pattern.substr(0, pattern.find('/'));
    pattern.remove_prefix(expected.size());
    if (!expected.starts_with('{')) {
      if (segment != expected) return false;
      continue;
    }
    const size_t close = expected.find('}');
    const std::string_view verb = expected.substr(close + 1);
    if (segment.size() <= verb.size() || !segment.ends_with(verb)) return false;
    parts->emplace_back(expected.substr(1, close - 1),
                        segment.substr(0, segment.size() - verb.size()));
  }
  return pattern.empty() || pattern == "/";
}

struct Found {
  const Route* route;
  Call::PathParts parts;
};

Answer<Found> FindRoute(const Uri& uri, std::string_view method) {
  const Problem nothing("resource_not_found",
                        "the API has no such resource; GET /api/v1/ lists it");
  if (uri.path.size() < 2 || uri.path[0] != "api" || uri.path[1] != "v1") return nothing;
  const std::span<const std::string> path = std::span(uri.path).subspan(2);
  Call::PathParts parts;
  std::string allowed;
  for (const Route& route : RouteTable()) {
    if (!Matches(route.pattern, path, &parts)) continue;
    const std::string_view name = MethodName(route.method);
    if (name == method || (name == "GET" && method == "HEAD")) {
      return Found{&route, std::move(parts)};
    }
    if (!allowed.empty()) allowed += ", ";
    allowed += name == "GET" ? "GET, HEAD" : name;
  }
  if (allowed.empty()) return nothing;
  return Problem("method_not_allowed", "this resource allows " + allowed).With("allow", allowed);
}

Answer<Done> CheckBody(const Request& request, const Route& route) {
  if (!request.in_process && request.body.size() > kBodyBytesMax) {
    return Problem("payload_too_large", "the body is longer than 64 KiB");
  }
  if (route.auth.value == Auth::kRead) return Done();
  const std::string* type = FindHeader(request.headers, "Content-Type");
  const bool has_body = route.method.value == Method::kPost || route.method.value == Method::kPatch;
  const std::string_view wanted = route.takes_bytes ? kBytesType : kJsonType;
  if (has_body &&
      (type == nullptr || !EqualsIgnoringCase(type->substr(0, type->find(';')), wanted))) {
    return Problem("unsupported_media_type", "Content-Type must be " + std::string(wanted));
  }
  return Done();
}

// An entity tag that differs for every form of the answer.
std::string EntityTag(const Call& call, const std::string& identity) {
  std::string form = call.WantsLines() ? "lines " : "";
  for (const auto& [name, text] : call.uri().query) form += name + "=" + text + "&";
  return "W/\"" + identity + "-" + Hex(Xxh3_64(std::string(call.route().documents.name()) + form)) +
         "\"";
}

// If-None-Match: a list of tags, or "*".
bool IsMatched(const std::string& wanted, const std::string& tag) {
  return wanted == "*" || wanted.find(tag) != std::string::npos;
}

// Whether the answer depends on records or their absence.
bool StandsOnLogs(const Call& call, const Json& head) {
  if (call.shared_target() == nullptr || !head.contains("schema")) return false;
  const DocumentSchema* document = FindDocument(head["schema"].get_ref<const std::string&>());
  return document != nullptr && document->stands_on_logs;
}

// Exit code 7 on the command line; problems are not changed.
Reply AsFarAsRecovered(const Call& call, Reply reply) {
  Json* document = std::get_if<Json>(&reply.value());
  List* list = std::get_if<List>(&reply.value());
  if (document == nullptr && list == nullptr) return reply;
  if (!StandsOnLogs(call, document != nullptr ? *document : list->head)) return reply;
  const std::shared_ptr<const RecoveryReport> recovery = call.target().Recovery();
  if (recovery == nullptr || !recovery->damaged()) return reply;
  RecoveryReport shown = *recovery;
  // Losses name logs, which have records of every family.
  if (!call.May(call.OnTarget(Access::kRead))) shown.losses.clear();
  MarkPartial(shown, document != nullptr ? document : &list->head);
  if (list != nullptr) list->partial = true;
  const bool answered = reply.exit_code() <= 1;
  return answered ? std::move(reply).WithExit(kPartialExit) : std::move(reply);
}

Response ToResponse(const Call& call, Reply reply) {
  auto& value = reply.value();
  if (Problem* problem = std::get_if<Problem>(&value)) return problem->ToResponse();
  std::string tag;
  if (!reply.identity().empty()) {
    tag = EntityTag(call, reply.identity());
    const std::string* wanted = FindHeader(call.request().headers, "If-None-Match");
    if (wanted != nullptr && IsMatched(*wanted, tag)) {
      return {.status = 304, .headers = {{"ETag", tag}, {"Cache-Control", "private, no-cache"}}};
    }
  }
  Response response;
  if (Json* document = std::get_if<Json>(&value)) {
    response.body = Dump(*document) + "\n";
    response.headers = {{"Content-Type", std::string(kJsonType)}};
    response.status = reply.http_status();
  } else if (List* list = std::get_if<List>(&value)) {
    response = call.WantsLines() ? LinesOf(call, std::move(*list)) : PageOf(call, std::move(*list));
  } else {
    response = std::get<Response>(std::move(value));
  }
  response.exit_code = reply.exit_code();
  for (const auto& header : reply.headers()) response.headers.push_back(header);
  if (FindHeader(response.headers, "Cache-Control") != nullptr) return response;  // A problem's.
  if (tag.empty()) {
    response.headers.emplace_back("Cache-Control", "no-store");
  } else {
    response.headers.emplace_back("ETag", tag);
    response.headers.emplace_back("Cache-Control", "private, no-cache");
  }
  return response;
}

// GET /metrics, outside the API because Prometheus expects it there: of the first running target.
Response MetricsOf(const Service& service, const Request& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    return Problem("method_not_allowed", "metrics only allow GET")
        .With("allow", "GET, HEAD")
        .ToResponse();
  }
  for (const auto& target : service.targets()) {
    const Rights& rights = request.caller.rights;
    if (target->live() == nullptr || !rights.HaveSomeOf(Access::kRead, target->name())) continue;
    const Right needed = {Access::kRead, target->name()};
    if (!rights.Have(needed)) return RightMissing(request.caller, needed).ToResponse();
    return {.headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
            .body = target->live()->Metrics()};
  }
  return Problem("resource_not_found", "no engine runs here, so there is nothing to measure")
      .ToResponse();
}

Response Answered(Service& service, const Request& request) {
  Answer<Uri> uri = ParseTarget(request.target);
  if (!uri.ok()) return uri.status().ToResponse();
  if (uri->path.size() == 1 && uri->path[0] == "metrics") return MetricsOf(service, request);
  Answer<Found> found = FindRoute(*uri, request.method);
  if (!found.ok()) return found.status().ToResponse();
  const Route& route = *found->route;
  if (auto body = CheckBody(request, route); !body.ok()) return body.status().ToResponse();
  for (int attempt = 1;; ++attempt) {
    const Answer<Call> call = Call::Make(service, request, route, found->parts, *uri);
    if (!call.ok()) return call.status().ToResponse();
    Reply reply = route.handler.value(*call);
    // A file was deleted during the read: retry once with the current MANIFEST.
    const Problem* problem = std::get_if<Problem>(&reply.value());
    const bool vanished = problem != nullptr && problem->kind().code == "file_vanished";
    if (!vanished || route.auth.value != Auth::kRead || attempt == kAttemptsMax) {
      return ToResponse(*call, AsFarAsRecovered(*call, std::move(reply)));
    }
  }
}

}  // namespace

const std::string* FindHeader(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoringCase(key, name)) return &value;
  }
  return nullptr;
}

std::string_view MethodName(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kPost:
      return "POST";
    case Method::kPatch:
      return "PATCH";
    case Method::kDelete:
      break;
  }
  return "DELETE";
}

Response Handle(Service& service, const Request& request) {
  Response response;
#if defined(__cpp_exceptions)
  // The JSON library and the standard library may throw; our code does not.
  try {
    response = Answered(service, request);
  } catch (const std::bad_alloc&) {
    response = Problem("internal", "no memory for this request").ToResponse();
  } catch (const std::exception& error) {
    response = Problem("internal", error.what()).ToResponse();
  }
#else
  response = Answered(service, request);
#endif
  if (request.method == "HEAD") {
    response.body.clear();
    response.stream.reset();
  }
  return response;
}

}  // namespace varve::api
