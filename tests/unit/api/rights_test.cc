// SPDX-License-Identifier: Apache-2.0
// What users may do: rights themselves, and every route asked by users of every kind.
#include "webview/api/routing/rights.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fixture_service.h"
#include "tests/drain_body.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"
#include "webview/api/engine/engine_live.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

Right RightOf(std::string_view text) {
  const Result<Right> right = Right::FromText(text);
  REQUIRE_MESSAGE(right.ok(), text << ": " << right.status().ToString());
  return *right;
}

Rights RightsOf(const std::vector<std::string>& texts) {
  std::vector<Right> list;
  for (const std::string& text : texts) list.push_back(RightOf(text));
  return Rights(std::move(list));
}

TEST_CASE("Rights: as text, and back") {
  CHECK(RightOf("read:*") == Right{.access = Access::kRead});
  CHECK(RightOf("write:orders") == Right{Access::kWrite, "orders"});
  CHECK(RightOf("read:stock/default") == Right{Access::kRead, "stock", "default"});
  CHECK(RightOf("read:a/b/c") == Right{Access::kRead, "a", "b/c"});
  for (const Right& right : std::vector<Right>{{Access::kRead, "a b", "c\nd"},
                                               {Access::kWrite, "*", "*"},
                                               {Access::kRead, "\\x20", std::string(1, 0)},
                                               {Access::kRead, "größe", "\xff"}}) {
    CAPTURE(right.ToText());
    CHECK(right.ToText().find_first_of(" \n\t") == std::string::npos);
    CHECK(RightOf(right.ToText()) == right);
  }
  for (const std::string_view text : {"", "read", "read:", "all:*", "READ:*", "read:/", "read:a/",
                                      "read:/a", "read:*/a", "read:a/*", "read:\\q", "*"}) {
    CAPTURE(text);
    CHECK_FALSE(Right::FromText(text).ok());
  }
}

TEST_CASE("Rights: one covers what is needed, or nothing is allowed") {
  const Rights rights = RightsOf({"read:orders", "write:stock/default", "read:stock/log"});
  CHECK(rights.Have(RightOf("read:orders")));
  CHECK(rights.Have(RightOf("read:orders/any")));
  CHECK_FALSE(rights.Have(RightOf("write:orders/any")));
  CHECK(rights.Have(RightOf("write:stock/default")));
  CHECK(rights.Have(RightOf("read:stock/default")));
  CHECK_FALSE(rights.Have(RightOf("write:stock/log")));
  CHECK_FALSE(rights.Have(RightOf("read:stock")));
  CHECK_FALSE(rights.Have(RightOf("read:stock/Default")));
  CHECK_FALSE(rights.Have(RightOf("read:other")));
  CHECK(rights.HaveSomeOf(Access::kWrite, "stock"));
  CHECK_FALSE(rights.HaveSomeOf(Access::kWrite, "orders"));
  CHECK_FALSE(rights.HaveSomeOf(Access::kRead, "other"));
  CHECK_FALSE(Rights().Have(Right{Access::kRead, "orders", "x"}));
  CHECK_FALSE(Rights().HaveSomeOf(Access::kRead, "orders"));
  CHECK(Rights::All().Have(RightOf("write:any/any")));
  CHECK(rights.Have(std::vector{RightOf("read:orders"), RightOf("read:stock/log")}));
  CHECK_FALSE(rights.Have(std::vector{RightOf("read:orders"), RightOf("write:orders")}));
}

// Two databases, "orders" with the families default and secret, which is open, and "stock".
class Shop {
 public:
  Shop()
      : service_({.file_system = NativeEnvironment().file_system,
                  .clock = NativeEnvironment().clock,
                  .records = EngineRecords(NativeEnvironment()),
                  .write = true}) {
    Options options;
    options.create_if_missing = true;
    db_ = *DB::Open(options, directory_ / "orders");
    secret_ = *db_->CreateColumnFamily("secret", {});
    for (const ColumnFamilyId family : {kDefaultColumnFamilyId, secret_}) {
      REQUIRE(db_->Put({}, "key", "value of " + std::to_string(family), family).ok());
      REQUIRE(db_->Flush({}, family).ok());
    }
    live_ = std::make_unique<EngineLive>(*db_, *NativeEnvironment().clock);
    live_->TakeUploads(NativeEnvironment(), {});
    REQUIRE(service_.OpenLive(db_->path(), live_.get()).ok());
    auto stock = *DB::Open(options, directory_ / "stock");
    REQUIRE(stock->Put({}, "key", "value").ok());
    REQUIRE(stock->Flush().ok());
    stock.reset();
    REQUIRE(service_.Open(directory_ / "stock").ok());
    const Json list = Ask("GET", "/targets/t1/files", {"read:*"});
    for (const Json& file : list["files"]) {
      file_of_[file["cf"]] = file["id"];
    }
    REQUIRE(file_of_.size() == 2);
  }

