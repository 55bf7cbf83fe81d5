// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/write_path.h"

#include <atomic>
#include <thread>

#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

using Lane = Executor::Lane;
using Log = std::vector<std::string>;

struct Fixture : EngineParts {
  explicit Fixture(const Options& options = {}, ColumnFamilyId families = 1)
      : EngineParts(options, families) {}

  Log TakeLog() { return std::exchange(fs.log(), {}); }
  void FailOn(const std::string& start) {
    fs.set_judge([start](const std::string& event) {
      return event.starts_with(start) ? Status::NoSpace("full") : Status::Ok();
    });
  }
  void Fill(ColumnFamilyId family, int memtables) {
    for (int i = 0; i < memtables; ++i) {
      REQUIRE(Put(family, "k", "v").ok());
      Seal(family);
    }
  }
  bool HasUnlogged() {
    const WritePath::Lead lead(*writes);
    return writes->has_unlogged_writes();
  }
};

constexpr WriteOptions kSynced{.durability = Durability::kSync};
constexpr WriteOptions kUnlogged{.durability = Durability::kNone};
constexpr WriteOptions kHasty{.no_slowdown = true};

TEST_CASE("WritePath: logged, then in the memtable, then visible, with numbers that follow") {
  Fixture t({}, 2);
  WriteBatch batch;
  batch.Put("a", "1", 0);
  batch.Put("b", "2", 1);
  t.fs.set_judge([&t](const std::string&) {
    CHECK_EQ(t.context.visible, 0);
    CHECK_EQ(t.Get(0, "a"), "none");
    return Status::Ok();
  });
  REQUIRE(t.writes->Write({}, &batch).ok());
  t.fs.set_judge(nullptr);
  CHECK(t.TakeLog() == Log{"append 000006.log"});
  CHECK_EQ(t.context.visible, 2);
  CHECK_EQ(t.Get(0, "a"), "1");
  CHECK_EQ(t.Get(1, "b"), "2");
  REQUIRE(t.Put(0, "c", "3").ok());
  CHECK_EQ(t.context.visible, 3);
  CHECK_EQ(t.context.stats.batches_written.value(), 2);
  CHECK_EQ(t.context.stats.entries_written.value(), 3);
  CHECK_EQ(t.context.stats.wal_bytes_written.value(), *t.fs.FileSize("db/000006.log"));
}

TEST_CASE("WritePath: synced if asked, with the log's name; logged in any case but one") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1", kSynced).ok());
  CHECK(t.TakeLog() == Log{"append 000006.log", "sync 000006.log", "sync_directory db"});
  REQUIRE(t.Put(0, "a", "2", kSynced).ok());
  CHECK(t.TakeLog() == Log{"append 000006.log", "sync 000006.log"});
  CHECK_FALSE(t.HasUnlogged());
  REQUIRE(t.Put(0, "a", "3", kUnlogged).ok());
  CHECK(t.TakeLog().empty());
  CHECK_EQ(t.Get(0, "a"), "3");
  CHECK(t.HasUnlogged());
}

TEST_CASE("WritePath: an empty batch logs nothing and changes nothing, but syncs what is there") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  t.TakeLog();
  WriteBatch nothing;
  REQUIRE(t.writes->Write({}, &nothing).ok());
  CHECK(t.TakeLog().empty());
  REQUIRE(t.writes->Write(kSynced, &nothing).ok());
  CHECK(t.TakeLog() == Log{"sync 000006.log", "sync_directory db"});
  CHECK_EQ(t.context.visible, 1);
}

TEST_CASE("WritePath: a batch that is refused is not logged, and the next one is not concerned") {
  Fixture t;
  CHECK(t.Put(9, "a", "1").code() == Code::kInvalidArgument);
  WriteBatch hostile("no batch at all");
  CHECK(t.writes->Write({}, &hostile).code() == Code::kCorruption);
  CHECK(t.TakeLog().empty());
  CHECK_EQ(t.context.visible, 0);
  REQUIRE(t.Put(0, "a", "1").ok());
}

