// SPDX-License-Identifier: Apache-2.0
// The resources about shape, history, logs and options. That their facts are right is held against
// RocksDB and its tools in tests/interop and tests/cli; here: what the API makes of them.
#include "fixture_service.h"

namespace varve::api {
namespace {

constexpr const char* kDb = "db/rocksdb-7.8.3/cursor";
constexpr const char* kFamilies = "db/rocksdb-7.8.3/multi_cf";
constexpr const char* kManifest = "db/rocksdb-7.8.3/cursor/MANIFEST-000005";
constexpr const char* kWal = "db/rocksdb-7.8.3/multi_cf/000004.log";

TEST_CASE("levels at an edit are those of the version after it") {
  FixtureService fixture({kDb});
  const Json now = fixture.Document("/targets/t1/cfs/default/levels");
  const Json then = fixture.Document("/targets/t1/cfs/default/levels?edit=12");
  CHECK(now["as_of"]["edit"] == "22");
  CHECK(then["as_of"]["edit"] == "12");
  CHECK(then["as_of"]["seq"] == "1200");
  CHECK(then["levels"][0]["files"] == 2);
  CHECK(then["levels"][0]["overlap"]["files"] == 2);
  CHECK(now["levels"][0]["files"] == 0);
  CHECK(fixture.Document("/targets/t1/versions/12")["version"]["cfs"][0]["files"] == 6);
}

TEST_CASE("an edit that is not there is not found") {
  FixtureService fixture({kDb});
  CHECK(fixture.Refusal("/targets/t1/versions/23") == "404 edit_not_found");
  CHECK(fixture.Refusal("/targets/t1/versions/x") == "400 bad_request");
  CHECK(fixture.Refusal("/targets/t1/files?edit=99") == "404 edit_not_found");
  CHECK(fixture.Refusal("/targets/t1/cfs/gone/levels") == "404 cf_not_found");
}

TEST_CASE("files at an edit know which edit brought them") {
  FixtureService fixture({kDb});
  const Json files = fixture.Document("/targets/t1/files?edit=12&level=1");
  REQUIRE(files["files"].size() == 2);
  CHECK(files["files"][0]["id"] == "14");
  CHECK(files["files"][0]["added_by_edit"] == "8");
  CHECK(files["files"][0]["present"] == false);
}

TEST_CASE("a difference of two edits lists what went and what came") {
  FixtureService fixture({kDb});
  const Json diff = fixture.Document("/targets/t1/versions:diff?a=8&b=9");
  CHECK(diff["equal"] == false);
  CHECK(diff["cfs"][0]["moved"] == 2);
  CHECK(diff["cfs"][0]["same"] == 2);
  REQUIRE(diff["changes"].size() == 2);
  CHECK(diff["changes"][0]["from"]["level"] == 1);
  CHECK(diff["changes"][0]["file"]["level"] == 2);
  CHECK(fixture.Document("/targets/t1/versions:diff?a=9&b=9")["equal"] == true);
}

TEST_CASE("two targets are compared") {
  FixtureService fixture({kDb, kFamilies});
  const Json diff = fixture.Document("/targets/t1/versions:diff?against=t2");
  CHECK(diff["cfs"].size() == 4);
  CHECK(fixture.Refusal("/targets/t1/versions:diff?against=t9") == "404 target_not_found");
}

TEST_CASE("pages of edits make the whole list, of a MANIFEST on its own as well") {
  FixtureService fixture({kDb, kManifest});
  const Json whole = fixture.Document("/targets/t2/manifest/edits");
  CHECK(whole["edits"].size() == 22);
  Json rows = Json::array();
  std::string token;
  while (rows.size() < 22) {
    const Json page = fixture.Document("/targets/t1/manifest/edits?page_size=5" +
                                       (token.empty() ? "" : "&page_token=" + token));
    for (const Json& row : page["edits"]) rows.push_back(row);
    if (!page.contains("next_page_token")) break;
    token = page["next_page_token"];
  }
  CHECK(rows == whole["edits"]);
  const Json some = fixture.Document("/targets/t1/manifest/edits?kind=compaction&from=10&to=16");
  REQUIRE(some["edits"].size() == 2);
  CHECK(some["edits"][0]["edit"] == "14");
}

TEST_CASE("the lineage of a table goes back to flushes") {
  FixtureService fixture({kDb});
  const Json lineage = fixture.Document("/targets/t1/files/24/lineage")["lineage"];
  CHECK(lineage["made_by"]["kind"] == "compaction");
  CHECK(lineage["made_by"]["inferred"] == true);
  CHECK(lineage["complete"] == true);
  bool flushed = false;
  for (const Json& ancestor : lineage["ancestors"]) {
    flushed |= ancestor["file"] == "9" && ancestor["made_by"]["kind"] == "flush";
  }
  CHECK(flushed);
  CHECK(fixture.Refusal("/targets/t1/files/4711/lineage") == "404 file_not_found");
}

TEST_CASE("a table has no MANIFEST, and is not damaged for that") {
  FixtureService fixture({"db/rocksdb-7.8.3/cursor/000024.sst"});
  for (const char* resource : {"/history", "/files/24/lineage", "/manifest/layout"}) {
    CHECK(fixture.Refusal("/targets/t1" + std::string(resource)) == "400 bad_request");
  }
}

TEST_CASE("a log on its own has ids of families, beside its MANIFEST names as well") {
  FixtureService fixture({kFamilies, kWal});
  const Json named = fixture.Document("/targets/t1/wal/4/records?page_size=1");
  const Json bare = fixture.Document("/targets/t2/wal/4/records?page_size=1");
  CHECK(named["records"][0]["ops"][0]["cf"] == "default");
  CHECK(named["records"][0]["ops"][0]["live"] == false);
  CHECK_FALSE(bare["records"][0]["ops"][0].contains("cf"));
  CHECK(named["records"][0]["crc"] == bare["records"][0]["crc"]);
  CHECK(fixture.Refusal("/targets/t1/wal/99/records") == "404 file_not_found");
}

TEST_CASE("damage of a log is a row of it") {
  FixtureService fixture({"db/damaged/flip_first_record_wal5"});
  const Json records = fixture.Document("/targets/t1/wal/5/records");
  REQUIRE(records["records"].size() == 1);
  CHECK(records["records"][0]["offset"] == 0);
  CHECK(records["records"][0]["unfinished"] == false);
  CHECK(records["records"][0]["damage"].get<std::string>().find("checksum") == 0);
  CHECK(fixture.Get("/targets/t1/wal").exit_code == 4);
}

TEST_CASE("options say their default and where they come from") {
  FixtureService fixture({kDb});
  const Json options = fixture.Document("/targets/t1/cfs/default/options");
  CHECK(options["options_file"] == "OPTIONS-000007");
  for (const Json& option : options["options"]) {
    if (option["name"] != "num_levels") continue;
    CHECK(option["value"] == "5");
    CHECK(option["default"] == "7");
    CHECK(option["mutable"] == false);
    CHECK(option["source"] == "OPTIONS-000007");
  }
  CHECK(options["options"].size() == 9);
  CHECK(fixture.Document("/targets/t1/cfs/default/options?all&page_size=10000")["options"].size() >
        100);
}

}  // namespace
}  // namespace varve::api