  Response Answer(const std::string& method, const std::string& resource,
                  const std::vector<std::string>& rights, const std::string& body = "",
                  Headers headers = {{"Content-Type", "application/json"}}) {
    return Handle(service_, {.method = method,
                             .target = "/api/v1" + resource,
                             .headers = std::move(headers),
                             .body = body,
                             .caller = {.name = "bob", .rights = RightsOf(rights)}});
  }
  Json Ask(const std::string& method, const std::string& resource,
           const std::vector<std::string>& rights, const std::string& body = "") {
    Response response = Answer(method, resource, rights, body);
    return Json::parse(DrainBody(&response), nullptr, false);
  }
  // "403 read:orders", "404 target_not_found", "200".
  std::string Outcome(const std::string& method, const std::string& resource,
                      const std::vector<std::string>& rights, const std::string& body = "",
                      Headers headers = {{"Content-Type", "application/json"}}) {
    Response response = Answer(method, resource, rights, body, std::move(headers));
    const std::string status = std::to_string(response.status);
    if (response.status < 400) return status;
    const Json problem = Json::parse(DrainBody(&response), nullptr, false);
    const std::string code = problem["code"];
    return status + " " + (code == "right_missing" ? problem["right"].get<std::string>() : code);
  }
  Service& service() { return service_; }
  std::string file_of(const std::string& family) const { return file_of_.at(family); }
  void Work() {
    while (service_.jobs().Step(1'000'000)) {
    }
  }

 private:
  const ScratchDirectory directory_;
  std::unique_ptr<DB> db_;
  ColumnFamilyId secret_ = 0;
  std::unique_ptr<EngineLive> live_;
  Service service_;
  std::map<std::string, std::string> file_of_;
};

