// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/list.h"

#include "fixture_service.h"
#include "memory_database.h"

namespace varve::api {
namespace {

std::string KeyOf(int i) { return "key" + std::to_string(1000 + i); }

// 300 keys in tables of three levels' worth of flushes, some overwritten, some deleted.
void Fill(MemoryDatabase* box) {
  for (int round = 0; round < 3; ++round) {
    for (int i = round; i < 300; i += round + 1) box->Put(KeyOf(i), std::to_string(round));
    for (int i = round * 10; i < 300; i += 50) CHECK(box->db().Delete({}, KeyOf(i)).ok());
    if (round < 2) CHECK(box->db().Flush().ok());
  }
}

TEST_CASE("pages of any size are the whole scan, either way, of versions too") {
  MemoryDatabase box;
  Fill(&box);
  for (const std::string query :
       {"?keys_only=false", "?reverse=true", "?versions=true", "?prefix=key11",
        "?reverse=true&prefix=key11", "?from=key1100&to=key1200&reverse=true", "?limit=17"}) {
    const std::string resource = "/cfs/default/scan" + query;
    const Json whole = box.Document(resource + "&page_size=10000");
    REQUIRE(!whole.contains("next_page_token"));
    REQUIRE(whole["rows"].size() > 10);
    for (const int size : {1, 7, 1000}) {
      CAPTURE(query);
      CAPTURE(size);
      CHECK(box.Pages(resource + "&page_size=" + std::to_string(size), "rows") == whole["rows"]);
    }
  }
}

TEST_CASE("later pages show the moment of the first one") {
  MemoryDatabase box;
  Fill(&box);
  const Json whole = box.Document("/cfs/default/scan?page_size=10000");
  const Json first = box.Document("/cfs/default/scan?page_size=5");
  box.Put(KeyOf(7), "written later");
  box.Put("key9999", "written later");
  const Json rest = box.Document("/cfs/default/scan?page_size=10000&page_token=" +
                                 first["next_page_token"].get<std::string>());
  CHECK(rest["as_of"]["seq"] == first["as_of"]["seq"]);
  Json together = first["rows"];
  for (const Json& row : rest["rows"]) together.push_back(row);
  CHECK(together == whole["rows"]);
}

TEST_CASE("a token whose database has moved on has expired and says where to start again") {
  MemoryDatabase box;
  Fill(&box);
  const std::string token = box.Document("/cfs/default/scan?page_size=5")["next_page_token"];
  CHECK(box.db().Flush().ok());
  const Response expired = box.Get("/cfs/default/scan?page_size=5&page_token=" + token);
  CHECK(expired.status == 410);
  const Json problem = Json::parse(expired.body);
  CHECK(problem["code"] == "page_token_expired");
  const std::string again = problem["restart_href"];
  CHECK(Handle(box.service(), {.target = again}).status == 200);
}

TEST_CASE("a token is for the question that it answered") {
  MemoryDatabase box;
  Fill(&box);
  const std::string token = box.Document("/cfs/default/scan?page_size=5")["next_page_token"];
  const auto code = [&](const std::string& resource) {
    return Json::parse(box.Get(resource + "&page_token=" + token).body)["code"];
  };
  CHECK(code("/cfs/default/scan?reverse=true") == "page_token_mismatch");
  CHECK(code("/cfs/default/scan?from=a") == "page_token_mismatch");
  CHECK(code("/files?page_size=5") == "page_token_mismatch");
  CHECK(box.Get("/cfs/default/scan?page_size=6&bytes=hex&page_token=" + token).status == 200);
  std::string cut = token;
  while (!cut.empty()) {
    cut.pop_back();
    CHECK(box.Get("/cfs/default/scan?page_token=" + cut).status == 400);
  }
}

// Flips a byte of the database's only log, whose path is returned.
std::string FlipByteOfLog(MemoryDatabase* box, size_t at) {
  const auto entries = box->fs().List("box/db");
  REQUIRE(entries.ok());
  std::string path;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name.ends_with(".log")) path = "box/db/" + entry.name;
  }
  std::string bytes = *ReadFileToString(box->fs(), path, 1 << 20);
  REQUIRE(bytes.size() > at);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  auto file = box->fs().Create(path, /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(bytes).ok());
  return path;
}

