// SPDX-License-Identifier: Apache-2.0
#include "webview/http/request_head.h"

#include <algorithm>
#include <array>

namespace varve::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

constexpr std::array<std::string_view, 9> kKnown = {"GET",     "HEAD", "POST",  "PATCH",  "DELETE",
                                                    "OPTIONS", "PUT",  "TRACE", "CONNECT"};

// Headers of which a second one would leave it open which of them counts.
constexpr std::array<std::string_view, 12> kOnlyOnce = {
    "host",           "content-length", "content-type",   "authorization", "origin", "range",
    "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "if-none-match", "expect", "connection"};

Refusal Bad(std::string why) { return {400, "bad_request", std::move(why)}; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool IsTokenByte(char c) {  // RFC 9110, tchar.
  return IsLetter(c) || IsDigit(c) ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsTargetByte(char c) {  // RFC 3986: what path and query may consist of.
  return IsLetter(c) || IsDigit(c) ||
         std::string_view("-._~!$&'()*+,;=:@/?%").find(c) != std::string_view::npos;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
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

std::optional<Refusal> ParseRequestLine(std::string_view line, RequestHead* head) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || line.find(' ', first + 1) != last) {
    return Bad("the first line must be METHOD ADDRESS HTTP/1.1 with one space between");
  }
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  if (std::find(kKnown.begin(), kKnown.end(), method) == kKnown.end()) {
    return Bad("unknown method");
  }
  if (version != "HTTP/1.1") {
    const bool other = version.size() == 8 && version.starts_with("HTTP/") && IsDigit(version[5]) &&
                       version[6] == '.' && IsDigit(version[7]);
    if (!other) return Bad("the first line does not end with HTTP/1.1");
    return Refusal{505, "bad_request", "only HTTP/1.1 is spoken here"};
  }
  head->method = method;
  return ParseTarget(line.substr(first + 1, last - first - 1), head);
}

std::optional<Refusal> ParseHeader(std::string_view line, RequestHead* head) {
  if (line.front() == ' ' || line.front() == '\t') return Bad("a header is folded over two lines");
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return Bad("a header has no name");
  const std::string_view name = line.substr(0, colon), value = Trim(line.substr(colon + 1));
  if (!std::all_of(name.begin(), name.end(), IsTokenByte)) {
    return Bad("a header's name has a byte that does not belong there");
  }
  for (const char c : value) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) {
      return Bad("a header's value has a control character");
    }
  }
  if (head->headers.size() == kHeadersMax) {
    return Refusal{431, "payload_too_large", "more than 64 headers"};
  }
  head->headers.emplace_back(LowerCase(name), std::string(value));
  return std::nullopt;
}

// The length of the body; the digits must be the one way to write it.
std::optional<Refusal> ParseContentLength(std::string_view text, uint64_t* length) {
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
  if (!digits || (text.size() > 1 && text.front() == '0')) {
    return Bad("Content-Length is not a plain number");
  }
  *length = 0;
  for (const char c : text) {
    *length = *length * 10 + static_cast<uint64_t>(c - '0');
    if (*length > kBodyBytesMax) {
      return Refusal{413, "payload_too_large", "the body is longer than 65536 bytes"};
    }
  }
  return std::nullopt;
}

// What the headers say about the message itself.
std::optional<Refusal> CheckFraming(RequestHead* head) {
  for (const std::string_view name : kOnlyOnce) {
    const auto named = [name](const auto& header) { return header.first == name; };
    if (std::count_if(head->headers.begin(), head->headers.end(), named) <= 1) continue;
    // Which of two hosts is meant is a question about the host.
    if (name == "host") return Refusal{403, "forbidden", "more than one Host header"};
    return Bad("header " + std::string(name) + " is there more than once");
  }
  if (head->Find("transfer-encoding") != nullptr) {
    return Bad("Transfer-Encoding is not taken; send Content-Length");
  }
  if (head->Find("content-encoding") != nullptr) {  // A small body that unpacks to a large one.
    return Refusal{415, "unsupported_media_type",
                   "Content-Encoding is not taken; send the body as it is"};
  }
  if (head->Find("upgrade") != nullptr) return Bad("there is nothing to upgrade to");
  if (head->Find("expect") != nullptr) {
    return Refusal{417, "bad_request", "Expect is not taken; send the body at once"};
  }
  if (const std::string* length = head->Find("content-length")) {
    if (auto refusal = ParseContentLength(*length, &head->content_length)) return refusal;
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

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::optional<size_t> FindHeadEnd(std::string_view bytes) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  const size_t end = bytes.find(kEnd);
  if (end == std::string_view::npos) return std::nullopt;
  return end + kEnd.size();
}

std::optional<Refusal> CheckUnfinishedHead(std::string_view bytes) {
  if (bytes.size() > kHeadBytesMax) {
    return Refusal{431, "payload_too_large", "the head is longer than 16384 bytes"};
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    // A CR that is the last byte so far may still get its LF.
    const bool bare_lf = bytes[i] == '\n' && (i == 0 || bytes[i - 1] != '\r');
    const bool bare_cr = bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] != '\n';
    if (bare_lf || bare_cr) return Bad("a line ends with a bare LF or CR");
    if (bytes[i] == '\0') return Bad("a NUL in the head");
  }
  if (bytes.starts_with(kLineEnd)) return Bad("an empty line before the request");
  return std::nullopt;
}

std::optional<Refusal> ParseHead(std::string_view bytes, RequestHead* head) {
  *head = {};
  if (auto refusal = CheckUnfinishedHead(bytes)) return refusal;
  for (bool first = true;; first = false) {
    const size_t end = bytes.find(kLineEnd);
    if (end == std::string_view::npos) return Bad("the head has no end");
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + kLineEnd.size());
    if (line.empty()) break;
    if (auto refusal = first ? ParseRequestLine(line, head) : ParseHeader(line, head))
      return refusal;
  }
  if (!bytes.empty() || head->method.empty()) return Bad("the head is not one head");
  return CheckFraming(head);
}

}  // namespace varve::http
