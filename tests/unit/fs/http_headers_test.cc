// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/http_headers.h"

#include <doctest/doctest.h>

#include <string>

namespace varve {
namespace {

TEST_CASE("ranges that a server says it sends") {
  const auto range = ParseContentRange("bytes 5-9/100");
  REQUIRE(range);
  CHECK(range->first == 5);
  CHECK(range->last == 9);
  CHECK(range->total == 100);
  CHECK(ParseContentRange("bytes 0-0/*")->total == std::nullopt);
  CHECK(ParseContentRange("bytes */7")->first == std::nullopt);
  for (const char* wrong : {"", "bytes", "bytes 5-9", "items 5-9/100", "bytes 9-5/100",
                            "bytes 5-100/100", "bytes -9/100", "bytes 5-/100", "bytes 5-9/x",
                            "bytes 5-99999999999999999999/*", "bytes +5-9/100"}) {
    CHECK_MESSAGE(!ParseContentRange(wrong), wrong);
  }
}

TEST_CASE("headers of the last answer count, bytes of all") {
  HttpHeaders headers;
  headers.Take("HTTP/1.1 302 Found\r\n");
  headers.Take("ETag: \"old\"\r\n");
  headers.Take("HTTP/2 206\r\n");
  CHECK(headers.etag.empty());
  headers.Take("eTaG:  \"new\" \r\n");
  headers.Take("Content-Length: 12\r\n");
  headers.Take("Last-Modified: " + std::string(5000, 'x') + "\r\n");
  headers.Take("no colon\r\n");
  CHECK(headers.code == 206);
  CHECK(headers.etag == "\"new\"");
  CHECK(headers.content_length == 12);
  CHECK(headers.last_modified.empty());
  CHECK(headers.bytes > 5000);
  CHECK(IsStrongEtag(headers.etag));
  CHECK_FALSE(IsStrongEtag("W/\"new\""));
}

}  // namespace
}  // namespace varve
