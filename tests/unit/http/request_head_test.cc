// SPDX-License-Identifier: Apache-2.0
#include "webview/http/request_head.h"

#include <doctest/doctest.h>

#include <random>

namespace varve::http {
namespace {

// 200 for a head that is let through, 0 for one that may go on, else the status it is refused with.
int StatusOf(std::string bytes, RequestHead* head) {
  HeadParser parser;
  const auto refusal = parser.Take(&bytes, head);
  if (refusal) return refusal->status;
  return parser.done() ? 200 : 0;
}
int StatusOf(const std::string& bytes) {
  RequestHead head;
  return StatusOf(bytes, &head);
}

std::string Get(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + more + "\r\n";
}

TEST_CASE("RequestHead: a well-formed head is parsed") {
  RequestHead head;
  REQUIRE(StatusOf("POST http://H:80/api/v1/jobs?x=%41 HTTP/1.1\r\nHost:\tH:80 \r\n"
                   "Content-Length: 12\r\nConnection: keep-alive, Close\r\n\r\n",
                   &head) == 200);
  CHECK(head.method == "POST");
  CHECK(head.authority == "H:80");
  CHECK(head.target == "/api/v1/jobs?x=%41");
  CHECK(head.path() == "/api/v1/jobs");
  REQUIRE(head.Find("host") != nullptr);
  CHECK(*head.Find("host") == "H:80");
  CHECK(head.content_length == 12);
  CHECK(head.close);
}

TEST_CASE("RequestHead: a first line that is not one is refused") {
  for (const std::string line :
       {"GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /", "GET", "get / HTTP/1.1",
        "GET\t/ HTTP/1.1", "BREW / HTTP/1.1", "GET / http/1.1", "GET / HTTP/11", "GET x HTTP/1.1",
        "GET * HTTP/1.1", "GET //a b HTTP/1.1", "GET https://h/ HTTP/1.1", "GET http:///x HTTP/1.1",
        "GET / HTTP/1.1\r", "CONNECT h:80 HTTP/1.1"}) {
    INFO(line);
    CHECK(StatusOf(line + "\r\nHost: h\r\n\r\n") == 400);
  }
  CHECK(StatusOf("GET / HTTP/1.0\r\nHost: h\r\n\r\n") == 505);
  CHECK(StatusOf("GET / HTTP/2.0\r\nHost: h\r\n\r\n") == 505);
  CHECK(StatusOf("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == 505);
  CHECK(StatusOf(Get("/")) == 200);
}

TEST_CASE("RequestHead: an address holds what RFC 3986 allows, and no zero byte") {
  CHECK(StatusOf(Get("/a-._~!$&'()*+,;=:@/?b%2F%ff")) == 200);
  for (const std::string target : {"/a#b", "/%00", "/a%00b", "/%", "/%4", "/%zz", "/a\\b", "/a|b",
                                   "/\"", "/<", "/a\x80", "/a\x7f", "/{t}", "/^"}) {
    INFO(target);
    CHECK(StatusOf(Get(target)) == 400);
  }
  CHECK(StatusOf(Get("/" + std::string(2047, 'a'))) == 200);
  CHECK(StatusOf(Get("/" + std::string(2048, 'a'))) == 414);
}

TEST_CASE("RequestHead: what two parsers could frame differently is refused") {
  for (const std::string more : {"Transfer-Encoding: chunked\r\n",
                                 "transfer-encoding: identity\r\n",
                                 "Content-Length: +0\r\n",
                                 "Content-Length: -1\r\n",
                                 "Content-Length: 0x0\r\n",
                                 "Content-Length: 0, 0\r\n",
                                 "Content-Length:\r\n",
                                 "Content-Length: 00\r\n",
                                 "Content-Length: 1\r\n",
                                 "Content-Length: 0\r\nContent-Length: 0\r\n",
                                 "Upgrade: h2c\r\n",
                                 "A : b\r\n",
                                 " A: b\r\n",
                                 "A: b\r\n c\r\n",
                                 ": b\r\n",
                                 "A\r\n",
                                 "A: \x01\r\n",
                                 "A\xff: b\r\n",
                                 "A: b\n",
                                 "A: b\rc\r\n",
                                 "Origin: a\r\nOrigin: a\r\n"}) {
    INFO(more);
    CHECK(StatusOf(Get("/", more)) == 400);
  }
  CHECK(StatusOf("\r\n" + Get("/")) == 400);
  CHECK(StatusOf(Get("/", std::string("A: b\0c\r\n", 8))) == 400);
  CHECK(StatusOf(Get("/", "Host: h\r\n")) == 403);
  CHECK(StatusOf(Get("/", "Expect: 100-continue\r\n")) == 417);
  CHECK(StatusOf(Get("/", "Content-Encoding: gzip\r\n")) == 415);
  CHECK(StatusOf(Get("/", "Content-Length: 0\r\nX: \xc3\xa4\r\n")) == 200);
}

TEST_CASE("RequestHead: each limit holds to the byte") {
  const auto headers = [](size_t n) {
    std::string more;
    for (size_t i = 0; i < n; ++i) more += "X" + std::to_string(i) + ": y\r\n";
    return more;
  };
  CHECK(StatusOf(Get("/", headers(kHeadersMax - 1))) == 200);  // And Host.
  CHECK(StatusOf(Get("/", headers(kHeadersMax))) == 431);
  const std::string frame = Get("/", "X: \r\n");
  CHECK(StatusOf(Get("/", "X: " + std::string(kHeadBytesMax - frame.size(), 'y') + "\r\n")) == 200);
  CHECK(StatusOf(Get("/", "X: " + std::string(kHeadBytesMax - frame.size() + 1, 'y') + "\r\n")) ==
        431);
  const auto post = [](const std::string& length) {
    return StatusOf("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n");
  };
  CHECK(post("65536") == 200);
  CHECK(post("65537") == 413);
  CHECK(post("18446744073709551615") == 413);
  CHECK(post("18446744073709551616") == 400);
}

TEST_CASE("RequestHead: a head may come byte by byte, and what follows it is left alone") {
  const std::string whole = Get("/a", "A: b\r\nContent-Length: 0\r\n");
  std::string bytes;
  HeadParser parser;
  RequestHead head;
  for (const char c : whole) {
    REQUIRE_FALSE(parser.done());
    bytes += c;
    REQUIRE_FALSE(parser.Take(&bytes, &head));
  }
  CHECK(parser.done());
  CHECK(bytes.empty());
  CHECK(head.target == "/a");
  CHECK(head.headers.size() == 3);

  bytes = whole + "\r\n folded";
  HeadParser another;
  CHECK_FALSE(another.Take(&bytes, &head));
  CHECK(another.done());
  CHECK(bytes == "\r\n folded");
}

TEST_CASE("RequestHead: a fold and a limit are seen however the bytes come") {
  for (const auto& [bad, status] :
       {std::pair(Get("/", "A: b\r\n c\r\n"), 400), std::pair(Get("/", "A: b\r\n\tc\r\n"), 400),
        std::pair(Get("/", "A: " + std::string(kHeadBytesMax, 'y') + "\r\n"), 431),
        std::pair("GET /" + std::string(kHeadBytesMax, 'a'), 431)}) {
    for (const size_t step : {1, 2, 3, 7, 100}) {
      HeadParser parser;
      RequestHead head;
      std::string bytes;
      std::optional<Refusal> refusal;
      for (size_t at = 0; at < bad.size() && !refusal; at += step) {
        bytes += bad.substr(at, step);
        refusal = parser.Take(&bytes, &head);
      }
      REQUIRE(refusal);
      CHECK(refusal->status == status);
    }
  }
}

TEST_CASE("RequestHead: an unfinished head is refused as soon as nothing can save it") {
  CHECK(StatusOf("GET / HTTP/1.1\r") == 0);
  CHECK(StatusOf("GET / HTTP/1.1\nHost: h\n\n") == 400);
  CHECK(StatusOf("\r\n") == 400);
  CHECK(StatusOf("GET /" + std::string(kHeadBytesMax - 6, 'a')) == 0);
  CHECK(StatusOf("GET /" + std::string(kHeadBytesMax - 5, 'a')) == 431);
}

TEST_CASE("RequestHead: no bytes at all break the parser, and what it lets through is clean") {
  const std::string seed =
      Get("/api/v1/targets?key=%41", "Content-Length: 0\r\nOrigin: http://h\r\n");
  std::mt19937_64 random(17);
  int passed = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes = seed;
    for (uint64_t n = random() % 4; n-- > 0;) {
      const size_t at = random() % bytes.size();
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.insert(at, 1, "\r\n :%\0a"[random() % 7]);
          break;
        default:
          bytes.erase(at, 1 + random() % 5);
      }
      if (bytes.empty()) bytes = "x";
    }
    RequestHead head;
    if (StatusOf(bytes, &head) != 200) continue;
    ++passed;
    CHECK(head.target.front() == '/');
    CHECK(head.target.find_first_of(std::string("\0\r\n #", 5)) == std::string::npos);
    for (const auto& [name, value] : head.headers) {
      CHECK(value.find_first_of(std::string("\0\r\n", 3)) == std::string::npos);
      CHECK(name == LowerCase(name));
    }
  }
  CHECK(passed > 50'000);
}

TEST_CASE("RequestHead: only the bytes of a POST may be many") {
  const auto post = [](const std::string& method, const std::string& type, const char* length) {
    return StatusOf(method + " /api HTTP/1.1\r\nHost: h\r\nContent-Type: " + type +
                    "\r\nContent-Length: " + length + "\r\n\r\n");
  };
  CHECK(post("POST", "application/octet-stream", "1099511627776") == 200);
  CHECK(post("POST", "application/octet-stream", "1099511627777") == 413);
  CHECK(post("POST", "application/json", "65537") == 413);
  CHECK(post("PATCH", "application/octet-stream", "65537") == 413);
}

}  // namespace
}  // namespace varve::http
