// SPDX-License-Identifier: Apache-2.0
// The head of an HTTP request, taken apart strictly. Pure: bytes in, struct or refusal out.
//
//   GET /api/v1/targets?page_size=10 HTTP/1.1 CRLF
//   Host: 127.0.0.1:8420 CRLF
//   CRLF
//
// Everything that two parsers could read differently is refused, not repaired: another version, a
// bare LF or CR, a folded header, white space around a name, any Transfer-Encoding, a repeated or
// signed Content-Length, a body where none belongs, NUL, '#', "%00". What passes has one reading,
// and nobody parses these bytes again
// (core/decisions/0015-a-door-before-cpp-httplib.md).
//
// Written by: nobody. Read by: connection.cc, which collects the bytes; guard.h, which judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace varve::http {

inline constexpr size_t kHeadBytesMax = 16 << 10;
inline constexpr size_t kTargetBytesMax = 2 << 10;
inline constexpr size_t kHeadersMax = 64;
inline constexpr uint64_t kBodyBytesMax = 64 << 10;

// Why a request is answered by the door and goes no further. The connection closes after it.
struct Refusal {
  int status = 0;         // Of HTTP.
  std::string_view code;  // "bad_request", as in api.md section 4.
  std::string why;        // For people; shows no byte of the request that is not printable.
};

struct RequestHead {
  std::string method = {};
  std::string target = {};     // Path and query, percent-encoded as sent; begins with '/'.
  std::string authority = {};  // Of an absolute-form target ("http://authority/path"), else empty.
  std::vector<std::pair<std::string, std::string>> headers = {};  // Names in lower case.
  uint64_t content_length = 0;
  bool close = false;  // "Connection: close".

  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  // Null if there is none; headers that matter here are there at most once.
  const std::string* Find(std::string_view lower_case_name) const;
};

// Where the head ends (behind its empty line), nullopt if that has not come yet.
std::optional<size_t> FindHeadEnd(std::string_view bytes);

// What `bytes`, which have no end of head yet, will be refused for whatever follows: being too
// long, or a line that is too long already. Lets the door answer without waiting for the rest.
std::optional<Refusal> CheckUnfinishedHead(std::string_view bytes);

// `bytes` is one head, its empty line included.
std::optional<Refusal> ParseHead(std::string_view bytes, RequestHead* head);

// ASCII only, as HTTP wants it.
std::string LowerCase(std::string_view text);

}  // namespace varve::http