TEST_CASE(
    "WritePath: after a failed append or sync nothing of the group is there, nor anything later") {
  for (const char* const failing : {"append 000006.log", "sync 000006.log", "sync_directory"}) {
    Fixture t;
    REQUIRE(t.Put(0, "before", "1").ok());
    t.FailOn(failing);
    CHECK(t.Put(0, "a", "1", kSynced).code() == Code::kNoSpace);
    t.fs.set_judge(nullptr);
    CHECK_EQ(t.Get(0, "a"), "none");
    CHECK_EQ(t.Get(0, "before"), "1");
    CHECK_EQ(t.context.visible, 1);
    t.TakeLog();
    for (const WriteOptions& options : {WriteOptions(), kSynced, kUnlogged}) {
      CHECK(t.Put(0, "b", "1", options).code() == Code::kNoSpace);
    }
    CHECK(t.TakeLog().empty());
    CHECK_EQ(t.Get(0, "b"), "none");
  }
}

TEST_CASE("WritePath: the last sequence number can be used, and no write goes beyond it") {
  Fixture t;
  t.context.visible = kMaxSequence - 3;
  WriteBatch two, three;
  for (const char* const key : {"a", "b"}) two.Put(key, "1", 0);
  for (const char* const key : {"c", "d", "e"}) three.Put(key, "1", 0);
  CHECK(t.writes->Write({}, &three).code() == Code::kNotSupported);
  CHECK(t.TakeLog().empty());
  CHECK(t.context.errors.writable());
  CHECK(t.writes->Write({}, &two).ok());
  CHECK_EQ(t.context.visible, kMaxSequence - 1);
}

