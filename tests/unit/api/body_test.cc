// SPDX-License-Identifier: Apache-2.0
// Bodies of requests: what their descriptions do not allow is refused, and the problem names the
// place. The first test makes its bodies from the schemas, so that it also holds for new routes.
#include <doctest/doctest.h>

#include "core/fs/memory_fs.h"
#include "varve/environment.h"
#include "webview/api/live_engine.h"
#include "webview/api/routing/route_table.h"
#include "webview/api/routing/router.h"
#include "webview/api/uploads.h"

namespace varve::api {
namespace {

// Takes whatever it is told.
class AnyEngine : public LiveEngine {
 public:
  EngineStats Stats() override { return {}; }
  std::vector<StatsSample> StatsHistory() override { return {}; }
  Result<Written> Write(const std::vector<Operation>& operations,
                        const std::vector<Expectation>& expected) override {
    written = operations;
    expectations = expected;
    return Written{.sequence = 7};
  }
  Status SetOptions(const std::string&, const std::vector<std::pair<std::string, std::string>>&,
                    bool) override {
    return Status::Ok();
  }
  Status Flush(const std::string&) override { return Status::Ok(); }
  Status Compact(const std::string&, std::optional<std::string>,
                 std::optional<std::string>) override {
    return Status::Ok();
  }

  Uploads* uploads() override { return &uploads_; }

  std::vector<Operation> written;
  std::vector<Expectation> expectations;

 private:
  static Environment InMemory(FileSystem* fs) {
    Environment env = NativeEnvironment();
    env.file_system = fs;
    return env;
  }

  const std::unique_ptr<FileSystem> fs_ = NewMemoryFileSystem();
  Uploads uploads_{InMemory(fs_.get()), "", {}};
};

class Writable {
 public:
  Writable()
      : service_({.file_system = NativeEnvironment().file_system,
                  .clock = NativeEnvironment().clock,
                  .write = true}) {
    CHECK(service_.OpenLive(VARVE_FIXTURES "/db/rocksdb-7.8.3/multi_cf", &engine).ok());
  }
  Response Send(std::string_view method, std::string_view resource, const std::string& body) {
    return Handle(service_, {.method = std::string(method),
                             .target = "/api/v1/targets/t1" + std::string(resource),
                             .headers = {{"Content-Type", "application/json"}},
                             .body = body});
  }
  // "400 bad_request /ops/0/key"
  std::string Refusal(std::string_view method, std::string_view resource, const std::string& body) {
    const Json problem = Json::parse(Send(method, resource, body).body);
    return std::to_string(problem.value("status", 0)) + " " + problem.value("code", "") + " " +
           problem.value("pointer", "no pointer");
  }

  AnyEngine engine;

