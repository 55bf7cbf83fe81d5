// SPDX-License-Identifier: Apache-2.0
// …/files/{n} and what is below it: facts as the goldens' own manifest tells them, bytes, ETags.
#include <fstream>
#include <sstream>

#include "fixture_service.h"
#include "memory_database.h"
#include "tests/drain_body.h"
#include "webview/api/routing/byte_range.h"

namespace varve::api {
namespace {

constexpr const char* kTable = "sst/r119_comp_zstd_fv7.sst";

std::string FileBytes(const std::string& name) {
  std::ifstream in(VARVE_FIXTURES "/" + name, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

TEST_CASE("bytes are the file's, whole or in part") {
  FixtureService fixture({kTable});
  const std::string file = FileBytes(kTable);
  const auto ask = [&](const std::string& range) {
    return fixture.Ask(
        {.target = "/api/v1/targets/t1/files/0/bytes", .headers = {{"range", range}}});
  };
  Response whole = fixture.Get("/targets/t1/files/0/bytes");
  CHECK(whole.content_length == file.size());
  CHECK(DrainBody(&whole) == file);
  Response part = ask("bytes=10-19");
  CHECK(part.status == 206);
  CHECK(*FindHeader(part.headers, "content-range") == "bytes 10-19/" + std::to_string(file.size()));
  CHECK(DrainBody(&part) == file.substr(10, 10));
  Response tail = ask("bytes=-8");
  CHECK(DrainBody(&tail) == file.substr(file.size() - 8));
  const Response behind = ask("bytes=" + std::to_string(file.size()) + "-");
  CHECK(behind.status == 416);
  CHECK(*FindHeader(behind.headers, "Content-Range") == "bytes */" + std::to_string(file.size()));
}

TEST_CASE("a range is understood or ignored, as RFC 9110 has it") {
  const auto range = [](std::string_view header) {
    const auto parsed = ParseRange(header, 100);
    REQUIRE(parsed.ok());
    return *parsed ? std::to_string((**parsed).offset) + "+" + std::to_string((**parsed).size)
                   : std::string("all");
  };
  CHECK(range("bytes=0-0") == "0+1");
  CHECK(range("bytes=5-") == "5+95");
  CHECK(range("bytes=90-200") == "90+10");
  CHECK(range("bytes=-200") == "0+100");
  for (const char* ignored : {"bytes=", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=1-2,4-5",
                              "bytes=9-1", "bytes=1", "bytes=99999999999999999999-"}) {
    CHECK(range(ignored) == "all");
  }
  CHECK(!ParseRange("bytes=100-", 100).ok());
  CHECK(!ParseRange("bytes=-0", 100).ok());
  CHECK(!ParseRange("bytes=-1", 0).ok());
}

TEST_CASE("immutable answers have an ETag and are not sent twice") {
  FixtureService fixture({kTable, "sst/ldb123_bloom.ldb"});
  for (const std::string resource :
       {"/targets/t1/files/0/footer", "/targets/t2/files/0/properties"}) {
    const Response first = fixture.Get(resource);
    const std::string* tag = FindHeader(first.headers, "ETag");
    REQUIRE(tag != nullptr);
    const auto again = [&](const std::string& target, const std::string& known) {
      return fixture.Ask({.target = "/api/v1" + target, .headers = {{"If-None-Match", known}}});
    };
    CHECK(again(resource, *tag).status == 304);
    CHECK(again(resource, *tag).body.empty());
    CHECK(again(resource, "\"x\", " + *tag).status == 304);
    CHECK(again(resource, "W/\"other\"").status == 200);
  }
  CHECK(FindHeader(fixture.Get("/targets/t1").headers, "ETag") == nullptr);
  CHECK(*FindHeader(fixture.Get("/targets/t1").headers, "Cache-Control") == "no-store");
}

TEST_CASE("get finds, does not find, and looks into the past") {
  MemoryDatabase box;
  box.Put("k", "old");
  box.Put("k", "new");
  const Json found = box.Document("/cfs/default/get?key=hex:6b");
  CHECK(found["found"] == true);
  CHECK(found["value"]["text"] == "new");
  CHECK(box.Document("/cfs/default/get?key=k&at_seq=1")["value"]["text"] == "old");
  const Response absent = box.Get("/cfs/default/get?key=nothing");
  CHECK(absent.status == 200);
  CHECK(absent.exit_code == 1);
  CHECK(Json::parse(absent.body)["found"] == false);
  CHECK(box.Get("/cfs/default/get").status == 400);
  CHECK(box.Get("/cfs/default/get?key=k&at_seq=99").status == 400);
}

TEST_CASE("multiget answers in the order asked") {
  MemoryDatabase box;
  box.Put("a", "1");
  box.Put("c", "3");
  const Response response =
      Handle(box.service(), {.method = "POST",
                             .target = "/api/v1/targets/t1/cfs/default:multiget",
                             .headers = {{"Content-Type", "application/json"}},
                             .body = R"({"keys":["c","b","hex:61","c"]})"});
  REQUIRE_MESSAGE(response.status == 200, response.body);
  const Json results = Json::parse(response.body)["results"];
  REQUIRE(results.size() == 4);
  CHECK(results[0]["value"]["text"] == "3");
  CHECK(results[1]["found"] == false);
  CHECK(results[2]["value"]["text"] == "1");
  CHECK(results[3] == results[0]);
}

TEST_CASE("a read sees what was written since the last one") {
  MemoryDatabase box;
  box.Put("k", "1");
  CHECK(box.Document("/cfs/default/get?key=k")["value"]["text"] == "1");
  box.Put("k", "2");
  CHECK(box.Document("/cfs/default/get?key=k")["value"]["text"] == "2");
  CHECK(box.db().Flush().ok());
  box.Put("k", "3");
  CHECK(box.Document("/cfs/default/get?key=k")["value"]["text"] == "3");
  CHECK(box.Document("/files")["count"] == 1);
}

TEST_CASE("numbers that JSON cannot carry are noticed") {
  CHECK(NumbersAreExact(Json{{"a", uint64_t{1} << 53}, {"b", Json::array({-1, 2.5, "x"})}}));
  CHECK(!NumbersAreExact(Json{{"a", Json::array({(uint64_t{1} << 53) + 1})}}));
  CHECK(!NumbersAreExact(Json(std::numeric_limits<int64_t>::min())));
  Json foreign = {{"n", uint64_t{1} << 60}, {"m", 1}};
  QuoteLargeNumbers(&foreign);
  CHECK(foreign == Json{{"n", "1152921504606846976"}, {"m", 1}});
}

}  // namespace
}  // namespace varve::api
