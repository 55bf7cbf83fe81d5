// SPDX-License-Identifier: Apache-2.0
// A request without its transport. The HTTP server, the WASM module and the command line each make
// one and get a Response (response.h) from Handle (router.h).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace varve::api {

// Names are case-insensitive; of duplicates the first counts.
using Headers = std::vector<std::pair<std::string, std::string>>;
// Null if there is none.
const std::string* FindHeader(const Headers& headers, std::string_view name);

struct Request {
  std::string method = "GET";
  std::string target;  // "/api/v1/targets/t1/files?page_size=10", still percent-encoded.
  Headers headers = {};
  std::string body = {};
  // The caller is this process (the command line), which prints whole lists and whole values: no
  // default page size and no stream limit. Never set for requests from a network.
  bool in_process = false;
};

}  // namespace varve::api
