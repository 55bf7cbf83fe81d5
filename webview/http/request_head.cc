// SPDX-License-Identifier: Apache-2.0
#include "webview/http/request_head.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <charconv>

namespace varve::http {
namespace {

namespace beast = boost::beast::http;

constexpr std::array<std::string_view, 9> kKnown = {"GET",     "HEAD", "POST",  "PATCH",  "DELETE",
                                                    "OPTIONS", "PUT",  "TRACE", "CONNECT"};

// Headers that would be ambiguous if they occurred twice.
constexpr std::array<std::string_view, 13> kOnlyOnce = {
    "host",   "content-length", "content-type",   "authorization",  "origin",
    "range",  "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "if-none-match",
    "expect", "connection",     "cookie"};

Refusal Bad(std::string why) { return {400, "bad_request", std::move(why)}; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool IsTargetByte(char c) {  // RFC 3986: allowed in path and query.
  return IsLetter(c) || IsDigit(c) ||
         std::string_view("-._~!$&'()*+,;=:@/?%").find(c) != std::string_view::npos;
}

std::optional<Refusal> CheckTarget(std::string_view target) {
  for (size_t i = 0; i < target.size(); ++i) {
    if (!IsTargetByte(target[i])) {
      return Bad("the request's address has a byte that must be percent-encoded");
    }
    if (target[i] != '%') continue;
    if (i + 2 >= target.size() || !IsHexDigit(target[i + 1]) || !IsHexDigit(target[i + 2])) {
      return Bad("a '%' in the request's address is not followed by two hex digits");
    }
    if (target[i + 1] == '0' && target[i + 2] == '0') {
      return Bad("%00 in the request's address (write the key as hex:… or esc:…)");
    }
  }
  return std::nullopt;
}

std::optional<Refusal> ParseTarget(std::string_view target, RequestHead* head) {
  constexpr std::string_view kScheme = "http://";
  if (target.size() > kTargetBytesMax) {
    return Refusal{414, "payload_too_large", "the request's address is longer than 2048 bytes"};
  }
  if (LowerCase(target.substr(0, kScheme.size())) == kScheme) {
    target.remove_prefix(kScheme.size());
    const size_t slash = target.find('/');
    if (slash == 0 || slash == std::string_view::npos)
      return Bad("the address names no host or path");
    head->authority = target.substr(0, slash);
    target.remove_prefix(slash);
  }
  if (target.empty() || target.front() != '/')
    return Bad("the request's address must begin with '/'");
  head->target = target;
  return CheckTarget(target);
}

Refusal OtherVersion() { return {505, "bad_request", "only HTTP/1.1 is spoken here"}; }
Refusal TooLong() { return {431, "payload_too_large", "the head is longer than 16384 bytes"}; }

// `rest` begins with the bytes that Beast rejected: with the whole first line if that is wrong.
Refusal RefusalOf(const boost::system::error_code& error, std::string_view rest) {
  if (error == beast::error::header_limit) return TooLong();
  if (error == beast::error::bad_version) {
    const std::string_view line = rest.substr(0, rest.find('\r'));
    const std::string_view version = line.substr(line.find(' ', line.find(' ') + 1) + 1);
    const bool other = version.size() == 8 && version.starts_with("HTTP/") && IsDigit(version[5]) &&
                       version[6] == '.' && IsDigit(version[7]) && version != "HTTP/1.1";
    if (other) return OtherVersion();
  }
  return Bad("the request is not HTTP/1.1: " + error.message());
}

// The length of the body; must be in canonical form.
std::optional<Refusal> CheckContentLength(const std::string& text, RequestHead* head) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), head->content_length);
  if (error != std::errc() || std::to_string(head->content_length) != text) {
    return Bad("Content-Length is not a plain number");
  }
  const uint64_t max = IsUpload(*head) ? kUploadBytesMax : kBodyBytesMax;
  if (head->content_length <= max) return std::nullopt;
  return Refusal{413, "payload_too_large",
                 "the body is longer than " + std::to_string(max) + " bytes"};
}

