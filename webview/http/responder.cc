// SPDX-License-Identifier: Apache-2.0
#include "webview/http/responder.h"

#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "webview/api/routing/problem.h"
#include "webview/http/assets.h"
#include "webview/http/guard.h"

namespace varve::http {
namespace {

// Of every answer. The app may load its own files and talk to its own server, and that is all.
const httplib::Headers& SecurityHeaders() {
  static const httplib::Headers kHeaders = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
       "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
       "frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Embedder-Policy", "require-corp"},
      {"Referrer-Policy", "no-referrer"},
  };
  return kHeaders;
}

std::string_view ReasonPhrase(int status) {  // Of the refusals; clients go by the number.
  switch (status) {
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 405:
      return "Method Not Allowed";
    case 503:
      return "Service Unavailable";
    default:
      return "Bad Request";
  }
}

std::string ProblemBytes(const Refusal& refusal) {
  api::Json json = api::Problem(refusal.code, refusal.why).ToJson();
  json["status"] = refusal.status;  // Several of ours share a code.
  return api::Dump(json) + "\n";
}

// All that cpp-httplib gets to see of a request. What it would make of the other headers (a Range,
// a coding, a line that it finds too long) is not what the API makes of them.
std::string PlainHead(const RequestHead& head) {
  return std::string(head.method == "HEAD" ? "HEAD" : "GET") +
         " / HTTP/1.1\r\nConnection: " + (head.close ? "close" : "keep-alive") + "\r\n\r\n";
}

// Feeds cpp-httplib a head, and nothing else, and takes what it writes.
class HeadStream : public httplib::Stream {
 public:
  HeadStream(Transfer& transfer, std::string_view head)
      : transfer_(transfer), head_(head), deadline_(NowMicros() + kRequestTime) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return !failed_ && !transfer_.PeerGone(); }
  ssize_t read(char* to, size_t size) override {
    size = std::min(size, head_.size());
    std::copy_n(head_.data(), size, to);
    head_.remove_prefix(size);
    return static_cast<ssize_t>(size);
  }
  ssize_t write(const char* bytes, size_t size) override {
    if (!failed_ && transfer_.Write({bytes, size}, deadline_)) return static_cast<ssize_t>(size);
    failed_ = true;
    return -1;
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

  // A stream lasts; only each piece of it has its time.
  void LiftDeadline() { deadline_ = UINT64_MAX; }
  bool failed() const { return failed_; }

 private:
  Transfer& transfer_;
  std::string_view head_;
  uint64_t deadline_;
  bool failed_ = false;
};

// Counts down while it lives, if there was something left.
class Slot {
 public:
  explicit Slot(std::counting_semaphore<>& slots, std::chrono::milliseconds patience)
      : slots_(slots), held_(slots.try_acquire_for(patience)) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() {
    if (held_) slots_.release();
  }
  bool held() const { return held_; }

 private:
  std::counting_semaphore<>& slots_;
  const bool held_;
};

constexpr std::chrono::milliseconds kPatience{5000};

}  // namespace

