// SPDX-License-Identifier: Apache-2.0
#include "webview/http/responder.h"

#include <array>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/serializer.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <tuple>

#include "webview/api/routing/problem.h"
#include "webview/http/assets.h"
#include "webview/http/guard.h"

namespace varve::http {
namespace {

namespace beast = boost::beast::http;

// In every answer. The app may only load its own files and connect to its own server.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSecurityHeaders = {{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
     "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
     "form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Embedder-Policy", "require-corp"},
    {"Referrer-Policy", "no-referrer"},
}};

template <class Buffers>
std::string Bytes(const Buffers& buffers) {
  return boost::beast::buffers_to_string(buffers);
}

// `length` of the body; nullopt: chunked.
std::string HeadBytes(const api::Response& answer, std::optional<uint64_t> length, bool close) {
  beast::response<beast::empty_body> message;
  message.result(static_cast<unsigned>(answer.status));
  for (const auto& [name, value] : kSecurityHeaders) message.set(name, value);
  for (const auto& [name, value] : answer.headers) {
    // A line end would start another header, and Beast does not check for it.
    if (value.find_first_of("\r\n") == std::string::npos) message.set(name, value);
  }
  if (answer.status != 204 && answer.status != 304) {
    if (length) {
      message.content_length(*length);
    } else {
      message.chunked(true);
    }
  }
  message.keep_alive(!close);
  std::string bytes;
  boost::system::error_code never;
  beast::response_serializer<beast::empty_body> serializer(message);
  serializer.next(never, [&](auto&, const auto& buffers) { bytes = Bytes(buffers); });
  return bytes;
}

// Sends the answer and its whole body. False: the connection must be closed.
bool Send(Transfer& transfer, const RequestHead& head, const api::Response& answer,
          std::string_view body) {
  // Smaller bodies are copied behind the head and sent with it.
  constexpr size_t kTogether = 16 << 10;
  const uint64_t deadline = NowMicros() + kRequestTime;
  std::string bytes = HeadBytes(answer, body.size(), head.close);
  if (head.method == "HEAD") body = {};
  if (body.size() <= kTogether) {
    bytes += body;
    body = {};
  }
  return transfer.Write(bytes, deadline) && transfer.Write(body, deadline) && !head.close;
}

api::Response AnswerOf(const Refusal& refusal) {
  // Several of our problem codes share an HTTP status.
  api::Problem problem(refusal.code, refusal.why);
  if (refusal.sign_in) std::ignore = std::move(problem).With("sign_in", std::string(kSessionPath));
  api::Response answer = std::move(problem).WithStatus(refusal.status).ToResponse();
  const auto add = [&](const char* name, const char* value) {
    answer.headers.emplace_back(name, value);
  };
  if (refusal.status == 401) add("WWW-Authenticate", "Bearer");
  if (refusal.status == 405) add("Allow", "GET, HEAD, POST, PATCH, DELETE");
  if (refusal.status == 503) add("Retry-After", "1");
  return answer;
}

bool Send(Transfer& transfer, const RequestHead& head, const Refusal& refusal) {
  const api::Response answer = AnswerOf(refusal);
  return Send(transfer, head, answer, answer.body);
}

// Has the page ask for a name and a password: one that no server of ours serves asks nobody.
constexpr std::string_view kSignInHint = "varve-sign-in=1; SameSite=Strict; Path=/";

bool AnswerFromAssets(Transfer& transfer, const RequestHead& head, Access& access) {
  const Asset* asset = FindAsset(head.path());
  if (asset == nullptr) {
    return Send(transfer, head, {404, "resource_not_found", "there is no such page"});
  }
  api::Response answer{.headers = {{"ETag", std::string(asset->etag)},
                                   // Names under /assets/ contain a hash of the contents.
                                   {"Cache-Control", head.path().starts_with("/assets/")
                                                         ? "public, max-age=31536000, immutable"
                                                         : "no-cache"}}};
  if (asset->type.starts_with("text/html") && access.OffersSignIn()) {
    answer.headers.emplace_back("Set-Cookie", kSignInHint);
  }
  const std::string* known = head.Find("if-none-match");
  if (known != nullptr && *known == asset->etag) {
    answer.status = 304;
    return Send(transfer, head, answer, "");
  }
  answer.headers.emplace_back("Content-Type", asset->type);
  return Send(transfer, head, answer, asset->bytes);
}

// Decrements the counter while it lives, unless it is zero.
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

// The body of a stream: with a known length, or chunked.
class StreamBody {
 public:
  StreamBody(Transfer& transfer, std::optional<uint64_t> length)
      : transfer_(transfer), left_(length) {}
  bool Write(std::string_view piece) {
    if (!left_) return Send(Bytes(beast::make_chunk(boost::asio::buffer(piece))));
    if (piece.size() > *left_) return false;
    *left_ -= piece.size();
    return Send(piece);
  }
  // False: bytes are missing, which clients detect when the connection closes.
  bool End() { return left_ ? *left_ == 0 : Send(Bytes(beast::make_chunk_last())); }

