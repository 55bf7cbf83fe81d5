// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/http_client.h"

#define CURL_DISABLE_TYPECHECK 1  // Its checks call the functions by name.

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/fs/http/curl_library.h"
#include "core/fs/http/http_headers.h"
#include "varve/version.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

namespace varve {

// Connections, and the handles that use them. One thread at a time.
struct HttpClient::Session {
  explicit Session(const CurlLibrary& library) : curl(library), multi(curl.multi_init()) {
    CHECK(multi != nullptr);
    curl.multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, static_cast<long>(kParallelMax));
  }
  ~Session() {
    for (CURL* const handle : handles) curl.easy_cleanup(handle);
    curl.multi_cleanup(multi);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const CurlLibrary& curl;
  CURLM* const multi;
  std::vector<CURL*> handles;  // None is in use.
};

namespace {

constexpr size_t kIdleSessionsMax = 8;
constexpr size_t kErrorBodyMax = 512;
constexpr uint64_t kBackoffMillis = 200;
constexpr uint64_t kBackoffMaxMillis = 5'000;
constexpr long kConnectMillis = 10'000;
constexpr long kSlowBytesPerSecond = 1'024;  // Slower than this for kSlowSeconds: the server hangs.
constexpr uint64_t kSlowSeconds = 15;

bool MayPass(long code) {
  return code == 408 || code == 429 || code == 500 || code == 502 || code == 503 || code == 504;
}

// Errors that are the same next time.
bool StaysSo(CURLcode code) {
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_TOO_MANY_REDIRECTS:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_LOGIN_DENIED:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_OUT_OF_MEMORY:
      return true;
    default:
      return false;
  }
}

// The Code element of the errors of object stores.
std::string ErrorCodeIn(std::string_view body) {
  constexpr std::string_view kBegin = "<Code>";
  const size_t begin = body.find(kBegin);
  if (begin == std::string_view::npos) return "";
  body.remove_prefix(begin + kBegin.size());
  const size_t end = body.find('<');
  return end == std::string_view::npos ? "" : " (" + EscapeForDisplay(body.substr(0, end)) + ")";
}

}  // namespace

HttpCounters& TheHttpCounters() {
  static auto* const kCounters = new HttpCounters;
  return *kCounters;
}

// The exchanges of one call of Perform(). One thread.
class HttpTransfers {
 public:
  HttpTransfers(HttpClient& client, HttpClient::Session& session, std::span<HttpExchange> exchanges)
      : client_(client), curl_(client.curl_), session_(session) {
    transfers_.reserve(exchanges.size());
    for (HttpExchange& exchange : exchanges) transfers_.emplace_back().exchange = &exchange;
  }

  void Run() {
    size_t left = transfers_.size();
    while (left > 0) {
      StartThoseDue();
      int running = 0;
      curl_.multi_perform(session_.multi, &running);
      int queued = 0;
      while (CURLMsg* const message = curl_.multi_info_read(session_.multi, &queued)) {
        if (message->msg == CURLMSG_DONE && End(message->easy_handle, message->data.result)) left--;
      }
      if (left > 0) Wait();
    }
  }

 private:
  enum class State : uint8_t { kWaits, kRuns, kDone };

  struct Transfer {
    HttpExchange* exchange = nullptr;
    State state = State::kWaits;
    CURL* handle = nullptr;
    curl_slist* lines = nullptr;
    HttpHeaders headers;
    bool stopped = false;  // By us: enough of an error's body was read.
    std::string refusal;   // Why the answer was not read to its end.
    uint32_t attempts = 0;
    uint64_t first_millis = 0;  // When it was sent first.
    uint64_t due_millis = 0;    // When it is sent (again).
  };

  uint64_t Now() const { return client_.clock_.NowMicros() / 1000; }
  template <typename Value>
  void Set(CURL* handle, CURLoption option, Value value) {
    curl_.easy_setopt(handle, option, value);
  }

