// SPDX-License-Identifier: Apache-2.0
// What only a running engine answers, and what it takes to change one.
#include <array>
#include <string>
#include <vector>

#include "fixture_service.h"
#include "memory_database.h"
#include "webview/api/live_engine.h"

namespace varve::api {
namespace {

const Rights kReads({{.access = Access::kRead}});

// Remembers what it was told.
class ToldEngine : public LiveEngine {
 public:
  EngineStats Stats() override {
    EngineStats stats;
    stats.db.batches_written = 3;
    return stats;
  }
  std::vector<StatsSample> StatsHistory() override { return {{1, {}}, {2, {}}}; }
  Status SetOptions(const std::string& family,
                    const std::vector<std::pair<std::string, std::string>>& changes,
                    bool validate_only) override {
    if (changes[0].second == "wrong") return Status::InvalidArgument("that is no number");
    told += "set " + family;
    for (const auto& [name, value] : changes) told += " " + name + "=" + value;
    told += validate_only ? " only\n" : "\n";
    return Status::Ok();
  }
  Status Flush(const std::string& family) override {
    told += "flush " + family + "\n";
    return Status::Ok();
  }
  Status Compact(const std::string& family, std::optional<std::string> from,
                 std::optional<std::string> to) override {
    told += "compact " + family + " " + from.value_or("-") + " " + to.value_or("-") + "\n";
    return Status::Ok();
  }