std::string Replaced(std::string text, std::string_view what, const std::string& with) {
  const size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

// The path of a route, about that family of the target t1, or its table.
std::string PathOf(const Shop& shop, const Route& route, const std::string& family) {
  std::string path(route.pattern.value);
  path = Replaced(path, "{t}", "t1");
  path = Replaced(path, "{cf}", family);
  return Replaced(path, "{n}", shop.file_of(family));
}

std::string WhatIsMissing(const Route& route, const std::string& family) {
  const std::string access = route.auth.value == Auth::kWrite ? "403 write:" : "403 read:";
  return access + (route.part.value == Part::kFamily ? "orders/" + family : "orders");
}

TEST_CASE("every route asks for the right that it declares, of users of every kind") {
  Shop shop;
  size_t of_targets = 0;
  for (const Route& route : RouteTable()) {
    const std::string method(MethodName(route.method));
    const bool writes = route.auth.value == Auth::kWrite;
    const auto outcome = [&](const std::string& family, const std::vector<std::string>& rights) {
      return shop.Outcome(
          method, PathOf(shop, route, family), rights, "{}",
          {{"Content-Type", route.takes_bytes ? "application/octet-stream" : "application/json"}});
    };
    const auto is_let_in = [](const std::string& outcome) {
      return !outcome.starts_with("403 ") && outcome != "404 target_not_found" &&
             !outcome.starts_with("500");
    };
    CAPTURE(method + " " + std::string(route.pattern.value));
    if (route.part.value == Part::kServer) {
      CHECK(is_let_in(outcome("default", {})));
      continue;
    }
    ++of_targets;
    CHECK(outcome("default", {}) == "404 target_not_found");
    CHECK(outcome("default", {"write:stock"}) == "404 target_not_found");
    CHECK(outcome("default", {"write:order", "write:orders2", "write:Orders"}) ==
          "404 target_not_found");
    const std::vector<std::string> one = {writes ? "write:orders/default" : "read:orders/default"};
    if (route.part.value == Part::kTarget) {
      CHECK(outcome("default", one) == WhatIsMissing(route, "default"));
    } else {
      CHECK(is_let_in(outcome("default", one)));
    }
    if (route.part.value != Part::kSome) {
      CHECK(outcome("secret", one) == WhatIsMissing(route, "secret"));
    }
    CHECK(is_let_in(outcome("default", {"read:orders"})) == !writes);
    CHECK(is_let_in(outcome("secret", {"read:*"})) == !writes);
    CHECK(is_let_in(outcome("default", {"write:orders"})));
    CHECK(is_let_in(outcome("secret", {"write:*"})));
  }
  CHECK(of_targets > 40);
}

TEST_CASE("what there is of other families and targets is told to nobody who may not see it") {
  Shop shop;
  const std::vector<std::string> one = {"read:orders/default"};
  for (const std::string resource :
       {"/", "/targets", "/targets/t1", "/targets/t1/cfs", "/targets/t1/files",
        "/targets/t1/files?edit=2", "/targets/t1/cfs/default/options?all=true",
        "/targets/t1/cfs/default", "/targets/t1/jobs"}) {
    CAPTURE(resource);
    Response response = shop.Answer("GET", resource, one);
    const std::string body = DrainBody(&response);
    CHECK(response.status == 200);
    CHECK(body.find("secret") == std::string::npos);
    CHECK(body.find("stock") == std::string::npos);
  }
  const Json root = shop.Ask("GET", "/", one);
  CHECK(root["targets"].size() == 1);
  CHECK(root["rights"][0] == Json{{"access", "read"}, {"target", "orders"}, {"cf", "default"}});
  CHECK(root["capabilities"]["write"] == false);
  CHECK(root["capabilities"]["metrics"] == false);
  const Json target = shop.Ask("GET", "/targets/t1", one);
  CHECK(target["db"]["cfs"].size() == 1);
  CHECK(target["db"]["wals"].empty());
  CHECK(target["cut"] == true);
  CHECK(shop.Ask("GET", "/targets/t1", {"read:orders"})["cut"] == false);
  CHECK(shop.Ask("GET", "/targets/t1/files", one)["files"].size() == 1);
  // Families that are there and those that are not look the same, by name or by id.
  for (const auto& [family, missing] : std::map<std::string, std::string>{
           {"secret", "/secret"}, {"nothing", "/nothing"}, {"1", ""}, {"7", ""}}) {
    CHECK(shop.Outcome("GET", "/targets/t1/cfs/" + family, one) == "403 read:orders" + missing);
    CHECK(shop.Outcome("GET", "/targets/t1/files?cf=" + family, one) ==
          "403 read:orders" + missing);
  }
  CHECK(shop.Outcome("GET", "/targets/t1/cfs/0", one) == "200");
  CHECK(shop.Outcome("GET", "/targets/t1/files/999", one) == "403 read:orders");
  CHECK(shop.Outcome("GET", "/targets/t1/files/x", one) == "403 read:orders");
  // A right to a family that is not there is no right to the one of that id.
  CHECK(shop.Outcome("GET", "/targets/t1/cfs/1", {"read:orders/1"}) == "403 read:orders");
  CHECK(shop.Outcome("GET", "/targets/t1/cfs/1/levels?edit=2", {"read:orders/1"}) ==
        "403 read:orders");
}

TEST_CASE("tricks with paths and methods lead nowhere else") {
  Shop shop;
  const std::vector<std::string> one = {"read:orders/default"};
  for (const std::string path :
       {"/targets/t1/cfs/%73ecret/get?key=key", "/targets/t1/%63fs/secret/get?key=key",
        "/targets/%74%31/cfs/secret/get?key=key", "/targets/t1/cfs/secret/scan",
        "/targets/t1/cfs/secret/explain?key=key", "/targets/t1/cfs/%5cx73ecret/get?key=key"}) {
    CAPTURE(path);
    for (const std::string method : {"GET", "HEAD"}) {
      CHECK(shop.Answer(method, path, one).status == 403);
    }
  }
  for (const std::string path :
       {"/targets//t1/cfs/secret", "/targets/t1//cfs/secret", "/targets/t1/cfs//secret",
        "/targets/t1/cfs/default/../secret", "/targets/t1/cfs/default/%2e%2e/secret",
        "/targets/t1/cfs/default%2f..%2fsecret", "/TARGETS/t1/cfs/secret", "/targets/T1/cfs/secret",
        "/targets/t1/CFS/secret", "/targets/t1;x/cfs/secret"}) {
    CAPTURE(path);
    CHECK(shop.Answer("GET", path, one).status >= 400);
  }
  Response part = shop.Answer("GET", "/targets/t1/files/" + shop.file_of("secret") + "/bytes", one,
                              "", {{"Range", "bytes=0-9"}});
  CHECK(part.status == 403);
  CHECK(shop.Answer("HEAD", "/targets/t1/files/" + shop.file_of("secret") + "/bytes", one).status ==
        403);
  CHECK(shop.Answer("HEAD", "/targets/t2", one).status == 404);
}

TEST_CASE("a batch needs to write all that it writes and to read all that it expects") {
  Shop shop;
  const auto batch = [&](const std::string& ops, const std::string& expect,
                         const std::vector<std::string>& rights) {
    return shop.Outcome("POST", "/targets/t1/batch", rights,
                        R"({"ops":[)" + ops + R"(],"expect":[)" + expect + "]}");
  };
  const std::string put = R"({"op":"put","key":"k","value":"v"})";
  const std::string put_secret = R"({"op":"put","cf":"secret","key":"k","value":"v"})";
  CHECK(batch(put, "", {"write:orders/default"}) == "200");
  CHECK(batch(put, "", {"read:orders", "write:orders/secret"}) == "403 write:orders/default");
  CHECK(batch(put + "," + put_secret, "", {"write:orders/default", "read:orders"}) ==
        "403 write:orders/secret");
  CHECK(batch(put, R"({"cf":"secret","key":"k"})", {"write:orders/default"}) ==
        "403 read:orders/secret");
  CHECK(batch(put, R"({"cf":"secret","key":"none"})",
              {"write:orders/default", "read:orders/secret"}) == "200");
  CHECK(batch(put_secret, R"({"cf":"ghost","key":"none"})", {"write:orders/default"}) ==
        "403 write:orders/secret");
}

TEST_CASE("jobs are started, seen and ended by who may see what they are about") {
  Shop shop;
  const auto start = [&](const std::string& body, const std::vector<std::string>& rights) {
    return shop.Outcome("POST", "/targets/t1/jobs", rights, body);
  };
  const std::vector<std::string> one = {"write:orders/default"};
  const std::string mine = shop.file_of("default"), other = shop.file_of("secret");
  CHECK(start(R"({"kind":"verify"})", one) == "403 read:orders");
  CHECK(start(R"({"kind":"verify","file":")" + other + "\"}", one) == "403 read:orders");
  CHECK(start(R"({"kind":"verify","file":"999"})", one) == "403 read:orders");
  CHECK(start(R"({"kind":"salvage","file":")" + other + "\"}", one) == "403 read:orders");
  CHECK(start(R"({"kind":"digest"})", one) == "403 read:orders");
  CHECK(start(R"({"kind":"compact","cf":"secret"})", one) == "403 write:orders/secret");
  CHECK(start(R"({"kind":"compact"})", {"read:orders"}) == "403 write:orders/default");
  CHECK(start(R"({"kind":"ingest","tables":[{"files":["a.sst"]}]})", one) == "403 write:orders");
  CHECK(start(R"({"kind":"ingest","upload":"x","tables":[{"cf":"secret","files":["a.sst"]}]})",
              one) == "403 write:orders/secret");
  CHECK(start(R"({"kind":"analysis","analysis":"space","cf":"default"})", one) ==
        "403 read:orders");
  CHECK(start(R"({"kind":"analysis","analysis":"filters","cf":"default"})", one) ==
        "403 read:orders");
  CHECK(start(R"({"kind":"analysis","analysis":"keyspace"})", one) == "403 read:orders");
  CHECK(start(R"({"kind":"analysis","analysis":"keyspace","cf":"secret"})", one) ==
        "403 read:orders/secret");
  CHECK(start(R"({"kind":"diff","other":"t2","cf":"default"})", one) == "404 target_not_found");
  CHECK(start(R"({"kind":"diff","other":"t2"})", {"read:orders", "read:stock/default"}) ==
        "403 read:stock");
  CHECK(shop.Outcome("GET", "/targets/t1/versions:diff?against=t2",
                     {"read:orders", "read:stock/default"}) == "403 read:stock");
  CHECK(shop.Outcome("GET", "/targets/t1/versions:diff?against=t2", {"read:orders"}) ==
        "404 target_not_found");

  CHECK(start(R"({"kind":"verify"})", {"read:orders"}) == "202");                     // j1
  CHECK(start(R"({"kind":"verify","file":")" + mine + "\"}", one) == "202");          // j2
  CHECK(start(R"({"kind":"analysis","analysis":"keyspace"})", {"read:*"}) == "202");  // j3
  CHECK(start(R"({"kind":"diff","other":"t2","cf":"default"})",
              {"read:orders/default", "read:stock/default"}) == "202");  // j4
  shop.Work();
  for (const std::string job : {"j1", "j3", "j4"}) {
    CAPTURE(job);
    for (const std::string part : {"", "/result", "/findings"}) {
      CHECK(shop.Outcome("GET", "/targets/t1/jobs/" + job + part, one) == "404 job_not_found");
    }
    CHECK(shop.Outcome("DELETE", "/targets/t1/jobs/" + job, one) == "404 job_not_found");
    CHECK(shop.Outcome("GET", "/targets/t1/jobs/" + job, one, "",
                       {{"Accept", "text/event-stream"}}) == "404 job_not_found");
  }
  CHECK(shop.Ask("GET", "/targets/t1/jobs", one)["jobs"].size() == 1);
  CHECK(shop.Ask("GET", "/targets/t1/jobs", {"read:orders"})["jobs"].size() == 3);
  CHECK(shop.Outcome("GET", "/targets/t1/jobs/j2/result", one) == "200");
  CHECK(shop.Outcome("GET", "/targets/t1/analyses/keyspace", one) == "404 analysis_not_run");
  CHECK(shop.Outcome("GET", "/targets/t1/analyses/keyspace", {"read:orders"}) == "200");
}

