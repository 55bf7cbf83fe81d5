// SPDX-License-Identifier: Apache-2.0
// A request without its transport. The HTTP server, the WASM module and the command line each make
// one and get a Response (response.h) from Handle (router.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/result.h"
#include "webview/api/routing/rights.h"

namespace varve::api {

// Names are case-insensitive; of duplicates the first counts.
using Headers = std::vector<std::pair<std::string, std::string>>;
// Null if there is none.
const std::string* FindHeader(const Headers& headers, std::string_view name);

// The bytes of a request that may be too many to be held in memory. One thread.
class BodySource {
 public:
  virtual ~BodySource() = default;
  virtual uint64_t size() const = 0;  // Bytes in all, as the client has announced them.
  // The next of them; none: that was all. IoError: the client has left, or is too slow.
  virtual Result<std::string_view> Next() = 0;
  // Whether nobody waits for the answer any more.
  virtual bool abandoned() const { return false; }
};

// Who asks, as far as the transport knows.
struct Caller {
  std::string name = {};          // Empty: who started the program.
  Rights rights = Rights::All();  // As far as the service may change anything.
};

struct Request {
  std::string method = "GET";
  std::string target;  // "/api/v1/targets/t1/files?page_size=10", still percent-encoded.
  Headers headers = {};
  std::string body = {};
  Caller caller = {};
  // Instead of `body`, of requests with the type kBytesType; must outlive the call of Handle().
  BodySource* source = nullptr;
  // The caller is this process (the command line), which prints whole lists and whole values: no
  // default page size and no stream limit. Never set for requests from a network.
  bool in_process = false;
};

}  // namespace varve::api
