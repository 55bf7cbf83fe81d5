// SPDX-License-Identifier: Apache-2.0
// P6: a full disk loses nothing that was acknowledged, says which file it met, and once there is
// room again everything goes on: at once where only a table or an OPTIONS file did not fit, and
// after reopening where a log or the MANIFEST did not (P5).
#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/base/threads/inline_executor.h"
#include "tests/mix/dice.h"
#include "tests/resources/budget_fs.h"
#include "tests/resources/usage.h"
#include "varve/db.h"

namespace varve::resources {
namespace {

constexpr int kOpsBefore = 30, kOpsMax = 400, kOpsAfterFailure = 25;

// A database on a small disk, and what was acknowledged to its user.
class Store {
 public:
  Store(bool threads, uint64_t seed) : dice_(seed) {
    options_.create_if_missing = true;
    options_.env = NativeEnvironment();
    options_.env.file_system = &fs;
    if (!threads) options_.env.executor = &executor_;
    options_.max_manifest_file_size = 2000;  // Often replaced: CURRENT is written as well.
    options_.family.write_buffer_size = 16 << 10;
    options_.family.target_file_size_base = 32 << 10;
    options_.family.max_bytes_for_level_base = 64 << 10;
    options_.family.level0_file_num_compaction_trigger = 2;
  }

  Status Open() {
    db_.reset();
    auto opened = DB::Open(options_, "db");
    if (opened.ok()) db_ = *std::move(opened);
    return opened.status();
  }
  DB* db() { return db_.get(); }
  void Close() { db_.reset(); }

  // One operation of those that write to every kind of file.
  Status Step() {
    const uint64_t n = ++steps_;
    if (n % 40 == 0) {
      return db_->SetOptions({{"max_compaction_bytes", std::to_string(n << 20)}});
    }
    if (n % 50 == 0) return db_->Flush();
    if (n % 120 == 0) return db_->CompactRange({}, {}, {});
    const std::string key = "key" + std::to_string(dice_.Pick(300));
    const std::string value(400 + dice_.Pick(2000), static_cast<char>('a' + n % 26));
    const Durability durability = n % 16 == 0 ? Durability::kSync : Durability::kBuffered;
    Status put = db_->Put({.durability = durability}, key, value);
    // What failed may be there or not. A later acknowledgement settles it.
    in_doubt_[key].insert(value);
    if (put.ok()) {
      acknowledged_[key] = value;
      in_doubt_.erase(key);
    }
    return put;
  }

  void CheckContents() {
    for (const auto& [key, value] : acknowledged_) {
      const auto got = db_->Get({}, key);
      REQUIRE_MESSAGE(got.ok(), got.status().ToString());
      const auto doubt = in_doubt_.find(key);
      REQUIRE(got->has_value());
      const bool other = doubt != in_doubt_.end() && doubt->second.contains((*got)->ToString());
      CHECK((other || (*got)->ToString() == value));
    }
  }

  // After Open() and Close() the directory has what the database is made of, and nothing else.
  void CheckNoRubbish() {
    REQUIRE(Open().ok());
    REQUIRE(db_->WaitForBackgroundWork().ok());
    uint64_t tables = 0;
    for (const LevelInfo& level : db_->Levels()) tables += level.files;
    Close();
    std::map<std::string, uint64_t> kinds;
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) ++kinds[KindOf(entry.name)];
    CHECK_EQ(kinds["sst"], tables);
    CHECK_EQ(kinds["MANIFEST"], 1);
    CHECK_EQ(kinds["dbtmp"], 0);
    CHECK_LE(kinds["OPTIONS"], 2);
    CHECK_LE(kinds["log"], 2);
  }

  BudgetFs fs;

 private:
  InlineExecutor executor_;
  Options options_;
  mix::Dice dice_;
  uint64_t steps_ = 0;
  std::map<std::string, std::string> acknowledged_;
  std::map<std::string, std::set<std::string>> in_doubt_;
  std::unique_ptr<DB> db_;
};

void CheckSaysWhatIsFull(const Status& failed) {
  CAPTURE(failed.ToString());
  CHECK(failed.code() == Code::kNoSpace);
  CHECK(failed.message().find("No space left on device") != std::string::npos);
  CHECK(failed.message().find("db/") != std::string::npos);
}

struct Tally {
  int went_on = 0, reopened = 0, refused_while_full = 0;
  std::set<std::string> kinds;
};

// The disk is full `room` bytes after the database was filled a little.
void FillUp(uint64_t room, bool threads, bool reopen_while_full, Tally* tally) {
  CAPTURE(room);
  CAPTURE(threads);
  Store store(threads, room);
  REQUIRE(store.Open().ok());
  for (int i = 0; i < kOpsBefore; ++i) REQUIRE(store.Step().ok());
  store.fs.Leave(room);
  int failures = 0;
  for (int i = 0; i < kOpsMax && failures < kOpsAfterFailure; ++i) {
    const Status done = store.Step();
    if (done.ok()) continue;
    ++failures;
    CheckSaysWhatIsFull(done);
  }
  store.CheckContents();
  if (reopen_while_full) {
    const Status opened = store.Open();
    if (opened.ok()) {
      store.CheckContents();
    } else {
      ++tally->refused_while_full;
      CheckSaysWhatIsFull(opened);
    }
  }
  tally->kinds.merge(store.fs.refused());

  store.fs.Leave(BudgetFs::kUnlimited);
  const bool goes_on = store.db() != nullptr && store.db()->Put({}, "room", "again").ok();
  ++(goes_on ? tally->went_on : tally->reopened);
  if (!goes_on) REQUIRE(store.Open().ok());
  const Status flushed = store.db()->FlushAll();
  CHECK_MESSAGE(flushed.ok(), flushed.ToString());
  const Status compacted = store.db()->CompactRange({}, {}, {});
  CHECK_MESSAGE(compacted.ok(), compacted.ToString());
  const Status rest = store.db()->WaitForBackgroundWork();
  CHECK_MESSAGE(rest.ok(), rest.ToString());
  for (int i = 0; i < 60; ++i) {
    const Status done = store.Step();
    REQUIRE_MESSAGE(done.ok(), done.ToString());
  }
  store.CheckContents();
  REQUIRE(store.Open().ok());
  store.CheckContents();
  store.CheckNoRubbish();
}

TEST_CASE("Full disk: nothing acknowledged is lost, and with room again everything goes on (P6)") {
  Tally tally;
  const uint64_t most = 160 << 10, step = Amount(700, 61);
  for (uint64_t room = 0; room < most; room += step) {
    FillUp(room, room / step % 4 == 3, room / step % 2 == 1, &tally);
  }
  MESSAGE("went on: ", tally.went_on, ", reopened: ", tally.reopened,
          ", not opened while full: ", tally.refused_while_full);
  for (const std::string kind : {"log", "sst", "MANIFEST", "OPTIONS", "dbtmp"}) {
    CAPTURE(kind);
    CHECK(tally.kinds.contains(kind));
  }
  CHECK_GT(tally.went_on, 5);
  CHECK_GT(tally.reopened, 5);
  CHECK_GT(tally.refused_while_full, 5);
}

}  // namespace
}  // namespace varve::resources
