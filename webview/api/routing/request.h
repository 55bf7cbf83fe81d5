// SPDX-License-Identifier: Apache-2.0
// A request as the router sees it: no socket, no connection. The HTTP server, the WASM module and
// the command line each make one of these and get a Response (response.h) from Handle (router.h).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace varve::api {

// Names in any case; a name that is there twice is found at its first place.
using Headers = std::vector<std::pair<std::string, std::string>>;
// Null if there is none.
const std::string* FindHeader(const Headers& headers, std::string_view name);

struct Request {
  std::string method = "GET";
  std::string target;  // "/api/v1/targets/t1/files?page_size=10", still percent-encoded.
  Headers headers = {};
  std::string body = {};
  // The caller is this process (the command line), which prints whole lists and whole values:
  // pages have no default size and streams no limit. Never set for what came over a network.
  bool in_process = false;
};

}  // namespace varve::api
