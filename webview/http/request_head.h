// SPDX-License-Identifier: Apache-2.0
// The head of an HTTP request, taken apart strictly. Pure: bytes in, struct or refusal out.
//
//   GET /api/v1/targets?page_size=10 HTTP/1.1 CRLF
//   Host: 127.0.0.1:8420 CRLF
//   CRLF
//
// Boost.Beast reads the lines and refuses what is none: a bare LF or CR, white space around a name,
// NUL, a length that does not go with the coding. What it would let pass and two parsers could read
// differently is refused here, not repaired: another version, a folded header, any
// Transfer-Encoding, a repeated Content-Length or one with signs or zeros, a body where none
// belongs, '#', "%00". What passes has one reading (core/decisions/0021-boost-beast.md).
//
// Written by: nobody. Read by: server.cc, which collects the bytes; guard.h, which judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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

// Takes one head from the bytes of a connection, as they come.
class HeadParser {
 public:
  HeadParser();
  ~HeadParser();
  HeadParser(const HeadParser&) = delete;
  HeadParser& operator=(const HeadParser&) = delete;

  // Takes what is of the head, and whole, from the front of *bytes; what follows the head stays.
  // *head has all once done(), and with a refusal at least the method, if that was there.
  std::optional<Refusal> Take(std::string* bytes, RequestHead* head);
  bool done() const;

 private:
  class Lines;  // Beast's.
  std::unique_ptr<Lines> lines_;
  size_t taken_ = 0;
};

// ASCII only, as HTTP wants it.
std::string LowerCase(std::string_view text);

}  // namespace varve::http
