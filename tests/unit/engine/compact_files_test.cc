// SPDX-License-Identifier: Apache-2.0
// DB::CompactFiles(): what it does to a database, what it says of it, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "core/engine/jobs/compaction_info.h"
#include "core/format/file_name.h"
#include "tests/unit/engine/inline_db.h"

namespace varve {
namespace {

class Fixture : public InlineDb {
 public:
  Fixture() {
    options.family.disable_auto_compactions = true;
    options.family.level_compaction_dynamic_level_bytes = false;
  }
  void WriteTable(const std::vector<std::string>& keys, const std::string& value) {
    for (const std::string& key : keys) REQUIRE(db->Put({}, key, value).ok());
    REQUIRE(db->Flush().ok());
  }
  // Of a level, newest or smallest first.
  std::vector<std::string> Names(int level) {
    const auto files = db->LiveFiles();
    REQUIRE(files.ok());
    std::vector<std::string> names;
    for (const LiveFile& file : *files) {
      if (file.level == level) names.push_back(TableFileName(file.number));
    }
    return names;
  }
  std::string Get(const std::string& key) {
    const auto value = db->Get({}, key);
    REQUIRE(value.ok());
    return *value ? std::string((*value)->view()) : "absent";
  }
  Status Compact(const std::vector<std::string>& names, int level,
                 const CompactFilesOptions& how = {}) {
    info = {};
    return db->CompactFiles(how, names, level, kDefaultColumnFamilyId, &info);
  }
  CompactionJobInfo info;
};

TEST_CASE("CompactFiles takes older tables of level 0 along, and says what it did") {
  Fixture t;
  t.Open();
  t.WriteTable({"a", "b"}, "1");
  REQUIRE(t.db->Delete({}, "b").ok());
  t.WriteTable({"c"}, "2");
  t.WriteTable({"a", "d"}, "3");
  const std::vector<std::string> names = t.Names(0);
  REQUIRE_EQ(names.size(), 3);
  const auto middle = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return name != *std::min_element(names.begin(), names.end()) &&
           name != *std::max_element(names.begin(), names.end());
  });
  REQUIRE(t.Compact({*middle}, 2).ok());
  CHECK_EQ(t.Names(0), std::vector{*std::max_element(names.begin(), names.end())});
  CHECK_EQ(t.Names(2).size(), 1);
  CHECK_EQ(t.Get("a"), "3");
  CHECK_EQ(t.Get("b"), "absent");
  CHECK_EQ(t.Get("c"), "2");
  CHECK_GT(t.info.job, 3);  // After three flushes.
  CHECK_EQ(t.info.family_name, "default");
  CHECK_EQ(t.info.base_input_level, 0);
  CHECK_EQ(t.info.output_level, 2);
  CHECK_EQ(t.info.level0_files, 1);
  CHECK_FALSE(t.info.moved);
  CHECK_FALSE(t.info.full);
  REQUIRE_EQ(t.info.inputs.size(), 2);
  CHECK_EQ(t.info.inputs[0].level, 0);
  CHECK_EQ(t.info.inputs[0].entries + t.info.inputs[1].entries, 4);
  CHECK_EQ(t.info.inputs[0].deletions + t.info.inputs[1].deletions, 1);
  REQUIRE_EQ(t.info.outputs.size(), 1);
  CHECK_EQ(t.info.outputs[0].path, "db/" + t.Names(2)[0]);
  CHECK_EQ(t.info.outputs[0].level, 2);
  CHECK_EQ(t.info.outputs[0].entries, 2);  // a and c.
  CHECK_GT(t.info.outputs[0].size, 0);
}

TEST_CASE("CompactFiles survives opening again, whatever level it chose") {
  for (const int level : {0, 1, 4, 6}) {
    CAPTURE(level);
    Fixture t;
    t.Open();
    t.WriteTable({"a", "m"}, "1");
    t.WriteTable({"b", "n"}, "2");
    t.WriteTable({"a", "z"}, "3");
    REQUIRE(t.Compact(t.Names(0), level).ok());
    CHECK_EQ(t.Names(level).size(), 1);
    CHECK(t.info.full);
    t.Open();
    CHECK_EQ(t.Names(level).size(), 1);
    for (const auto& [key, value] : {std::pair{"a", "3"}, {"b", "2"}, {"m", "1"}, {"z", "3"}}) {
      CHECK_EQ(t.Get(key), value);
    }
  }
}