  // A user or password of a URL, whose reserved characters are encoded (RFC 3986, 3.2.1).
  void SetDecoded(CURL* handle, CURLoption option, std::string_view text) {
    char* const decoded = curl_.easy_unescape(handle, std::string(text).c_str(), 0, nullptr);
    CHECK(decoded != nullptr);
    Set(handle, option, decoded);
    curl_.free(decoded);
  }

  size_t Running() const {
    return static_cast<size_t>(
        std::count_if(transfers_.begin(), transfers_.end(),
                      [](const Transfer& transfer) { return transfer.state == State::kRuns; }));
  }

  void StartThoseDue() {
    size_t running = Running();
    const uint64_t now = Now();
    for (Transfer& transfer : transfers_) {
      if (running == HttpClient::kParallelMax) break;
      if (transfer.state != State::kWaits || transfer.due_millis > now) continue;
      Start(&transfer, now);
      running++;
    }
  }

  void Wait() {
    uint64_t until = Now() + 1'000;
    const bool room = Running() < HttpClient::kParallelMax;
    for (const Transfer& transfer : transfers_) {
      if (room && transfer.state == State::kWaits) until = std::min(until, transfer.due_millis);
    }
    const uint64_t now = Now();
    const int millis = until > now ? static_cast<int>(until - now) : 0;
    curl_.multi_poll(session_.multi, nullptr, 0, millis, nullptr);
  }

  void AddLine(Transfer* transfer, const std::string& line) {
    transfer->lines = curl_.slist_append(transfer->lines, line.c_str());
  }

  void Start(Transfer* transfer, uint64_t now) {
    if (transfer->attempts == 0) transfer->first_millis = now;
    transfer->attempts++;
    transfer->state = State::kRuns;
    transfer->headers = HttpHeaders();
    transfer->stopped = false;
    transfer->refusal.clear();
    transfer->exchange->body.clear();
    if (session_.handles.empty()) {
      transfer->handle = curl_.easy_init();
      CHECK(transfer->handle != nullptr);
    } else {
      transfer->handle = session_.handles.back();
      session_.handles.pop_back();
      curl_.easy_reset(transfer->handle);
    }
    SetRequest(transfer);
    SetLimits(transfer, now);
    SetTrust(transfer->handle);
    Set(transfer->handle, CURLOPT_PRIVATE, transfer);
    TheHttpCounters().requests.fetch_add(1, std::memory_order_relaxed);
    if (transfer->attempts > 1) TheHttpCounters().retries.fetch_add(1, std::memory_order_relaxed);
    curl_.multi_add_handle(session_.multi, transfer->handle);
  }

