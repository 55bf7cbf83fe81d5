// SPDX-License-Identifier: Apache-2.0
// One request to a server of ours, and its whole answer: POST, DELETE and GET of JSON, and of a
// body that is made in pieces. Made once, unless the caller has patience: what may be repeated, it
// knows. Redirects are not followed, since the token is for one host.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve {

struct HttpCall {
  std::string method = "GET";
  std::string url;         // http:// or https://, without user and fragment.
  std::string token = {};  // Sent as "Authorization: Bearer …"; empty: none.
  std::string type = {};   // Content-Type of the body, or "".
  std::string body = {};
  // Instead of `body`: gives the next bytes, at most as many as are asked for; `size` in all.
  std::function<Result<std::string_view>(size_t max)> pieces = {};
  uint64_t size = 0;
  uint64_t answer_max = 16 << 20;     // Bytes of the answer's body; a longer one is an error.
  uint64_t deadline_millis = 60'000;  // For all of it; 0: as long as it takes.
  // Without any byte in either direction for so long, it fails; 0: not for that.
  uint64_t silence_millis = 0;
  // For so long it is made again, less and less often and not before the server wants it
  // (Retry-After, 30 s at most), while the answer is 429 or 503, which say that nothing was done; a
  // GET also while there is no answer. `restart`, if set, is called before each try but the first.
  uint64_t patience_millis = 0;
  std::function<void()> restart = {};
  const std::atomic<bool>* cancelled = nullptr;  // Once true, it ends soon, kShutdown. May be null.
};

struct HttpCallAnswer {
  long code = 0;                    // 200, 404, …
  uint64_t retry_after_millis = 0;  // As the server wants it; 0: it does not say.
  std::string body;
};

// kIoError: there is no answer: the message names the URL and the reason. kNotSupported: without
// libcurl. kInvalidArgument: not such a URL. Any thread.
Result<HttpCallAnswer> CallHttp(const HttpCall& call);

}  // namespace varve
