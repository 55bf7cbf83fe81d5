// SPDX-License-Identifier: Apache-2.0
// HTTP requests (RFC 9110) for parts of files, several at a time, repeated when they fail in a way
// that may pass. What a server sends is bounded: its body by what was asked, its headers, its
// redirects, its time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/fs/http/url.h"
#include "varve/environment.h"
#include "varve/status.h"
#include "varve/url.h"

namespace varve {

struct CurlLibrary;

// One request, and its answer.
struct HttpExchange {
  enum class Kind : uint8_t {
    kHead,    // HEAD: size and validators.
    kSuffix,  // The last `size` bytes, or the whole file if the server sends that.
    kFirst,   // The first `size` bytes, or the whole file if the server sends that.
    kRange    // `size` bytes at `offset`, exactly.
  };
  Kind kind = Kind::kHead;
  std::string path;           // As it is shown: at or below UrlRoot::shown.
  uint64_t offset = 0;        // Of kRange.
  uint64_t size = 0;          // Of all but kHead.
  std::string if_match = {};  // A strong ETag that the file must have, or nothing.

  // The answer. Not Ok: there is none, and the message names the URL, the offset and the failure.
  Status status = {};
  long code = 0;                       // 200, 206, 404, 412, 416, ...: what the caller handles.
  std::string etag = {};               // As sent, with quotes; nothing if there is none.
  std::string last_modified = {};      // As sent.
  uint64_t body_offset = 0;            // Where `body` begins in the file.
  std::optional<uint64_t> total = {};  // Size of the file, if it is known.
  std::string body = {};               // Of 200 and 206.
};

// Counters of all clients.
struct HttpCounters {
  std::atomic<uint64_t> requests{0}, bytes{0}, retries{0};
  std::atomic<uint64_t> memory_hits{0}, cache_hits{0}, cache_damaged{0};
};
HttpCounters& TheHttpCounters();

// Sends requests for the files below one URL. Thread-safe; connections are kept for later requests.
class HttpClient {
 public:
  static constexpr size_t kParallelMax = 8;            // Requests at a time, of one call.
  static constexpr uint64_t kWholeFileMax = 64 << 20;  // Of a server without ranges.
  static constexpr size_t kHeaderBytesMax = 64 << 10;  // Of one answer.
  static constexpr long kRedirectsMax = 5;
  static constexpr uint64_t kRetryAfterMaxMillis = 30'000;

  HttpClient(const CurlLibrary& curl, UrlRoot root, HttpOptions options, Clock& clock,
             Random& random);
  ~HttpClient();

  // Makes all exchanges, and returns when each has its answer or a Status.
  void Perform(std::span<HttpExchange> exchanges);

  const UrlRoot& root() const { return root_; }
  const HttpOptions& options() const { return options_; }

 private:
  friend class HttpTransfers;
  struct Session;

  std::unique_ptr<Session> TakeSession();
  void ReturnSession(std::unique_ptr<Session> session);

  const CurlLibrary& curl_;
  const UrlRoot root_;
  const HttpOptions options_;
  Clock& clock_;
  Random& random_;
  Mutex mu_;
  std::vector<std::unique_ptr<Session>> idle_ GUARDED_BY(mu_);
};

}  // namespace varve