TEST_CASE("CompactFiles cuts tables at the limit, and moves one that is in nobody's way") {
  Fixture t;
  t.options.family.table.compression = CompressionType::kNone;
  t.Open();
  std::vector<std::string> keys;
  for (int i = 100; i < 200; ++i) keys.push_back("k" + std::to_string(i));
  t.WriteTable(keys, std::string(1000, 'v'));
  REQUIRE(t.Compact(t.Names(0), 1, {.output_file_size_limit = 20'000}).ok());
  CHECK_GE(t.Names(1).size(), 4);
  CHECK_EQ(t.info.outputs.size(), t.Names(1).size());
  const std::vector<std::string> before = t.Names(1);
  REQUIRE(t.Compact({before[1]}, 3, {.allow_trivial_move = true}).ok());
  CHECK(t.info.moved);
  CHECK_EQ(t.Names(3), std::vector{before[1]});
  REQUIRE_EQ(t.info.outputs.size(), 1);
  CHECK_EQ(t.info.outputs[0].level, 3);
  CHECK_EQ(t.info.outputs[0].path, "db/" + before[1]);
  REQUIRE(t.Compact({before[1]}, 4).ok());
  CHECK_FALSE(t.info.moved);
  CHECK_NE(t.Names(4), std::vector{before[1]});
  for (const std::string& key : keys) CHECK_EQ(t.Get(key).size(), 1000);
}

TEST_CASE("CompactFiles keeps what a snapshot sees") {
  Fixture t;
  t.Open();
  t.WriteTable({"a"}, "old");
  {
    const auto snapshot = t.db->GetSnapshot();
    REQUIRE(t.db->Delete({}, "a").ok());
    t.WriteTable({"b"}, "new");
    REQUIRE(t.Compact(t.Names(0), 3).ok());
    CHECK_EQ(t.info.outputs.at(0).entries, 3);
    ReadOptions at;
    at.snapshot = &snapshot;
    const auto value = t.db->Get(at, "a");
    REQUIRE(value.ok());
    REQUIRE(*value);
    CHECK_EQ((*value)->view(), "old");
    CHECK_EQ(t.Get("a"), "absent");
  }
  REQUIRE(t.Compact(t.Names(3), 3).ok());
  CHECK_EQ(t.info.outputs.at(0).entries, 1);
}

TEST_CASE("CompactFiles refuses what it cannot do, and changes nothing") {
  Fixture t;
  t.Open();
  t.WriteTable({"a"}, "1");
  REQUIRE(t.Compact(t.Names(0), 3).ok());
  t.WriteTable({"b"}, "2");
  const std::vector<std::string> above = t.Names(0), below = t.Names(3);
  CHECK_EQ(t.Compact({}, 1).code(), Code::kInvalidArgument);
  CHECK_EQ(t.Compact({"999999.sst"}, 1).code(), Code::kInvalidArgument);
  CHECK_EQ(t.Compact(below, 2).code(), Code::kInvalidArgument);
  CHECK_EQ(t.Compact(above, 7).code(), Code::kInvalidArgument);
  std::atomic<bool> cancelled{true};
  CHECK_EQ(t.Compact(above, 1, {.cancelled = &cancelled}).code(), Code::kShutdown);
  CHECK_EQ(t.db->CompactFiles({}, above, 1, 77).code(), Code::kInvalidArgument);
  CHECK_EQ(t.Names(0), above);
  CHECK_EQ(t.Names(3), below);
  CHECK_EQ(t.info.job, 0);
}

TEST_CASE("CompactFiles goes on while background work is paused; closing ends the pause") {
  Fixture t;
  t.Open();
  t.WriteTable({"a"}, "1");
  REQUIRE(t.db->PauseBackgroundWork().ok());
  REQUIRE(t.db->Put({.durability = Durability::kNone}, "b", "2").ok());
  REQUIRE(t.db->Flush({.wait = false}).ok());
  REQUIRE(t.Compact(t.Names(0), 2).ok());
  CHECK_EQ(t.Names(0).size(), 0);
  CHECK_EQ(t.Names(2).size(), 1);
  t.Open();
  CHECK_EQ(t.Get("a"), "1");
  CHECK_EQ(t.Get("b"), "2");  // No log has it: closing flushed it.
}

TEST_CASE("CompactFiles with FIFO merges tables of level 0, and knows no other level") {
  Fixture t;
  t.options.family.compaction_style = CompactionStyle::kFifo;
  t.Open();
  t.WriteTable({"a"}, "1");
  t.WriteTable({"a"}, "2");
  CHECK_EQ(t.Compact(t.Names(0), 1).code(), Code::kInvalidArgument);
  REQUIRE(t.Compact(t.Names(0), 0).ok());
  CHECK_EQ(t.Names(0).size(), 1);
  CHECK_EQ(t.Get("a"), "2");
}

}  // namespace
}  // namespace varve