// Checks the headers about message framing.
std::optional<Refusal> CheckFraming(RequestHead* head) {
  for (const std::string_view name : kOnlyOnce) {
    const auto named = [name](const auto& header) { return header.first == name; };
    if (std::count_if(head->headers.begin(), head->headers.end(), named) <= 1) continue;
    // With two Host headers, the answer is that of a wrong host.
    if (name == "host") return Refusal{403, "forbidden", "more than one Host header"};
    return Bad("header " + std::string(name) + " is there more than once");
  }
  if (head->Find("transfer-encoding") != nullptr) {
    return Bad("Transfer-Encoding is not accepted; send Content-Length");
  }
  if (head->Find("content-encoding") != nullptr) {  // A small body might decompress to a large one.
    return Refusal{415, "unsupported_media_type",
                   "Content-Encoding is not taken; send the body as it is"};
  }
  if (head->Find("upgrade") != nullptr) return Bad("Upgrade is not supported");
  if (head->Find("expect") != nullptr) {
    return Refusal{417, "bad_request", "Expect is not taken; send the body at once"};
  }
  if (const std::string* length = head->Find("content-length")) {
    if (auto refusal = CheckContentLength(*length, head)) return refusal;
  }
  const bool has_body = head->method == "POST" || head->method == "PATCH" || head->method == "PUT";
  if (head->content_length > 0 && !has_body) return Bad(head->method + " takes no body");
  if (const std::string* connection = head->Find("connection")) {
    head->close = LowerCase(*connection).find("close") != std::string::npos;
  }
  return std::nullopt;
}

}  // namespace

const std::string* RequestHead::Find(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return &value;
  }
  return nullptr;
}

bool IsUpload(const RequestHead& head) {
  const std::string* type = head.Find("content-type");
  return head.method == "POST" && type != nullptr && LowerCase(*type) == "application/octet-stream";
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

class HeadParser::Lines : public beast::request_parser<beast::empty_body> {
 public:
  std::optional<Refusal> CopyTo(RequestHead* head) const {
    const auto& request = get();
    if (request.version() != 11) return OtherVersion();
    if (std::find(kKnown.begin(), kKnown.end(), request.method_string()) == kKnown.end()) {
      return Bad("unknown method");
    }
    for (const auto& field : request) {
      head->headers.emplace_back(LowerCase(field.name_string()), field.value());
    }
    if (head->headers.size() > kHeadersMax) {
      return Refusal{431, "payload_too_large", "more than 64 headers"};
    }
    if (auto refusal = ParseTarget(request.target(), head)) return refusal;
    return CheckFraming(head);
  }
};

HeadParser::HeadParser() : lines_(std::make_unique<Lines>()) {
  lines_->header_limit(kHeadBytesMax);
  lines_->body_limit(UINT64_MAX);  // CheckContentLength() checks it.
}
HeadParser::~HeadParser() = default;

bool HeadParser::done() const { return lines_->is_header_done(); }

std::optional<Refusal> HeadParser::Take(std::string* bytes, RequestHead* head) {
  // Beast's limit applies to each call.
  const std::string_view offered = std::string_view(*bytes).substr(0, kHeadBytesMax - taken_);
  boost::system::error_code error;
  const size_t size = lines_->put(boost::asio::buffer(offered), error);
  *head = {.method = std::string(lines_->get().method_string())};
  if (error && error != beast::error::need_more) return RefusalOf(error, offered.substr(size));
  // Beast joins the lines of a folded header, which it reads in one call.
  const std::string_view lines = offered.substr(0, size);
  if (lines.find("\r\n ") != std::string_view::npos ||
      lines.find("\r\n\t") != std::string_view::npos) {
    return Bad("a header is folded over two lines");
  }
  taken_ += size;
  if (!done() && taken_ + bytes->size() - size >= kHeadBytesMax) return TooLong();
  bytes->erase(0, size);
  return done() ? lines_->CopyTo(head) : std::nullopt;
}

}  // namespace varve::http