TEST_CASE("the last page says what the whole list would: that a log is damaged") {
  MemoryDatabase box;
  for (int i = 0; i < 300; ++i) box.Put(KeyOf(i), std::string(300, 'v'));
  const std::string path = FlipByteOfLog(&box, 30'000);
  const std::string number = std::to_string(std::stoi(path.substr(path.rfind('/') + 1)));
  for (const std::string query : {"?", "?from_offset=20000&", "?from_offset=40000&"}) {
    CAPTURE(query);
    const std::string resource = "/wal/" + number + "/records" + query + "headers=true&page_size=";
    const Json whole = box.Document(resource + "10000");
    CHECK(whole["complete"] == (query == "?from_offset=40000&"));
    for (const std::string size : {"7", "60", "150"}) {
      CAPTURE(size);
      Json page = box.Document(resource + size);
      CHECK(page.contains("next_page_token"));
      while (page.contains("next_page_token")) {
        page = box.Document(resource + size +
                            "&page_token=" + page["next_page_token"].get<std::string>());
      }
      CHECK(page["complete"] == whole["complete"]);
      CHECK(page.value("problem", Json()) == whole.value("problem", Json()));
    }
  }
}

TEST_CASE("a page holds a MiB, and one row at least") {
  MemoryDatabase box;
  for (int i = 0; i < 8; ++i) box.Put(KeyOf(i), std::string(200'000, 'v'));
  box.Put("key2", std::string(2'000'000, 'w'));
  const std::string resource = "/cfs/default/scan?bytes=full";
  const Json first = box.Document(resource);
  CHECK(first["rows"].size() == 1);  // Hex and text: three bytes of JSON for one.
  CHECK(first["reason"] == "page");
  CHECK(box.Get(resource).body.size() < kPageBytesMax + 1000);
  const Json all = box.Pages(resource, "rows");
  REQUIRE(all.size() == 9);
  CHECK(all[8]["value"]["len"] == 2'000'000);
}

TEST_CASE("long values are cut, and href leads to all of them") {
  MemoryDatabase box;
  const std::string value = std::string(5000, 'x') + "end";
  const std::string long_key(3000, 'k');
  box.Put("a", "short");
  box.Put(long_key, value);
  box.Put("z", value);
  for (const std::string query : {"", "?reverse=true", "?versions=true"}) {
    const Json rows = box.Document("/cfs/default/scan" + query)["rows"];
    REQUIRE(rows.size() == 3);
    for (const Json& row : rows) {
      if (row["key"]["text"] == "a") {
        CHECK(!row["value"].contains("truncated"));
        continue;
      }
      CHECK(row["value"]["truncated"] == true);
      CHECK(row["value"]["len"] == value.size());
      const std::string href = row["value"]["href"];
      CHECK(href.size() < 2000);  // Long keys do not make long URLs.
      const Response full = Handle(box.service(), {.target = href});
      REQUIRE_MESSAGE(full.status == 200, full.body);
      CHECK(Json::parse(full.body)["rows"][0]["value"]["text"] == value);
    }
  }
}

TEST_CASE("positions too long for a URL are forgotten in their turn") {
  MemoryDatabase box;
  const std::string long_key(3000, 'k');
  for (int i = 0; i < 3; ++i) box.Put(long_key + std::to_string(i), "v");
  const std::string resource = "/cfs/default/scan?page_size=1&keys_only=true&bytes=none";
  const std::string token = box.Document(resource)["next_page_token"];
  CHECK(box.Get(resource + "&page_token=" + token).status == 200);
  for (int i = 0; i < 300; ++i) box.Document(resource);
  CHECK(box.Get(resource + "&page_token=" + token).status == 410);
}

TEST_CASE("bytes= says how bytes are shown") {
  FixtureService fixture({"sst/ldb123_bloom.ldb"});
  const auto key = [&](const std::string& style) {
    return fixture.Document("/targets/t1/files/0/entries?page_size=1&bytes=" +
                            style)["entries"][0]["key"];
  };
  CHECK(key("hex") == Json({{"hex", "6b6579303030303030"}, {"len", 9}}));
  CHECK(key("b64") == Json({{"b64", "a2V5MDAwMDAw"}, {"len", 9}}));
  CHECK(key("text") == Json({{"text", "key000000"}, {"len", 9}}));
  CHECK(key("none") == Json({{"len", 9}}));
  CHECK(fixture.Refusal("/targets/t1/files/0/entries?bytes=all") == "400 bad_request");
}

}  // namespace
}  // namespace varve::api