class Responder::Engine : public httplib::Server {
 public:
  Engine(AnswerSource source, int listening)
      : source_(std::move(source)), working_(kWorkingMax), streams_(kStreamsMax) {
    svr_sock_ = listening;
    set_keep_alive_timeout(static_cast<time_t>(kIdleTime / kSecond));
    set_default_headers(SecurityHeaders());
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      Respond(*current.head, &response);
      return HandlerResponse::Handled;
    });
  }

  bool Answer(Transfer& transfer, const RequestHead& head, std::string* body) {
    const std::string plain = PlainHead(head);
    HeadStream stream(transfer, plain);
    current = {&stream, &head, body};
    bool closed = false;
    const bool written = process_request(stream, head.close, closed,
                                         [](httplib::Request&) { /* Nothing to add. */ });
    current = {};
    return written && !closed && !head.close && !stream.failed();
  }

  void Stop() { svr_sock_ = INVALID_SOCKET; }

 private:
  void Respond(const RequestHead& head, httplib::Response* response) {
    if (IsProtected(head.path())) {
      RespondFromApi(head, response);
    } else {
      RespondFromAssets(head, response);
    }
  }

  static void RespondFromAssets(const RequestHead& head, httplib::Response* response) {
    const Asset* asset = FindAsset(head.path());
    if (asset == nullptr) {
      return Refuse({404, "resource_not_found", "there is no such page"}, response);
    }
    response->set_header("ETag", std::string(asset->etag));
    // Names under /assets/ have a hash of the contents in them.
    response->set_header("Cache-Control", head.path().starts_with("/assets/")
                                              ? "public, max-age=31536000, immutable"
                                              : "no-cache");
    const std::string* known = head.Find("if-none-match");
    if (known != nullptr && *known == asset->etag) {
      response->status = 304;
      return;
    }
    response->status = 200;
    response->set_content_provider(asset->bytes.size(), std::string(asset->type),
                                   [asset](size_t offset, size_t length, httplib::DataSink& sink) {
                                     return sink.write(asset->bytes.data() + offset, length);
                                   });
  }

  void RespondFromApi(const RequestHead& head, httplib::Response* response) {
    // HEAD is GET up to the last step, so that its length is the true one.
    const api::Request asked{.method = head.method == "HEAD" ? "GET" : head.method,
                             .target = head.target,
                             .headers = head.headers,
                             .body = std::move(*current.body)};
    api::Response answer;
    {
      const Slot slot(working_, kPatience);
      if (!slot.held()) {
        return Refuse({503, "rate_limited", "too many requests at once; try again"}, response);
      }
      answer = source_.api(asked);
    }
    std::shared_ptr<Slot> streaming;
    if (answer.stream != nullptr) {
      streaming = std::make_shared<Slot>(streams_, std::chrono::milliseconds(0));
      if (!streaming->held()) {
        return Refuse({503, "rate_limited", "too many streams are open; close one"}, response);
      }
    }
    response->status = answer.status;
    std::string type;
    bool cacheable = false;
    for (const auto& [name, value] : answer.headers) {
      if (name == "Content-Type") {
        type = value;
        continue;
      }
      cacheable |= name == "Cache-Control";
      response->set_header(name, value);
    }
    if (!cacheable) response->set_header("Cache-Control", "no-store");
    if (answer.stream != nullptr) {
      SendStream(std::move(answer.stream), std::move(streaming), type, response);
    } else {
      Send(std::move(answer.body), type, response);
    }
  }

  // By a provider of known length: what is set as content is compressed for clients that allow it,
  // which costs more than the loopback gains.
  static void Send(std::string bytes, const std::string& type, httplib::Response* response) {
    if (response->status == -1) response->status = 200;
    if (bytes.empty()) return;
    auto shared = std::make_shared<const std::string>(std::move(bytes));
    response->set_content_provider(shared->size(), type,
                                   [shared](size_t offset, size_t length, httplib::DataSink& sink) {
                                     return sink.write(shared->data() + offset, length);
                                   });
  }

  void SendStream(std::unique_ptr<api::BodyStream> body, std::shared_ptr<Slot> slot,
                  const std::string& type, httplib::Response* response) {
    current.stream->LiftDeadline();
    const bool events = type.starts_with(api::kEventsType);
    auto shared = std::shared_ptr<api::BodyStream>(std::move(body));
    response->set_chunked_content_provider(type, [this, shared, slot, events, quiet = NowMicros()](
                                                     size_t, httplib::DataSink& sink) mutable {
      return Pump(*shared, events, &quiet, sink);
    });
  }

  // One piece of a stream. False ends the connection.
  bool Pump(api::BodyStream& body, bool events, uint64_t* quiet_since, httplib::DataSink& sink) {
    constexpr std::chrono::milliseconds kPause{50};
    std::string piece;
    api::BodyStream::Event event;
    {
      const Slot slot(working_, kPatience);
      if (!slot.held()) return false;
      event = body.Next(&piece);
    }
    switch (event) {
      case api::BodyStream::Event::kPiece:
        *quiet_since = NowMicros();
        return sink.write(piece.data(), piece.size());
      case api::BodyStream::Event::kEnd:
        sink.done();
        return true;
      case api::BodyStream::Event::kWait:
        break;
    }
    if (current.stream->failed() || !current.stream->is_writable()) return false;
    if (events && NowMicros() - *quiet_since > kIdleTime) {
      *quiet_since = NowMicros();
      constexpr std::string_view kStillHere = ": still here\n\n";  // A comment to event streams.
      return sink.write(kStillHere.data(), kStillHere.size());
    }
    std::this_thread::sleep_for(kPause);
    return true;
  }

  static void Refuse(const Refusal& refusal, httplib::Response* response) {
    response->status = refusal.status;
    response->set_header("Cache-Control", "no-store");
    Send(ProblemBytes(refusal), std::string(api::kProblemType), response);
  }

  // What this thread answers: cpp-httplib's handlers are not told.
  struct Current {
    HeadStream* stream = nullptr;
    const RequestHead* head = nullptr;
    std::string* body = nullptr;
  };
  static thread_local Current current;

  const AnswerSource source_;
  std::counting_semaphore<> working_, streams_;
};

thread_local Responder::Engine::Current Responder::Engine::current = {};

Responder::Responder(AnswerSource source, int listening)
    : engine_(std::make_unique<Engine>(std::move(source), listening)) {}
Responder::~Responder() = default;

bool Responder::Answer(Transfer& transfer, const RequestHead& head, std::string body) {
  return engine_->Answer(transfer, head, &body);
}

void Responder::Stop() { engine_->Stop(); }

std::string RefusalBytes(const Refusal& refusal, bool head_only) {
  const std::string body = ProblemBytes(refusal);
  std::string bytes = "HTTP/1.1 " + std::to_string(refusal.status) + " " +
                      std::string(ReasonPhrase(refusal.status)) + "\r\n";
  for (const auto& [name, value] : SecurityHeaders()) bytes += name + ": " + value + "\r\n";
  if (refusal.status == 405) bytes += "Allow: GET, HEAD, POST, PATCH, DELETE\r\n";
  if (refusal.status == 401) bytes += "WWW-Authenticate: Bearer\r\n";
  if (refusal.status == 503) bytes += "Retry-After: 1\r\n";
  bytes += "Cache-Control: no-store\r\nContent-Type: " + std::string(api::kProblemType) +
           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n";
  return head_only ? bytes : bytes + body;
}

}  // namespace varve::http