 private:
  // The time limit applies to each piece, not to the whole stream.
  bool Send(std::string_view bytes) { return transfer_.Write(bytes, UINT64_MAX); }

  Transfer& transfer_;
  std::optional<uint64_t> left_;
};

}  // namespace

bool Responder::Answer(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                       std::string body) {
  if (access_.IsAboutSession(head)) return AnswerAboutSession(transfer, head, body);
  return IsProtected(head.path()) ? AnswerFromApi(transfer, head, caller, std::move(body))
                                  : AnswerFromAssets(transfer, head, access_);
}

bool Responder::AnswerFromApi(Transfer& transfer, const RequestHead& head,
                              const api::Caller& caller, std::string body) {
  // HEAD is handled like GET up to the last step, so that its length is correct.
  const api::Request asked{.method = head.method == "HEAD" ? "GET" : head.method,
                           .target = head.target,
                           .headers = head.headers,
                           .body = std::move(body),
                           .caller = caller};
  api::Response answer;
  {
    const Slot slot(working_, kPatience);
    if (!slot.held()) {
      return Send(transfer, head, {503, "rate_limited", "too many requests at once; try again"});
    }
    answer = source_.api(asked);
  }
  if (api::FindHeader(answer.headers, "Cache-Control") == nullptr) {
    answer.headers.emplace_back("Cache-Control", "no-store");
  }
  if (answer.stream == nullptr) return Send(transfer, head, answer, answer.body);
  const Slot streaming(streams_, std::chrono::milliseconds(0));
  if (!streaming.held()) {
    return Send(transfer, head, {503, "rate_limited", "too many streams are open; close one"});
  }
  return SendStream(transfer, head, caller, answer);
}

bool Responder::AnswerAboutSession(Transfer& transfer, const RequestHead& head,
                                   const std::string& body) {
  api::Response answer =
      head.method == "POST" ? access_.SignIn(body, transfer.PeerAddress()) : access_.SignOut(head);
  if (api::FindHeader(answer.headers, "Cache-Control") == nullptr) {
    answer.headers.emplace_back("Cache-Control", "no-store");
  }
  return Send(transfer, head, answer, answer.body);
}

bool Responder::AnswerUpload(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                             api::BodySource& body) {
  const Slot slot(uploads_, kPatience);
  if (!slot.held()) {
    return Send(transfer, head, {503, "rate_limited", "too many uploads at once; try again"});
  }
  const api::Response answer = source_.api({.method = head.method,
                                            .target = head.target,
                                            .headers = head.headers,
                                            .caller = caller,
                                            .source = &body});
  return Send(transfer, head, answer, answer.body);
}

bool Responder::SendStream(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                           const api::Response& answer) {
  constexpr std::chrono::milliseconds kPause{50};
  constexpr uint64_t kCheckMicros = 200'000;
  const std::string* type = api::FindHeader(answer.headers, "Content-Type");
  const bool events = type != nullptr && type->starts_with(api::kEventsType);
  const std::string first = HeadBytes(answer, answer.content_length, head.close);
  if (!transfer.Write(first, NowMicros() + kWriteTime)) return false;
  if (head.method == "HEAD") return !head.close;
  StreamBody body(transfer, answer.content_length);
  uint64_t quiet_since = NowMicros(), checked = quiet_since;
  std::string piece;
  while (!stopping_) {
    if (NowMicros() - checked > kCheckMicros) {
      if (!access_.IsStill(head, caller)) return false;  // Was removed, or has signed out.
      checked = NowMicros();
    }
    api::BodyStream::Event event;
    {
      const Slot slot(working_, kPatience);
      if (!slot.held()) return false;
      event = answer.stream->Next(&piece);
    }
    if (event == api::BodyStream::Event::kEnd) return body.End() && !head.close;
    if (event == api::BodyStream::Event::kWait) {
      if (transfer.PeerGone()) return false;
      if (!events || NowMicros() - quiet_since <= kIdleTime) {
        std::this_thread::sleep_for(kPause);
        continue;
      }
      piece = ": still here\n\n";  // A comment in event streams.
    }
    quiet_since = NowMicros();
    if (!body.Write(piece)) return false;
  }
  return false;
}

std::string RefusalBytes(const Refusal& refusal, bool head_only) {
  const api::Response answer = AnswerOf(refusal);
  return HeadBytes(answer, answer.body.size(), true) + (head_only ? "" : answer.body);
}

}  // namespace varve::http
