// SPDX-License-Identifier: Apache-2.0
// A Service over fixtures, and requests to it in one line.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "tests/drain_body.h"
#include "varve/environment.h"
#include "webview/api/engine/engine_records.h"
#include "webview/api/routing/router.h"

namespace varve::api {

class FixtureService {
 public:
  // Paths below tests/fixtures; the first is t1, and so on.
  explicit FixtureService(std::initializer_list<std::string> paths, bool write = false)
      : service_({.file_system = NativeEnvironment().file_system,
                  .clock = NativeEnvironment().clock,
                  .records = EngineRecords(NativeEnvironment()),
                  .write = write}) {
    for (const std::string& path : paths) {
      const auto target = service_.Open(VARVE_FIXTURES "/" + path);
      CHECK_MESSAGE(target.ok(), path << ": " << target.status().ToString());
    }
  }

  Response Ask(Request request) { return Handle(service_, request); }
  Response Get(const std::string& target) { return Ask({.target = "/api/v1" + target}); }
  Response Lines(const std::string& target) {
    return Ask({.target = "/api/v1" + target, .headers = {{"Accept", "application/jsonl"}}});
  }
  Response Post(const std::string& target, const Json& body) {
    return Ask({.method = "POST",
                .target = "/api/v1" + target,
                .headers = {{"Content-Type", "application/json"}},
                .body = Dump(body)});
  }
  // The document of a GET that must work.
  Json Document(const std::string& target) {
    Response response = Get(target);
    const std::string body = DrainBody(&response);
    CHECK_MESSAGE(response.status == 200, target << ": " << body);
    return Json::parse(body, nullptr, /*allow_exceptions=*/false);
  }
  // "404 file_not_found" of a request that must fail.
  std::string Refusal(Request request) {
    Response response = Ask(std::move(request));
    const Json problem = Json::parse(DrainBody(&response), nullptr, false);
    return std::to_string(response.status) + " " + problem.value("code", "no code");
  }
  std::string Refusal(const std::string& target) {
    return Refusal(Request{.target = "/api/v1" + target});
  }
  Service& service() { return service_; }

 private:
  Service service_;
};

}  // namespace varve::api