TEST_CASE("WritePath: a full memtable is sealed by the next write, which goes to a new WAL") {
  Options options;
  options.family.write_buffer_size = 64 << 10;
  Fixture t(options, 2);
  REQUIRE(t.Put(0, "large", std::string(100'000, 'v')).ok());
  CHECK_EQ(t.Sealed(0), 0);
  REQUIRE(t.Put(1, "next", "1").ok());
  CHECK_EQ(t.Sealed(0), 1);
  CHECK_EQ(t.Sealed(1), 0);
  CHECK_EQ(t.executor.queued(Lane::kFlush), 1);
  MutexLock lock(t.context.mutex());
  CHECK_GT(t.wals.present_number(), 6);
  CHECK_EQ(t.all[0]->immutables()[0].next_wal, t.wals.present_number());
}

TEST_CASE(
    "WritePath: a switch seals what has data, in one new WAL, and leaves empty families alone") {
  Fixture t({}, 3);
  REQUIRE(t.Put(0, "a", "1").ok());
  REQUIRE(t.Put(2, "a", "1").ok());
  {
    const WritePath::Lead lead(*t.writes);
    REQUIRE(t.writes->Switch(t.all, FlushReason::kManual).ok());
  }
  CHECK_EQ(t.Sealed(0), 1);
  CHECK_EQ(t.Sealed(1), 0);
  CHECK_EQ(t.Sealed(2), 1);
  CHECK_EQ(t.Get(0, "a"), "1");
  MutexLock lock(t.context.mutex());
  CHECK_EQ(t.wals.closed().size(), 1);
}

TEST_CASE("WritePath: where nothing was logged, a switch keeps the WAL") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1", kUnlogged).ok());
  t.Seal(0);
  CHECK_EQ(t.Sealed(0), 1);
  MutexLock lock(t.context.mutex());
  CHECK_EQ(t.wals.present_number(), 6);
}

TEST_CASE("WritePath: a WAL that cannot be begun closes writes, and the memtable takes no more") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  t.FailOn("create ");
  {
    const WritePath::Lead lead(*t.writes);
    CHECK(t.writes->Switch(t.all, FlushReason::kManual).code() == Code::kNoSpace);
  }
  t.fs.set_judge(nullptr);
  CHECK_EQ(t.Sealed(0), 0);
  CHECK(t.Put(0, "b", "1").code() == Code::kNoSpace);
  CHECK_EQ(t.Get(0, "a"), "1");
}

TEST_CASE("WritePath: too many bytes of WALs flush the families that need the oldest") {
  Fixture t({}, 3);
  t.context.wal_bytes_limit = 10'000;
  REQUIRE(t.Put(0, "a", "1").ok());  // In WAL 6.
  t.Fill(1, 1);                      // From now on, a later one.
  REQUIRE(t.Put(2, "large", std::string(20'000, 'v')).ok());
  CHECK_EQ(t.Sealed(0), 0);
  REQUIRE(t.Put(2, "next", "1").ok());
  CHECK_EQ(t.Sealed(0), 1);
}

TEST_CASE("WritePath: who must not wait is told that it would have to, and why") {
  Options options;
  options.family.max_write_buffer_number = 2;
  Fixture t(options, 2);
  t.Fill(0, 2);
  REQUIRE(t.background->stall().kind == StallState::Kind::kStop);
  const Status busy = t.Put(0, "a", "1", kHasty);
  CHECK(busy.code() == Code::kBusy);
  CHECK(busy.message().find("memtables") != std::string::npos);
  CHECK_EQ(t.Get(0, "a"), "none");
  t.executor.RunAll();
  CHECK(t.Put(0, "a", "1", kHasty).ok());
}

TEST_CASE("WritePath: a family that cannot be flushed stops its own writers, with the reason") {
  Options options;
  options.family.max_write_buffer_number = 2;
  Fixture t(options, 2);
  t.FailOn("create 0");
  REQUIRE(t.Put(0, "k", "v", kUnlogged).ok());
  t.Seal(0);
  REQUIRE(t.Put(0, "k", "v", kUnlogged).ok());
  t.Seal(0);
  t.executor.RunAll();
  REQUIRE(t.background->stall().kind == StallState::Kind::kStop);
  CHECK(t.Put(1, "a", "1").ok());  // Another family's writer goes on.
  CHECK(t.Put(1, "a", "2", kHasty).ok());
  CHECK_EQ(t.Get(1, "a"), "2");
  t.executor.RunForWaiters(true);
  CHECK(t.Put(0, "a", "1").code() == Code::kNoSpace);  // It tried once more.
  t.fs.set_judge(nullptr);
  CHECK(t.Put(0, "a", "1").ok());
  CHECK(t.background->stall().kind == StallState::Kind::kNone);
}

TEST_CASE("WritePath: while somebody has the lead, writers wait; then all of them are there") {
  Fixture t;
  constexpr int kWriters = 3;
  std::vector<std::thread> writers;
  std::atomic<int> done{0}, failed{0};
  {
    const WritePath::Lead lead(*t.writes);
    for (int i = 0; i < kWriters; ++i) {
      writers.emplace_back([&, i] {
        if (!t.Put(0, "key" + std::to_string(i), "value").ok()) ++failed;
        ++done;
      });
    }
    for (int i = 0; i < 50; ++i) std::this_thread::yield();
    CHECK_EQ(done, 0);
    CHECK_EQ(t.context.visible, 0);
  }
  for (std::thread& writer : writers) writer.join();
  CHECK_EQ(failed, 0);
  CHECK_EQ(t.context.visible, kWriters);
  for (int i = 0; i < kWriters; ++i) CHECK_EQ(t.Get(0, "key" + std::to_string(i)), "value");
}

TEST_CASE("WritePath: if a group's record fails, each of its writers is told") {
  Fixture t;
  t.FailOn("append 000006.log");
  std::vector<std::thread> writers;
  std::atomic<int> told{0};
  {
    const WritePath::Lead lead(*t.writes);
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([&] {
        if (t.Put(0, "key", "value").code() == Code::kNoSpace) ++told;
      });
    }
  }
  for (std::thread& writer : writers) writer.join();
  CHECK_EQ(told, 4);
  CHECK_EQ(t.Get(0, "key"), "none");
}

TEST_CASE("WritePath: after a family was dropped, WALs that only it needed go") {
  Fixture t({}, 2);
  REQUIRE(t.Put(1, "a", "1").ok());
  t.Fill(0, 1);
  t.executor.RunAll();
  REQUIRE(t.Exists("000006.log"));
  const WritePath::Lead lead(*t.writes);
  VersionEdit drop;
  drop.family = 1;
  drop.drop_family = true;
  REQUIRE(t.log
              ->Log([&] { return std::vector{drop}; },
                    [&] {
                      t.context.AssertNotShared();
                      t.all[1]->Drop(
                          EmptyVersion(*BytewiseComparator(), t.context.tables.get(), {}));
                    })
              .ok());
  REQUIRE(t.writes->ReleaseWals().ok());
  CHECK_FALSE(t.Exists("000006.log"));
}

}  // namespace
}  // namespace varve
