// SPDX-License-Identifier: Apache-2.0
// The headers of an answer that reading parts of a file needs (RFC 9110).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace varve {

// Content-Range: "bytes 0-499/1234", "bytes 0-499/*", "bytes */1234".
struct ContentRange {
  std::optional<uint64_t> first, last, total;  // first and last: both or none; first <= last.
};
// Nullopt if it is anything else, or last is not below total.
std::optional<ContentRange> ParseContentRange(std::string_view value);

struct HttpHeaders {
  long code = 0;
  std::string etag, last_modified, content_encoding, content_range;
  std::optional<uint64_t> content_length;
  size_t bytes = 0;  // Of all header lines, of redirects too.

  // A line as it is received. A status line begins a new answer: that of a redirect's target.
  void Take(std::string_view line);
};

// A strong validator: "..." and not W/"..." (RFC 9110, 8.8.1).
inline bool IsStrongEtag(std::string_view etag) { return etag.starts_with('"'); }

}  // namespace varve
