// SPDX-License-Identifier: Apache-2.0
// An engine that runs, seen through the API.
#include "webview/api/engine/engine_live.h"

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/base/hash/sha256.h"
#include "fixture_service.h"
#include "tests/drain_body.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"
#include "webview/api/engine/engine_metrics.h"
#include "webview/api/routing/router.h"

namespace varve::api {
namespace {

// A database in a directory of its own, and a service that shows it.
class Running {
 public:
  explicit Running(bool write)
      : service_({.file_system = NativeEnvironment().file_system,
                  .clock = NativeEnvironment().clock,
                  .write = write}) {
    Options options;
    options.create_if_missing = true;
    auto opened = DB::Open(options, directory_ / "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    db_ = *std::move(opened);
    live_ = std::make_unique<EngineLive>(*db_, *NativeEnvironment().clock);
    REQUIRE(service_.OpenLive(db_->path(), live_.get()).ok());
  }

  DB& db() { return *db_; }
  EngineLive& live() { return *live_; }
  Json Ask(const std::string& method, const std::string& resource, const Json& body = nullptr) {
    Response response = Handle(service_, {.method = method,
                                          .target = "/api/v1/targets/t1" + resource,
                                          .headers = {{"Content-Type", "application/json"}},
                                          .body = body.is_null() ? "" : body.dump()});
    return Json::parse(DrainBody(&response));
  }
  Response Metrics(const std::string& method) {
    return Handle(service_, {.method = method, .target = "/metrics"});
  }
  void Work() {
    while (service_.jobs().Step(1'000'000)) {
    }
  }

 private:
  const ScratchDirectory directory_;
  std::unique_ptr<DB> db_;
  std::unique_ptr<EngineLive> live_;
  Service service_;
};

TEST_CASE("what an engine does is counted under RocksDB's names") {
  Running running(/*write=*/false);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(running.db().Put({}, "key" + std::to_string(i), std::string(100, 'v')).ok());
  }
  REQUIRE(running.db().Flush().ok());
  for (int i = 0; i < 640; ++i) {
    REQUIRE(running.db().Get({}, "key" + std::to_string(i)).ok());
    REQUIRE(running.db().Get({}, "key" + std::to_string(i) + "x").ok());
  }
  const std::vector<std::string_view> keys = {"key1", "key2", "nothing"};
  running.db().MultiGet({}, keys);
  const Json stats = running.Ask("GET", "/stats")["stats"];
  const Json& tickers = stats["tickers"];
  CHECK(tickers["rocksdb.number.keys.written"] == 1000);
  CHECK(tickers["varve.batches.written"] == 1000);
  CHECK(tickers["rocksdb.number.keys.read"] == 1280);
  CHECK(tickers["varve.gets.found"] == 640);
  CHECK(tickers["rocksdb.number.multiget.get"] == 1);
  CHECK(tickers["rocksdb.number.multiget.keys.read"] == 3);
  CHECK(tickers["rocksdb.number.multiget.keys.found"] == 2);
  CHECK(tickers["varve.flushes"] == 1);
  // All 642 present keys pass the filter; of 638 absent ones almost none does. The other three
  // (key9x, key99x, nothing) lie beyond the table.
  CHECK(tickers["rocksdb.bloom.filter.full.true.positive"] == 642);
  CHECK(tickers["rocksdb.bloom.filter.useful"].get<int>() +
            tickers["rocksdb.bloom.filter.full.positive"].get<int>() ==
        1280);
  CHECK(tickers["rocksdb.bloom.filter.useful"] > 600);
  CHECK(stats["histograms"]["rocksdb.db.get.micros"]["count"] == 20);
  CHECK(stats["histograms"]["rocksdb.db.get.micros"]["p50_us"] > 0.0);
  CHECK(stats["histograms"]["rocksdb.db.flush.micros"]["count"] == 1);
  CHECK(stats["cfs"][0]["levels"][0]["files"] == 1);
  CHECK(stats["stall"]["cause"] == "");
}

TEST_CASE("reads by threads that have ended are still counted") {
  Running running(/*write=*/false);
  REQUIRE(running.db().Put({}, "a", "1").ok());
  for (int i = 0; i < 4; ++i) {
    std::thread([&running] {
      for (int j = 0; j < 10; ++j) CHECK(running.db().Get({}, "a").ok());
    }).join();
    REQUIRE(running.db().Flush().ok());  // Publishes a view, which drops the slots of the dead.
    REQUIRE(running.db().Put({}, "a", "1").ok());
  }
  CHECK(running.db().StatsOfFamilies()[0].gets == 40);
}

TEST_CASE("a running engine's records are read with its memtables") {
  Running running(/*write=*/false);
  REQUIRE(running.db().Put({}, "unflushed", "value").ok());
  CHECK(running.Ask("GET", "/cfs/default/get?key=unflushed")["found"] == true);
}

TEST_CASE("batches are written all or not at all, and only when the server may") {
  const Json batch = {{"ops",
                       {{{"op", "put"}, {"key", "a"}, {"value", "1"}},
                        {{"op", "put"}, {"key", "hex:00ff"}, {"value", "2"}},
                        {{"op", "range_delete"}, {"from", "a"}, {"to", "b"}}}}};
  Running reading(/*write=*/false);
  CHECK(reading.Ask("POST", "/batch", batch)["code"] == "read_only");
  Running running(/*write=*/true);
  CHECK(running.Ask("POST", "/batch", batch)["written"] == 3);
  CHECK(running.Ask("GET", "/cfs/default/get?key=a")["found"] == false);
  CHECK(running.Ask("GET", "/cfs/default/get?key=hex:00ff")["value"]["text"] == "2");
  const auto code = [&](const Json& bad) {
    return running.Ask("POST", "/batch",
                       {{"ops", {{{"op", "put"}, {"key", "c"}, {"value", "1"}}, bad}}})["code"];
  };
  CHECK(code({{"op", "put"}, {"key", "d"}}) == "bad_request");
  CHECK(code({{"op", "drop"}, {"key", "d"}}) == "bad_request");
  CHECK(code({{"op", "delete"}, {"key", "d"}, {"value", "x"}}) == "bad_request");
  CHECK(code({{"op", "delete"}, {"key", "hex:z"}}) == "bad_key_literal");
  CHECK(code({{"op", "delete"}, {"key", "d"}, {"cf", "gone"}}) == "cf_not_found");
  CHECK(running.Ask("GET", "/cfs/default/get?key=c")["found"] == false);
}

TEST_CASE("a batch is written only while keys have the values that it expects") {
  Running running(/*write=*/true);
  const auto write = [&](const Json& operation, const Json& expectation) {
    return running.Ask("POST", "/batch",
                       {{"ops", Json::array({operation})}, {"expect", Json::array({expectation})}});
  };
  const auto get = [&](const std::string& key) {
    return running.Ask("GET", "/cfs/default/get?digest=true&key=" + key);
  };
  const Json put = {{"op", "put"}, {"key", "k"}, {"value", "1"}};
  CHECK_FALSE(get("k").contains("sha256"));
  CHECK(write(put, {{"key", "k"}})["written"] == 1);
  const std::string first = get("k")["sha256"];
  CHECK(first == Sha256Of("1"));
  CHECK_FALSE(running.Ask("GET", "/cfs/default/get?key=k").contains("sha256"));

  const Json refused = write(put, {{"key", "k"}});  // It is there by now.
  CHECK(refused["code"] == "precondition_failed");
  CHECK(refused["status"] == 412);
  CHECK(refused["pointer"] == "/expect/0");
  const Json change = {{"op", "put"}, {"key", "k"}, {"value", "2"}};
  CHECK(write(change, {{"key", "k"}, {"sha256", first}})["written"] == 1);
  CHECK(write(change, {{"key", "k"}, {"sha256", first}})["code"] == "precondition_failed");
  const Json deletion = {{"op", "delete"}, {"key", "k"}};
  CHECK(write(deletion, {{"key", "k"}, {"sha256", first}})["code"] == "precondition_failed");
  CHECK(get("k")["value"]["text"] == "2");

  // All of what is expected, also of keys that are not written; also what is in tables.
  REQUIRE(running.db().Flush().ok());
  const Json both = {
      {"ops", Json::array({deletion})},
      {"expect",
       {{{"key", "k"}, {"sha256", Sha256Of("2")}}, {{"key", "other"}, {"sha256", Sha256Of("")}}}}};
  CHECK(running.Ask("POST", "/batch", both)["pointer"] == "/expect/1");
  CHECK(get("k")["found"] == true);
  CHECK(write(deletion, {{"key", "k"}, {"sha256", Sha256Of("2")}})["written"] == 1);
  CHECK(get("k")["found"] == false);
  // An empty value is not the same as none.
  CHECK(write({{"op", "put"}, {"key", "k"}, {"value", ""}}, {{"key", "k"}})["written"] == 1);
  CHECK(write(put, {{"key", "k"}})["code"] == "precondition_failed");
  CHECK(write(put, {{"key", "k"}, {"sha256", Sha256Of("")}})["written"] == 1);
}

TEST_CASE("of changes that expect the same value, one is made") {
  Running running(/*write=*/true);
  REQUIRE(running.db().Put({}, "n", "0").ok());
  constexpr int kThreads = 4, kEach = 25;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&running] {
      for (int done = 0; done < kEach;) {
        const Json seen = running.Ask("GET", "/cfs/default/get?digest=true&key=n");
        const std::string next = std::to_string(std::stoi(std::string(seen["value"]["text"])) + 1);
        const Json put = {{"op", "put"}, {"key", "n"}, {"value", next}};
        const Json expectation = {{"key", "n"}, {"sha256", seen["sha256"]}};
        const Json answer =
            running.Ask("POST", "/batch",
                        {{"ops", Json::array({put})}, {"expect", Json::array({expectation})}});
        if (answer.contains("written")) ++done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(running.Ask("GET", "/cfs/default/get?key=n")["value"]["text"] ==
        std::to_string(kThreads * kEach));
}

TEST_CASE("options are set while the engine runs; flush and compaction are asked for") {
  Running running(/*write=*/true);
  const auto patch = [&](const Json& body, const std::string& query = "") {
    return running.Ask("PATCH", "/cfs/default/options" + query, body);
  };
  CHECK(patch({{"write_buffer_size", 1 << 20}})["applied"] == true);
  CHECK(patch({{"write_buffer_size", 2 << 20}}, "?validate_only=true")["applied"] == false);
  CHECK(patch({{"no_such_option", 1}})["code"] == "bad_request");
  CHECK(patch({{"comparator", "x"}})["code"] == "bad_request");
  CHECK(patch({{"write_buffer_size", "many"}})["code"] == "bad_request");
  // The first of these is good; all or none.
  CHECK(patch({{"disable_auto_compactions", true}, {"no_such_option", 1}})["code"] ==
        "bad_request");
  // The new size holds for the next memtable: 4 MiB fill several of them.
  for (int i = 0; i < 4096; ++i) {
    REQUIRE(running.db().Put({}, "key" + std::to_string(i), std::string(1024, 'v')).ok());
  }
  REQUIRE(running.db().WaitForBackgroundWork().ok());
  CHECK(running.db().Stats().flushes >= 2);
  CHECK(running.Ask("POST", "/cfs/default:flush", Json::object())["flushed"] == true);
  const Json job = running.Ask("POST", "/jobs", {{"kind", "compact"}})["job"];
  running.Work();
  CHECK(running.Ask("GET", "/jobs/" + job["id"].get<std::string>())["job"]["state"] == "done");
  const auto levels = running.db().Levels();
  CHECK(levels[0].files == 0);
}

TEST_CASE("tables in the folder of the database are added, all or none") {
  Running running(/*write=*/true);
  REQUIRE(running.db().CreateColumnFamily("users", {}).ok());
  const std::filesystem::path folder = std::filesystem::path(running.db().path()) / "ingest";
  std::filesystem::create_directory(folder);
  const auto make = [&](const std::filesystem::path& path, const std::string& key) {
    auto writer = SstFileWriter::Create({}, {}, path);
    REQUIRE(writer.ok());
    REQUIRE(writer->Put(key, "1").ok());
    REQUIRE(writer->Finish().ok());
  };
  make(folder / "a.sst", "a");
  make(folder / "b.sst", "b");
  make(folder.parent_path().parent_path() / "outside.sst", "outside");
  std::filesystem::create_symlink("a.sst", folder / "link.sst");
  // What became of the job, or the code of its problem.
  const auto ingest = [&](const Json& tables, bool move) {
    const Json job = running.Ask("POST", "/jobs",
                                 {{"kind", "ingest"}, {"tables", tables}, {"move", move}})["job"];
    running.Work();
    return running.Ask("GET", "/jobs/" + job["id"].get<std::string>());
  };
  const Json refused =
      ingest({{{"files", {"a.sst"}}}, {{"cf", "users"}, {"files", {"no.sst"}}}}, true);
  CHECK_EQ(refused["job"]["state"], "failed");
  // Where the database is concerns nobody else.
  CHECK_EQ(refused.dump().find(running.db().path()), std::string::npos);
  CHECK_EQ(ingest({{{"files", {"link.sst"}}}}, true)["job"]["state"], "failed");
  CHECK(running.Ask("GET", "/cfs/default/get?key=a")["found"] == false);
  CHECK(std::filesystem::exists(folder / "a.sst"));

  const Json done = ingest({{{"files", {"a.sst"}}}, {{"cf", "users"}, {"files", {"b.sst"}}}}, true);
  CHECK_EQ(done["job"]["state"], "done");
  const std::string id = done["job"]["id"];
  CHECK_EQ(running.Ask("GET", "/jobs/" + id + "/result")["files"], 2);
  CHECK(running.Ask("GET", "/cfs/default/get?key=a")["found"] == true);
  CHECK(running.Ask("GET", "/cfs/users/get?key=b")["found"] == true);
  CHECK_FALSE(std::filesystem::exists(folder / "a.sst"));
}

TEST_CASE("a request cannot name a table outside of that folder") {
  Running running(/*write=*/true);
  const auto refusal = [&](const std::string& name) {
    const Json problem = running.Ask(
        "POST", "/jobs", {{"kind", "ingest"}, {"tables", {{{"files", {"a.sst", name}}}}}});
    return problem["code"].get<std::string>() + " " + problem["pointer"].get<std::string>();
  };
  for (const char* name : {"../outside.sst", "/etc/passwd", "a/b", "..", ".", ""}) {
    CHECK_EQ(refusal(name), "bad_request /tables/0/files/1");
  }
  CHECK_EQ(refusal(std::string("a\0b", 3)), "bad_request /tables/0/files/1");
  CHECK_EQ(running.live().Ingest("", {{.files = {"../outside.sst"}}}, false).code(),
           Code::kInvalidArgument);
}

TEST_CASE("samples over time are kept, a bounded number of them") {
  Running running(/*write=*/false);
  for (size_t i = 0; i < EngineLive::kSamplesMax + 5; ++i) running.live().Sample();
  const Json samples = running.Ask("GET", "/stats/history")["samples"];
  CHECK(samples.size() == EngineLive::kSamplesMax);
  CHECK(samples[0]["time_unix_us"] <= samples[5]["time_unix_us"]);
}

TEST_CASE("metrics are read, and only of an engine that runs") {
  Running running(/*write=*/false);
  const Response metrics = running.Metrics("GET");
  CHECK(metrics.status == 200);
  CHECK(metrics.body.starts_with("# HELP varve_"));
  // In the words of …/stats.
  CHECK(metrics.body.find("# HELP varve_open_table_bytes Bytes in memory for open tables, outside "
                          "the cache.\n") != std::string::npos);
  CHECK(metrics.body.find("# HELP varve_stall_seconds_total Seconds for which writes had to wait.\n"
                          "# TYPE varve_stall_seconds_total counter\n"
                          "varve_stall_seconds_total 0") != std::string::npos);
  CHECK(metrics.body.find("# HELP varve_get_seconds Point reads; one in 64 is timed.\n") !=
        std::string::npos);
  CHECK(running.Metrics("POST").status == 405);
  FixtureService files({"db/rocksdb-7.8.3/multi_cf"});
  CHECK(files.Ask({.target = "/metrics"}).status == 404);
}

TEST_CASE("percentiles lie in the bucket that holds them") {
  Durations durations;
  CHECK(durations.Percentile(0.5) == 0);
  durations.count = 100;
  durations.buckets[Durations::BucketOf(1000)] = 90;    // 512 to 1024 ns.
  durations.buckets[Durations::BucketOf(100000)] = 10;  // 65536 to 131072 ns.
  CHECK(durations.Percentile(0.5) > 512);
  CHECK(durations.Percentile(0.5) <= 1024);
  CHECK(durations.Percentile(0.9) == 1024);
  CHECK(durations.Percentile(0.95) > 65536);
  CHECK(durations.Percentile(1.0) == 131072);
}

}  // namespace
}  // namespace varve::api