  std::string told;
};

struct Live {
  explicit Live(bool write)
      : service({.file_system = NativeEnvironment().file_system,
                 .clock = NativeEnvironment().clock,
                 .write = write}) {
    CHECK(service.OpenLive(VARVE_FIXTURES "/db/rocksdb-7.8.3/multi_cf", &engine).ok());
  }
  Response Ask(const std::string& method, const std::string& resource, const std::string& body,
               const Caller& caller = {}) {
    return Handle(service, {.method = method,
                            .target = "/api/v1/targets/t1" + resource,
                            .headers = {{"Content-Type", "application/json"}},
                            .body = body,
                            .caller = caller});
  }
  ToldEngine engine;
  Service service;
};

TEST_CASE("a running engine's figures are shown, and its replies say that it is live") {
  Live live(/*write=*/false);
  const Json stats = Json::parse(live.Ask("GET", "/stats", "").body);
  CHECK(stats["stats"]["tickers"]["varve.batches.written"] == 3);
  CHECK(stats["as_of"]["live"] == true);
  CHECK(Json::parse(live.Ask("GET", "/stats/history", "").body)["samples"].size() == 2);
  FixtureService files({"db/rocksdb-7.8.3/multi_cf"});
  CHECK(files.Refusal("/targets/t1/stats") == "501 unsupported_feature");
}

TEST_CASE("nothing is changed unless the server was started to change things") {
  Live live(/*write=*/false);
  CHECK(live.Ask("PATCH", "/cfs/default/options", "{\"a\":1}").status == 403);
  CHECK(live.Ask("POST", "/cfs/default:flush", "").status == 403);
  CHECK(live.Ask("POST", "/jobs", "{\"kind\":\"compact\"}").status == 403);
  CHECK(live.Ask("POST", "/jobs", R"({"kind":"ingest","tables":[{"files":["a"]}]})").status == 403);
  CHECK(live.engine.told.empty());
}

TEST_CASE("a user who may only read changes nothing, and is told so") {
  Live live(/*write=*/true);
  const Caller reader = {.name = "bob", .rights = kReads};
  for (const auto& [method, resource, body] : std::vector<std::array<const char*, 3>>{
           {"PATCH", "/cfs/default/options", R"({"a":"b"})"},
           {"PATCH", "/cfs/default/options?validate_only=true", R"({"a":"b"})"},
           {"POST", "/cfs/default:flush", ""},
           {"POST", "/batch", R"({"ops":[{"op":"delete","key":"a"}]})"},
           {"POST", "/jobs", R"({"kind":"compact"})"},
           {"POST", "/jobs", R"({"kind":"ingest","tables":[{"files":["a"]}]})"},
           {"POST", "/uploads", "{}"},
           {"DELETE", "/uploads/0", ""}}) {
    CAPTURE(std::string(method) + " " + resource);
    const Response response = live.Ask(method, resource, body, reader);
    CHECK(response.status == 403);
    const Json problem = Json::parse(response.body);
    CHECK(problem["code"] == "right_missing");
    CHECK(std::string(problem["right"]).starts_with("write:multi_cf"));
  }
  CHECK(live.engine.told.empty());
  CHECK(live.Ask("POST", "/cfs/default:flush", "", {.name = "ada"}).status == 200);
  const auto root = [&](const Caller& caller) {
    return Json::parse(Handle(live.service, {.target = "/api/v1/", .caller = caller}).body);
  };
  CHECK(root(reader)["user"] == "bob");
  CHECK(root(reader)["capabilities"]["write"] == false);
  CHECK(root({.name = "ada"})["capabilities"]["write"] == true);
  CHECK_FALSE(root({}).contains("user"));
}

TEST_CASE("a job is seen by all, and ended by who started it or may write") {
  Live live(/*write=*/true);
  const Caller ada = {.name = "ada"}, bob = {.name = "bob", .rights = kReads},
               eve = {.name = "eve", .rights = kReads};
  const auto start = [&](const Caller& caller) {
    const Response started = live.Ask("POST", "/jobs", R"({"kind":"verify"})", caller);
    CHECK(started.status == 202);
    const Json job = Json::parse(started.body)["job"];
    CHECK(job["user"] == caller.name);
    return "/jobs/" + std::string(job["id"]);
  };
  const std::string of_bob = start(bob), of_ada = start(ada);
  CHECK(Json::parse(live.Ask("GET", of_bob, "", eve).body)["job"]["user"] == "bob");
  CHECK(live.Ask("DELETE", of_bob, "", eve).status == 403);
  CHECK(live.Ask("DELETE", of_ada, "", bob).status == 403);
  CHECK(Json::parse(live.Ask("GET", of_ada, "", eve).body)["job"]["state"] == "queued");
  CHECK(live.Ask("DELETE", of_bob, "", bob).status == 200);
  CHECK(live.Ask("DELETE", of_ada, "", bob).status == 403);
  CHECK(live.Ask("DELETE", of_ada, "", ada).status == 200);
  CHECK(live.Ask("DELETE", start(bob), "", ada).status == 200);
}

TEST_CASE("a page token is for the user whom it was given to") {
  Live live(/*write=*/false);
  const Caller ada = {.name = "ada"}, bob = {.name = "bob"};
  const Json page = Json::parse(live.Ask("GET", "/manifest/edits?page_size=1", "", ada).body);
  REQUIRE(page.contains("next_page_token"));
  const std::string next =
      "/manifest/edits?page_size=1&page_token=" + std::string(page["next_page_token"]);
  CHECK(live.Ask("GET", next, "", ada).status == 200);
  CHECK(live.Ask("GET", next, "", bob).status == 400);
  CHECK(live.Ask("GET", next, "").status == 400);
}

TEST_CASE("options, flushes and compactions reach the engine") {
  Live live(/*write=*/true);
  CHECK(live.Ask("PATCH", "/cfs/default/options",
                 R"({"write_buffer_size":1024,"paranoid_checks":true,"compression":"zstd"})")
            .status == 200);
  CHECK(live.Ask("PATCH", "/cfs/default/options?validate_only=true", R"({"a":"b"})").status == 200);
  CHECK(live.Ask("PATCH", "/cfs/default/options", R"({"a":"wrong"})").status == 400);
  CHECK(live.Ask("PATCH", "/cfs/default/options", R"({"a":[1]})").status == 400);
  CHECK(live.Ask("POST", "/cfs/default:flush", "").status == 200);
  CHECK(live.Ask("POST", "/cfs/nothing:flush", "").status == 404);
  CHECK(live.Ask("POST", "/jobs", R"({"kind":"compact","from":"hex:61","to":"z"})").status == 202);
  while (live.service.jobs().Step(1'000'000)) {
  }
  CHECK(live.engine.told ==
        "set default write_buffer_size=1024 paranoid_checks=true compression=zstd\n"
        "set default a=b only\n"
        "flush default\n"
        "compact default a z\n");
}

TEST_CASE("a table that the MANIFEST names and that is missing is damage") {
  MemoryDatabase box;
  box.Put("k", "v");
  CHECK(box.db().Flush().ok());
  const Json file = box.Document("/files")["files"][0];
  CHECK(box.fs().Remove("box/db/" + file["name"].get<std::string>()).ok());
  const std::string id = file["id"];
  for (const std::string& resource :
       {"/files/" + id, "/files/" + id + "/entries", std::string("/cfs/default/get?key=k")}) {
    CAPTURE(resource);
    const Response response = box.Get(resource);
    CHECK(response.status == 422);
    CHECK(response.exit_code == 4);
    CHECK(Json::parse(response.body)["code"] == "manifest_mismatch");
  }
  CHECK(box.Document("")["db"]["missing"].size() == 1);
  CHECK(box.Get("").exit_code == 4);
}

TEST_CASE("reading goes on while tables come and go") {
  MemoryDatabase box;
  for (int i = 0; i < 40; ++i) {
    box.Put("k" + std::to_string(i % 7), std::to_string(i));
    CHECK(box.db().Flush().ok());
    if (i % 5 == 4) CHECK(box.db().CompactRange({}, std::nullopt, std::nullopt).ok());
    CHECK(box.Document("/cfs/default/get?key=k" + std::to_string(i % 7))["value"]["text"] ==
          std::to_string(i));
    const Json files = box.Document("/files")["files"];
    for (const Json& file : files) {
      CHECK(box.Get("/files/" + file["id"].get<std::string>()).status == 200);
    }
  }
}

}  // namespace
}  // namespace varve::api