  void SetRequest(Transfer* transfer) {
    CURL* const handle = transfer->handle;
    const HttpExchange& exchange = *transfer->exchange;
    const UrlRoot& root = client_.root();
    const std::string url = root.requested + exchange.path.substr(root.shown.size()) + root.query;
    Set(handle, CURLOPT_URL, url.c_str());
    Set(handle, CURLOPT_PATH_AS_IS, 1L);
    Set(handle, CURLOPT_USERAGENT, "varve/" VARVE_VERSION);
    AddLine(transfer, "Accept-Encoding: identity");
    if (!exchange.if_match.empty()) AddLine(transfer, "If-Match: " + exchange.if_match);
    if (!root.token.empty()) AddLine(transfer, "X-Amz-Security-Token: " + root.token);
    if (!root.signer.empty()) {
      Set(handle, CURLOPT_AWS_SIGV4, root.signer.c_str());
      Set(handle, CURLOPT_USERPWD, root.user.c_str());
    } else if (!client_.options().authorization.empty()) {
      // libcurl gives it to no other host, port or protocol.
      AddLine(transfer, "Authorization: " + client_.options().authorization);
    } else if (!root.user.empty()) {
      const std::string_view user = root.user;
      const size_t colon = std::min(user.find(':'), user.size());
      const size_t password = std::min(colon + 1, user.size());
      SetDecoded(handle, CURLOPT_USERNAME, user.substr(0, colon));
      SetDecoded(handle, CURLOPT_PASSWORD, user.substr(password));
    } else {
      Set(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
      if (const std::string& file = client_.options().netrc_file; !file.empty()) {
        Set(handle, CURLOPT_NETRC_FILE, file.c_str());
      }
    }
    Set(handle, CURLOPT_HTTPHEADER, transfer->lines);
    switch (exchange.kind) {
      case HttpExchange::Kind::kHead:
        Set(handle, CURLOPT_NOBODY, 1L);
        break;
      case HttpExchange::Kind::kSuffix:
        Set(handle, CURLOPT_RANGE, ("-" + std::to_string(exchange.size)).c_str());
        break;
      case HttpExchange::Kind::kFirst:
      case HttpExchange::Kind::kRange:
        Set(handle, CURLOPT_RANGE,
            (std::to_string(exchange.offset) + "-" +
             std::to_string(exchange.offset + exchange.size - 1))
                .c_str());
        break;
    }
  }

  void SetLimits(Transfer* transfer, uint64_t now) {
    CURL* const handle = transfer->handle;
    const bool secure = client_.root().requested.starts_with("https://");
    const char* const protocols = secure ? "https" : "http,https";
    Set(handle, CURLOPT_NOSIGNAL, 1L);
    Set(handle, CURLOPT_PROTOCOLS_STR, protocols);
    Set(handle, CURLOPT_REDIR_PROTOCOLS_STR, protocols);
    Set(handle, CURLOPT_FOLLOWLOCATION, client_.root().signer.empty() ? 1L : 0L);
    Set(handle, CURLOPT_MAXREDIRS, HttpClient::kRedirectsMax);
    Set(handle, CURLOPT_CONNECTTIMEOUT_MS, kConnectMillis);
    const uint64_t end = transfer->first_millis + client_.options().deadline_millis;
    Set(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<uint64_t>(end - now, 1)));
    Set(handle, CURLOPT_LOW_SPEED_LIMIT, kSlowBytesPerSecond);
    Set(handle, CURLOPT_LOW_SPEED_TIME,
        static_cast<long>(
            std::clamp<uint64_t>(client_.options().deadline_millis / 2'000, 1, kSlowSeconds)));
    Set(handle, CURLOPT_HEADERDATA, transfer);
    Set(handle, CURLOPT_HEADERFUNCTION, &HttpTransfers::TakeHeader);
    Set(handle, CURLOPT_WRITEDATA, transfer);
    Set(handle, CURLOPT_WRITEFUNCTION, &HttpTransfers::TakeBody);
  }

  void SetTrust(CURL* handle) {
    Set(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    Set(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    const std::string& file = client_.options().ca_file;
    if (!file.empty()) Set(handle, CURLOPT_CAINFO, file.c_str());
  }

  static size_t TakeHeader(char* bytes, size_t, size_t size, void* of) {
    auto* const transfer = static_cast<Transfer*>(of);
    transfer->headers.Take({bytes, size});
    if (transfer->headers.bytes <= HttpClient::kHeaderBytesMax) return size;
    transfer->refusal = "sent more than 64 KiB of headers";
    return 0;
  }

  // Bytes that the body may have, by the headers.
  static uint64_t BodyMax(const Transfer& transfer) {
    const HttpHeaders& headers = transfer.headers;
    if (headers.code == 206) return transfer.exchange->size;
    if (headers.code == 200 && transfer.exchange->kind != HttpExchange::Kind::kRange) {
      return HttpClient::kWholeFileMax;
    }
    return kErrorBodyMax;
  }

  static size_t TakeBody(char* bytes, size_t, size_t size, void* of) {
    auto* const transfer = static_cast<Transfer*>(of);
    TheHttpCounters().bytes.fetch_add(size, std::memory_order_relaxed);
    const HttpHeaders& headers = transfer->headers;
    const bool wanted = headers.code == 200 || headers.code == 206;
    std::string& body = transfer->exchange->body;
    const uint64_t max = BodyMax(*transfer);
    if (wanted && !headers.content_encoding.empty() && headers.content_encoding != "identity") {
      transfer->refusal = "answered with Content-Encoding " +
                          EscapeForDisplay(headers.content_encoding) +
                          ", although only identity was accepted";
      return 0;
    }
    if (headers.code == 200 && transfer->exchange->kind == HttpExchange::Kind::kRange) {
      transfer->refusal = "answered 200 to a range request: it sends whole files only";
      return 0;
    }
    const uint64_t announced = headers.content_length.value_or(0);
    if (wanted && (announced > max || size > max - body.size())) {
      transfer->refusal = headers.code == 200
                              ? "sends whole files only, and this one is larger than 64 MiB"
                              : "sends more than the " + std::to_string(max) + " bytes asked for";
      return 0;
    }
    const size_t taken = std::min<size_t>(size, max - body.size());
    body.append(bytes, taken);
    transfer->stopped = !wanted && taken < size;
    return transfer->stopped ? 0 : size;
  }

  // Takes what arrived. Whether the exchange is over.
  bool End(CURL* handle, CURLcode result) {
    char* of = nullptr;
    curl_.easy_getinfo(handle, CURLINFO_PRIVATE, &of);
    auto* const transfer = static_cast<Transfer*>(static_cast<void*>(of));
    curl_off_t retry_after = 0;
    curl_.easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after);
    curl_.multi_remove_handle(session_.multi, handle);
    session_.handles.push_back(handle);
    curl_.slist_free_all(std::exchange(transfer->lines, nullptr));
    transfer->state = State::kDone;
    HttpExchange* const exchange = transfer->exchange;
    exchange->code = transfer->headers.code;
    exchange->etag = transfer->headers.etag;
    exchange->last_modified = transfer->headers.last_modified;
    if (!transfer->refusal.empty()) return Fail(transfer, transfer->refusal, Code::kNotSupported);
    if (result != CURLE_OK && !transfer->stopped) {
      const std::string why = curl_.easy_strerror(result);
      if (StaysSo(result)) return Fail(transfer, why, Code::kIoError);
      return Repeat(transfer, why, 0);
    }
    if (MayPass(exchange->code)) {
      return Repeat(transfer, Answered(*exchange), static_cast<uint64_t>(retry_after) * 1'000);
    }
    if (exchange->code != 200 && exchange->code != 206) {
      return IsHandled(exchange->code) || Fail(transfer, Answered(*exchange), Code::kIoError);
    }
    return Check(transfer);
  }

  static std::string Answered(const HttpExchange& exchange) {
    return "the server answered " + std::to_string(exchange.code) + ErrorCodeIn(exchange.body);
  }

  // What callers distinguish.
  static bool IsHandled(long code) {
    return code == 404 || code == 410 || code == 412 || code == 416 || code == 400 || code == 501 ||
           code == 401 || code == 403;
  }

  // Whether the body is what the headers say, and what was asked for.
  bool Check(Transfer* transfer) {
    HttpExchange* const exchange = transfer->exchange;
    const HttpHeaders& headers = transfer->headers;
    const uint64_t got = exchange->body.size();
    if (exchange->kind == HttpExchange::Kind::kHead) {
      exchange->total = headers.content_length;
      return true;
    }
    if (exchange->code == 200) {
      if (exchange->kind == HttpExchange::Kind::kRange) {
        return Fail(transfer, "the server answered 200 to a range request", Code::kNotSupported);
      }
      exchange->body_offset = 0;
      exchange->total = got;
      return true;
    }
    const auto range = ParseContentRange(headers.content_range);
    const std::string says = "its Content-Range is '" + EscapeForDisplay(headers.content_range);
    if (!range || !range->first) return Fail(transfer, says + "'", Code::kIoError);
    const uint64_t first = *range->first, last = *range->last;
    const uint64_t end = range->total.value_or(UINT64_MAX);
    bool fits = false;
    if (exchange->kind == HttpExchange::Kind::kSuffix) {
      fits = range->total && last + 1 == end && first == end - std::min(end, exchange->size);
    } else {
      fits = first == exchange->offset &&
             last - first + 1 == std::min(exchange->size, end - std::min(end, exchange->offset));
    }
    if (!fits) {
      return Fail(transfer, says + "', which was not asked for", Code::kIoError);
    }
    if (got != last - first + 1) {  // libcurl notices it only where Content-Length says so.
      return Repeat(
          transfer,
          "sent " + std::to_string(got) + " of " + std::to_string(last - first + 1) + " bytes", 0);
    }
    exchange->body_offset = first;
    exchange->total = range->total;
    return true;
  }

  // Sends it again later, if there are attempts and time left.
  bool Repeat(Transfer* transfer, const std::string& why, uint64_t asked_millis) {
    const uint64_t now = Now();
    const HttpOptions& options = client_.options();
    const uint64_t doubled =
        std::min(kBackoffMaxMillis, kBackoffMillis << std::min(transfer->attempts, 10U));
    // Jitter: clients that failed together do not come back together.
    uint64_t wait = doubled / 2 + client_.random_.Next64() % (doubled / 2);
    wait = std::max(wait, std::min(asked_millis, HttpClient::kRetryAfterMaxMillis));
    const uint64_t end = transfer->first_millis + options.deadline_millis;
    if (transfer->attempts >= options.attempts || now + wait >= end) {
      const uint64_t tenths = (now - transfer->first_millis) / 100;
      return Fail(transfer,
                  why + "; gave up after " + std::to_string(transfer->attempts) +
                      (transfer->attempts == 1 ? " attempt and " : " attempts and ") +
                      std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s",
                  Code::kIoError);
    }
    transfer->state = State::kWaits;
    transfer->due_millis = now + wait;
    return false;
  }

  bool Fail(Transfer* transfer, const std::string& why, Code code) {
    HttpExchange* const exchange = transfer->exchange;
    const bool has_offset = exchange->kind == HttpExchange::Kind::kRange;
    const std::string place =
        has_offset ? FileOffset(exchange->path, exchange->offset) : exchange->path;
    exchange->status = Status(code, place + ": " + why);
    exchange->body.clear();
    return true;
  }

  HttpClient& client_;
  const CurlLibrary& curl_;
  HttpClient::Session& session_;
  std::vector<Transfer> transfers_;  // libcurl has pointers into it: never resized.
};

HttpClient::HttpClient(const CurlLibrary& curl, UrlRoot root, HttpOptions options, Clock& clock,
                       Random& random)
    : curl_(curl),
      root_(std::move(root)),
      options_(std::move(options)),
      clock_(clock),
      random_(random) {}

HttpClient::~HttpClient() = default;

std::unique_ptr<HttpClient::Session> HttpClient::TakeSession() {
  {
    MutexLock lock(mu_);
    if (!idle_.empty()) {
      std::unique_ptr<Session> session = std::move(idle_.back());
      idle_.pop_back();
      return session;
    }
  }
  return std::make_unique<Session>(curl_);
}

void HttpClient::ReturnSession(std::unique_ptr<Session> session) {
  MutexLock lock(mu_);
  if (idle_.size() < kIdleSessionsMax) idle_.push_back(std::move(session));
}

void HttpClient::Perform(std::span<HttpExchange> exchanges) {
  std::unique_ptr<Session> session = TakeSession();
  HttpTransfers(*this, *session, exchanges).Run();
  ReturnSession(std::move(session));
}

}  // namespace varve
