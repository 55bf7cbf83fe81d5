// SPDX-License-Identifier: Apache-2.0
// The router on standard input and output, for contract_test.py.
//
//   api_probe TARGET…      then, a JSON object a line:
//   <- {"method":"GET","target":"/api/v1/","headers":{},"body":""}
//   -> {"status":200,"exit_code":0,"headers":{…},"body":"<hex>"}
//   <- {"step":true}       works on jobs until there are none
//   -> {}
#include <iostream>
#include <string>

#include "core/base/text/text.h"
#include "tests/drain_body.h"
#include "webview/api/engine/engine_records.h"
#include "webview/api/routing/router.h"

namespace varve::api {
namespace {

Json Answer(Service& service, const Json& line) {
  if (line.contains("step")) {
    while (service.jobs().Step(1'000'000)) {
    }
    return Json::object();
  }
  Request request{.method = line.value("method", "GET"),
                  .target = line.value("target", ""),
                  .body = line.value("body", "")};
  const auto sent = line.find("headers");
  if (sent != line.end()) {
    for (const auto& [name, value] : sent->items()) request.headers.emplace_back(name, value);
  }
  Response response = Handle(service, request);
  Json headers = Json::object();
  for (const auto& [name, value] : response.headers) headers[name] = value;
  const std::string body = DrainBody(&response);
  return {{"status", response.status},
          {"exit_code", response.exit_code},
          {"headers", std::move(headers)},
          {"body", HexBytes(body)}};
}

int Main(int count, char** paths) {
  Service service({.file_system = NativeEnvironment().file_system,
                   .clock = NativeEnvironment().clock,
                   .records = EngineRecords(NativeEnvironment())});
  for (int i = 0; i < count; ++i) {
    const auto opened = service.Open(paths[i]);
    if (!opened.ok()) {
      std::cerr << opened.status().ToString() << "\n";
      return 3;
    }
  }
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << Dump(Answer(service, Json::parse(line))) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace varve::api

int main(int argc, char** argv) { return varve::api::Main(argc - 1, argv + 1); }
