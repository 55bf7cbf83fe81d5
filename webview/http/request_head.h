// SPDX-License-Identifier: Apache-2.0
// Strict parser of HTTP request heads. Pure: bytes in, struct or refusal out.
//
//   GET /api/v1/targets?page_size=10 HTTP/1.1 CRLF
//   Host: 127.0.0.1:8420 CRLF
//   CRLF
//
// Boost.Beast parses the lines and rejects malformed ones: a bare LF or CR, white space around a
// name, NUL, a length that contradicts the transfer coding. What it accepts but two parsers could
// interpret differently is rejected here, not repaired: another version, a folded header, any
// Transfer-Encoding, a repeated Content-Length or one with signs or zeros, a body where none is
// allowed, '#', "%00". Accepted heads are unambiguous (core/decisions/0021-boost-beast.md).
//
// Used by server.cc, which collects the bytes, and guard.h, which checks the result.
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
// Of a body that is read in pieces: IsUpload().
inline constexpr uint64_t kUploadBytesMax = uint64_t{1} << 40;

// Why a request is refused before routing. The connection is closed after the answer.
struct Refusal {
  int status = 0;         // HTTP status.
  std::string_view code;  // A problem's code, e.g. "bad_request".
  std::string why;        // For people; contains only printable bytes of the request.
  bool sign_in = false;   // Of 401: there are users with passwords.
};

struct RequestHead {
  std::string method = {};
  std::string target = {};     // Path and query, percent-encoded as sent; begins with '/'.
  std::string authority = {};  // Of an absolute-form target ("http://authority/path"), else empty.
  std::vector<std::pair<std::string, std::string>> headers = {};  // Names in lower case.
  uint64_t content_length = 0;
  bool close = false;  // "Connection: close".

  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  // Null if there is none; relevant headers occur at most once.
  const std::string* Find(std::string_view lower_case_name) const;
};

// Whether the body is bytes of a file: a POST with the type application/octet-stream.
bool IsUpload(const RequestHead& head);

// Parses one head from the bytes of a connection as they arrive.
class HeadParser {
 public:
  HeadParser();
  ~HeadParser();
  HeadParser(const HeadParser&) = delete;
  HeadParser& operator=(const HeadParser&) = delete;

  // Consumes complete lines of the head from the front of *bytes; leaves what follows the head.
  // *head is complete once done(); with a refusal it has at least the method, if there was one.
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
