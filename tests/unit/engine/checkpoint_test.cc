// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/checkpoint.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "core/base/threads/thread_pool.h"
#include "tests/scratch_directory.h"
#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

class Fixture {
 public:
  Fixture() {
    options.create_if_missing = true;
    options.family.write_buffer_size = 64 << 10;
    options.family.level0_file_num_compaction_trigger = 2;
    auto opened = DB::Open(options, root / "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    db = *std::move(opened);
  }

  const ScratchDirectory root;
  Options options;
  std::unique_ptr<DB> db;
};

std::string GetFrom(DB& db, const std::string& key, ColumnFamilyId family = 0) {
  const auto value = db.Get({}, key, family);
  if (!value.ok()) return value.status().ToString();
  return value->has_value() ? (**value).ToString() : "(none)";
}

TEST_CASE("Checkpoint: tables, logs and families are all there, without the original") {
  Fixture t;
  const auto other = t.db->CreateColumnFamily("other", t.options.family);
  REQUIRE(other.ok());
  for (int i = 0; i < 3000; ++i) {
    WriteBatch batch;
    batch.Put("k" + std::to_string(i), std::string(100, 'v'));
    batch.Put("k" + std::to_string(i), "other", *other);
    REQUIRE(t.db->Write({}, std::move(batch)).ok());
  }
  REQUIRE(t.db->Put({}, "unflushed", "yes").ok());
  const Status made = t.db->Checkpoint(t.root / "copy");
  REQUIRE_MESSAGE(made.ok(), made.ToString());
  REQUIRE(t.db->Put({}, "later", "no").ok());
  t.db.reset();
  std::filesystem::remove_all(t.root / "db");

  auto copy = DB::Open(t.options, t.root / "copy");
  REQUIRE_MESSAGE(copy.ok(), copy.status().ToString());
  CHECK(GetFrom(**copy, "unflushed") == "yes");
  CHECK(GetFrom(**copy, "later") == "(none)");
  const auto family = (*copy)->FindFamily("other");
  REQUIRE(family.has_value());
  for (int i = 0; i < 3000; i += 7) {
    CHECK(GetFrom(**copy, "k" + std::to_string(i)) == std::string(100, 'v'));
    CHECK(GetFrom(**copy, "k" + std::to_string(i), *family) == "other");
  }
}

TEST_CASE("Checkpoint: a place that is taken is refused and left alone") {
  Fixture t;
  std::filesystem::create_directory(t.root / "taken");
  CHECK_FALSE(t.db->Checkpoint(t.root / "taken").ok());
  CHECK(std::filesystem::is_empty(t.root / "taken"));
}

TEST_CASE("Checkpoint: a broken link at the place of the checkpoint is refused") {
  Fixture t;
  std::filesystem::create_symlink("nowhere", t.root / "link");
  CHECK_EQ(t.db->Checkpoint(t.root / "link/").ToString(),
           "invalid_argument: " + t.root / "link: is a broken link");
  CHECK_FALSE(std::filesystem::exists(t.root / "link.checkpoint"));
  std::filesystem::create_symlink("nowhere", t.root / "copy.checkpoint");
  CHECK_EQ(t.db->Checkpoint(t.root / "copy").ToString(),
           "invalid_argument: " + t.root / "copy.checkpoint: is a broken link");
}

// Their tables are links to the database's own.
TEST_CASE("Checkpoint: two at once to one place: one is made, and no table is touched") {
  Fixture t;
  REQUIRE(t.db->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  constexpr int kTables = 60;
  for (int i = 0; i < kTables; ++i) {
    REQUIRE(t.db->Put({}, "k" + std::to_string(i), "v").ok());
    REQUIRE(t.db->Flush().ok());
  }
  for (int round = 0; round < 10; ++round) {
    const std::string path = t.root / "copy" + std::to_string(round);
    std::array<Status, 2> made;
    std::thread other([&] { made[1] = t.db->Checkpoint(path); });
    made[0] = t.db->Checkpoint(path);
    other.join();
    REQUIRE_MESSAGE(made[0].ok() != made[1].ok(), made[0].ToString()
                                                      << " and " << made[1].ToString());
    auto copy = DB::OpenReadOnly(t.options, path);
    REQUIRE_MESSAGE(copy.ok(), copy.status().ToString());
    for (int i = 0; i < kTables; ++i) {
      CHECK_EQ(GetFrom(**copy, "k" + std::to_string(i)), "v");
      CHECK_EQ(GetFrom(*t.db, "k" + std::to_string(i)), "v");
    }
    CHECK_FALSE(std::filesystem::exists(path + ".checkpoint"));
  }
}

TEST_CASE("Checkpoint: a slash behind the name of its directory changes nothing") {
  Fixture t;
  REQUIRE(t.db->Put({}, "key", "value").ok());
  const Status made = t.db->Checkpoint(t.root / "copy//");
  REQUIRE_MESSAGE(made.ok(), made.ToString());
  auto copy = DB::OpenReadOnly(t.options, t.root / "copy");
  REQUIRE_MESSAGE(copy.ok(), copy.status().ToString());
  CHECK_EQ(GetFrom(**copy, "key"), "value");
}

TEST_CASE("Checkpoint: what somebody else put at its place meanwhile stays") {
  WatchedFs fs;
  Options options = OptionsOn(&fs);
  auto db = DB::Open(options, "db");
  REQUIRE(db.ok());
  fs.set_judge([&](const std::string& event) {
    if (event != "rename copy.checkpoint copy") return Status::Ok();
    REQUIRE(fs.base().CreateDirectory("copy").ok());
    REQUIRE(fs.base().Create("copy/theirs", /*direct=*/false).ok());
    return Status::IoError("copy: the directory is not empty");
  });
  CHECK_FALSE((*db)->Checkpoint("copy").ok());
  CHECK(fs.Exists("copy/theirs"));
  CHECK_FALSE(fs.Exists("copy.checkpoint"));
}

TEST_CASE("Checkpoint: one whose name cannot be synced is taken back") {
  WatchedFs fs;
  Options options = OptionsOn(&fs);
  auto db = DB::Open(options, "db");
  REQUIRE(db.ok());
  fs.set_judge([](const std::string& event) {
    return event == "sync_directory ." ? Status::IoError("no more") : Status::Ok();
  });
  CHECK_FALSE((*db)->Checkpoint("copy").ok());
  CHECK_FALSE(fs.Exists("copy"));
  CHECK_FALSE(fs.Exists("copy.checkpoint"));
}

TEST_CASE("Checkpoint: tables that become obsolete meanwhile are deleted when it ends") {
  WatchedFs fs;
  Options options = OptionsOn(&fs);
  options.family.disable_auto_compactions = true;
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  for (const char* value : {"1", "2", "3"}) {
    REQUIRE(db.Put({}, "key", value).ok());
    REQUIRE(db.Flush().ok());
  }
  const auto tables = [&] {
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    return std::count_if(entries->begin(), entries->end(),
                         [](const DirectoryEntry& entry) { return entry.name.ends_with(".sst"); });
  };
  bool compacted = false;
  fs.set_judge([&](const std::string& event) {
    if (!event.starts_with("create MANIFEST-") || std::exchange(compacted, true)) {
      return Status::Ok();
    }
    CHECK(db.CompactRange({}, {}, {}).ok());
    CHECK_EQ(tables(), 4);  // Held.
    return Status::Ok();
  });
  REQUIRE(db.Checkpoint("copy").ok());
  REQUIRE(compacted);
  CHECK_EQ(tables(), 1);
}

TEST_CASE("Checkpoint: needs a name, and a database that is open for writing") {
  Fixture t;
  CHECK_EQ(t.db->Checkpoint("").ToString(),
           "invalid_argument: a checkpoint needs the name of a directory");
  REQUIRE(t.db->Close().ok());
  auto reader = DB::OpenReadOnly(t.options, t.root / "db");
  REQUIRE(reader.ok());
  CHECK_EQ((*reader)->Checkpoint(t.root / "copy").ToString(),
           "not_supported: the database is open read-only");
}

TEST_CASE("Checkpoint: of files, logs included") {
  Fixture t;
  REQUIRE(t.db->Put({}, "flushed", "1").ok());
  REQUIRE(t.db->Flush().ok());
  REQUIRE(t.db->Put({}, "logged", "2").ok());
  const auto make = [&] { return DB::CheckpointOf(t.options.env, t.root / "db", t.root / "copy"); };
  REQUIRE(make().ok());
  REQUIRE(t.db->Put({}, "later", "3").ok());
  CHECK_EQ(make().code(), Code::kInvalidArgument);  // It is there.
  auto copy = DB::Open(t.options, t.root / "copy");
  REQUIRE(copy.ok());
  for (const char* key : {"flushed", "logged"}) {
    const auto value = (*copy)->Get({}, key);
    REQUIRE(value.ok());
    CHECK_MESSAGE(value->has_value(), key);
  }
  CHECK_EQ(GetFrom(**copy, "later"), "(none)");
}

// Takes checkpoints of t.db while another thread writes: each is one moment of the database.
void CheckMomentsOf(Fixture& t, const std::function<Status(const std::string& path)>& make) {
  std::atomic<bool> stop{false};
  // Each batch sets both keys to the same number: a moment shows two equal ones.
  std::thread writer([&] {
    for (int n = 1; !stop; ++n) {
      WriteBatch batch;
      batch.Put("left", std::to_string(n));
      batch.Put("pad" + std::to_string(n % 500), std::string(300, 'p'));
      batch.Put("right", std::to_string(n));
      if (!t.db->Write({}, std::move(batch)).ok()) break;
    }
  });
  int last = 0;
  for (int i = 0; i < 8; ++i) {
    const std::string path = t.root / "copy" + std::to_string(i);
    const Status made = make(path);
    REQUIRE_MESSAGE(made.ok(), made.ToString());
    auto copy = DB::OpenReadOnly(t.options, path);
    REQUIRE_MESSAGE(copy.ok(), copy.status().ToString());
    const std::string left = GetFrom(**copy, "left");
    CHECK(left == GetFrom(**copy, "right"));
    const int now = left == "(none)" ? 0 : std::stoi(left);
    CHECK(now >= last);
    last = now;
  }
  stop = true;
  writer.join();
  CHECK(last > 0);
}

TEST_CASE("Checkpoint: made while another thread writes, it is one moment of the database") {
  Fixture t;
  CheckMomentsOf(t, [&](const std::string& path) { return t.db->Checkpoint(path); });
}

TEST_CASE("Checkpoint: of files while another thread writes, it is one moment of the database") {
  Fixture t;
  CheckMomentsOf(t, [&](const std::string& path) {
    return DB::CheckpointOf(t.options.env, t.root / "db", path);
  });
}

}  // namespace
}  // namespace varve