 private:
  Service service_;
};

std::string ResourceOf(const Route& route) {
  std::string resource(route.pattern.value.substr(std::string_view("/targets/{t}").size()));
  const size_t family = resource.find("{cf}");
  return family == std::string::npos ? resource : resource.replace(family, 4, "default");
}

// The schema without alternatives: each of them on its own.
std::vector<Json> AlternativesOf(const Json& schema) {
  if (!schema.contains("oneOf")) return {schema};
  return schema["oneOf"].get<std::vector<Json>>();
}

// A value that the schema allows, with all members that it knows.
Json ExampleOf(const Json& schema) {
  const Json one = AlternativesOf(schema).front();
  if (one.contains("const")) return one["const"];
  if (one.contains("enum")) return one["enum"][0];
  if (one["type"] == "string") return "a";
  if (one["type"] == "boolean") return true;
  if (one["type"] == "integer") return 0;
  if (one["type"] == "array") return Json::array({ExampleOf(one["items"])});
  Json object = Json::object();
  if (!one.contains("properties")) return object;
  for (const auto& [name, member] : one["properties"].items()) object[name] = ExampleOf(member);
  return object;
}

struct Wrong {
  Json body;
  std::string pointer;
};

// Bodies that are wrong in one place each.
std::vector<Wrong> WrongBodies(const Json& any, const std::string& pointer) {
  std::vector<Wrong> all;
  for (const Json& schema : AlternativesOf(any)) {
    const Json good = ExampleOf(schema);
    if (schema["type"] == "array") {
      all.push_back({Json(7), pointer});
      for (Wrong& wrong : WrongBodies(schema["items"], pointer + "/0")) {
        all.push_back({Json::array({std::move(wrong.body)}), wrong.pointer});
      }
    } else if (schema["type"] != "object") {
      for (const Json& value : {Json::array(), Json(nullptr), Json(-1), Json(0.5)}) {
        all.push_back({value, pointer});
      }
    } else if (schema.contains("properties")) {
      Json more = good;
      more["no_such_member"] = 1;
      all.push_back({more, pointer + "/no_such_member"});
      for (const auto& [name, member] : schema["properties"].items()) {
        Json fewer = good;
        fewer.erase(name);
        for (const Json& required : schema["required"]) {
          if (required == name) all.push_back({fewer, pointer + "/" + name});
        }
        Json typed = member;
        if (typed.contains("const")) typed["type"] = "string";
        for (Wrong& wrong : WrongBodies(typed, pointer + "/" + name)) {
          Json body = good;
          body[name] = std::move(wrong.body);
          all.push_back({std::move(body), wrong.pointer});
        }
      }
    }
  }
  return all;
}

TEST_CASE("whatever the schema of a body does not allow is refused, and the problem says where") {
  Writable writable;
  size_t bodies = 0, refusals = 0;
  for (const Route& route : RouteTable()) {
    if (!route.body.given()) continue;
    ++bodies;
    CAPTURE(route.pattern.value);
    for (const Wrong& wrong : WrongBodies(route.body.shape().schema, "")) {
      const std::string body = Dump(wrong.body);
      CAPTURE(body);
      ++refusals;
      const std::string refusal =
          writable.Refusal(MethodName(route.method), ResourceOf(route), body);
      const bool of_key = refusal.starts_with("400 bad_key_literal ");
      CHECK(refusal == (of_key ? "400 bad_key_literal " : "400 bad_request ") + wrong.pointer);
    }
  }
  CHECK(bodies == 7);
  CHECK(refusals > 150);
}

TEST_CASE("what is no JSON object is refused before its members") {
  Writable writable;
  for (const Route& route : RouteTable()) {
    if (!route.body.given()) continue;
    for (const char* body : {"[]", "7", "null", "\"a\"", "{", "{}}", "{\"a\":1,\"a\":2}", "\xff"}) {
      CAPTURE(route.pattern.value);
      CAPTURE(body);
      CHECK(writable.Send(MethodName(route.method), ResourceOf(route), body).status == 400);
    }
    const int of_none = writable.Send(MethodName(route.method), ResourceOf(route), "").status;
    const int done = route.pattern.value.ends_with("/uploads") ? 201 : 200;
    CHECK(of_none == (route.body.shape().may_be_empty ? done : 400));
  }
}

TEST_CASE("values that a type alone does not rule out are refused by their place") {
  Writable writable;
  const auto job = [&](const std::string& members) {
    return writable.Refusal("POST", "/jobs", "{" + members + "}");
  };
  CHECK(job("") == "400 bad_request /kind");
  CHECK(job(R"("kind":"nothing")") == "400 bad_request /kind");
  CHECK(job(R"("kind":"compact","from":7)") == "400 bad_key_literal /from");
  CHECK(job(R"("kind":"verify","a/b~c":1)") == "400 bad_request /a~1b~0c");
  CHECK(job(R"("kind":"compact","from":"hex:z")") == "400 bad_key_literal /from");
  CHECK(job(R"("kind":"compact","cf":"gone")") == "404 cf_not_found /cf");
  CHECK(job(R"("kind":"ingest","tables":[{"files":["a"]},{"cf":"gone","files":["a"]}])") ==
        "404 cf_not_found /tables/1/cf");
  CHECK(job(R"("kind":"ingest","tables":[{"files":["a/b"]}])") ==
        "400 bad_request /tables/0/files/0");
  CHECK(job(R"("kind":"salvage")") == "400 bad_request /file");
  CHECK(job(R"("kind":"analysis","analysis":"space","group_by":"ab")") ==
        "400 bad_request /group_by");
  CHECK(job(R"("kind":"analysis","analysis":"space","samples":10001)") ==
        "400 bad_request /samples");
  CHECK(job(R"("kind":"analysis","analysis":"everything")") == "400 bad_request /analysis");
  CHECK(writable.Refusal("POST", "/batch", R"({"ops":[]})") == "400 bad_request /ops");
  CHECK(writable.Refusal("POST", "/batch",
                         R"({"ops":[{"op":"delete","key":"a"},{"op":"delete","key":"hex:0"}]})") ==
        "400 bad_key_literal /ops/1/key");
  CHECK(writable.Refusal("POST", "/batch", R"({"ops":[{"op":"delete","key":"a","cf":"gone"}]})") ==
        "404 cf_not_found /ops/0/cf");
  const auto expecting = [&](const std::string& expectation) {
    return writable.Refusal(
        "POST", "/batch", R"({"ops":[{"op":"delete","key":"a"}],"expect":[)" + expectation + "]}");
  };
  CHECK(expecting(R"({})") == "400 bad_request /expect/0/key");
  CHECK(expecting(R"({"key":"hex:0"})") == "400 bad_key_literal /expect/0/key");
  CHECK(expecting(R"({"key":"a"},{"key":"a","cf":"gone"})") == "404 cf_not_found /expect/1/cf");
  CHECK(expecting(R"({"key":"a","value":"b"})") == "400 bad_request /expect/0/value");
  for (const std::string digest : {"null", "7", "\"\"", "\"abc\""}) {
    CHECK(expecting(R"({"key":"a","sha256":)" + digest + "}") ==
          "400 bad_request /expect/0/sha256");
  }
  CHECK(expecting(R"({"key":"a","sha256":")" + std::string(64, 'A') + R"("})") ==
        "400 bad_request /expect/0/sha256");
  Json keys = {{"keys", std::vector<std::string>(1001, "a")}};
  CHECK(writable.Refusal("POST", "/cfs/default:multiget", Dump(keys)) == "400 bad_request /keys");
  CHECK(writable.engine.written.empty());
}

TEST_CASE("a batch is read as it was described") {
  Writable writable;
  CHECK(writable
            .Send("POST", "/batch",
                  R"({"ops":[{"op":"merge","key":"hex:00","value":"v","cf":"default"},)"
                  R"({"from":"a","to":"b","op":"range_delete"}]})")
            .status == 200);
  REQUIRE(writable.engine.written.size() == 2);
  const LiveEngine::Operation& merge = writable.engine.written[0];
  CHECK(merge.kind == LiveEngine::Operation::Kind::kMerge);
  CHECK(merge.key == std::string(1, '\0'));
  CHECK(merge.value == "v");
  const LiveEngine::Operation& range = writable.engine.written[1];
  CHECK(range.kind == LiveEngine::Operation::Kind::kDeleteRange);
  CHECK(range.family == "default");
  CHECK(range.key == "a");
  CHECK(range.value == "b");
  CHECK(writable.engine.expectations.empty());
  const std::string digest(64, '0');
  CHECK(writable
            .Send("POST", "/batch",
                  R"({"ops":[{"op":"delete","key":"a"}],"expect":[{"key":"hex:6b"},)"
                  R"({"cf":"default","key":"a","sha256":")" +
                      digest + R"("}]})")
            .status == 200);
  REQUIRE(writable.engine.expectations.size() == 2);
  CHECK(writable.engine.expectations[0].key == "k");
  CHECK(writable.engine.expectations[0].sha256 == std::nullopt);
  CHECK(writable.engine.expectations[1].sha256 == digest);
}

}  // namespace
}  // namespace varve::api