TEST_CASE("what another has brought, or was answered, is of no use") {
  Shop shop;
  const std::vector<std::string> one = {"write:orders/default"};
  Response begun = Handle(shop.service(), {.method = "POST",
                                           .target = "/api/v1/targets/t1/uploads",
                                           .headers = {{"Content-Type", "application/json"}},
                                           .body = "{}",
                                           .caller = {.name = "ada", .rights = RightsOf(one)}});
  REQUIRE(begun.status == 201);
  const std::string id = Json::parse(begun.body)["upload"]["id"];
  const std::string upload = "/targets/t1/uploads/" + id;
  CHECK(shop.Outcome("GET", upload, one) == "404 upload_not_found");
  CHECK(shop.Outcome("DELETE", upload, one) == "404 upload_not_found");
  CHECK(shop.Outcome("POST", upload + "/tables?sha256=" + std::string(64, 'a'), one, "x",
                     {{"Content-Type", "application/octet-stream"}}) == "404 upload_not_found");
  CHECK(shop.Outcome("POST", "/targets/t1/jobs", one,
                     R"({"kind":"ingest","upload":")" + id +
                         R"(","tables":[{"files":["000001.sst"]}]})") == "404 upload_not_found");
  CHECK(shop.Ask("GET", "/targets/t1/uploads", one)["uploads"].empty());
  CHECK(shop.Ask("GET", "/targets/t1/uploads", {"read:orders"})["uploads"].size() == 1);
  CHECK(shop.Outcome("DELETE", upload, {"write:orders"}) == "200");
}

TEST_CASE("metrics are of a whole target") {
  Shop shop;
  const auto ask = [&](const std::vector<std::string>& rights) {
    return Handle(shop.service(),
                  {.target = "/metrics", .caller = {.name = "bob", .rights = RightsOf(rights)}})
        .status;
  };
  CHECK(ask({}) == 404);
  CHECK(ask({"write:stock"}) == 404);
  CHECK(ask({"write:orders/default"}) == 403);
  CHECK(ask({"read:orders"}) == 200);
}

}  // namespace
}  // namespace varve::api
