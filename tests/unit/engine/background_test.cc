// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/background.h"

#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

using Lane = Executor::Lane;
using Kind = StallState::Kind;

Options Small() {
  Options options;
  options.max_background_jobs = 4;  // One flush, three compactions.
  options.family.max_write_buffer_number = 2;
  options.family.level0_file_num_compaction_trigger = 2;
  options.family.target_file_size_base = 1000;  // Less than four tables: they are moved down.
  options.family.table.compression = CompressionType::kNone;
  return options;
}

struct Fixture : EngineParts {
  explicit Fixture(const Options& options = Small(), ColumnFamilyId families = 1)
      : EngineParts(options, families) {}

  // One more table on level 0, with key "k".
  void FlushOne(ColumnFamilyId family = 0) {
    REQUIRE(Put(family, "k", "v").ok());
    Seal(family);
    RunFlushes();
  }
  void RunFlushes() {
    while (executor.queued(Lane::kFlush) > 0) executor.RunOne();
  }
  Status Failure() {
    MutexLock lock(context.mutex());
    return background->Failure();
  }
  bool Idle() {
    MutexLock lock(context.mutex());
    return background->Idle();
  }
  void Retry() {
    MutexLock lock(context.mutex());
    background->RetryFailed([](const Family&) { return true; });
  }
  Status StallFailure(ColumnFamilyId writes_to, bool* may_go_on) {
    MutexLock lock(context.mutex());
    return background->StallFailure([&](const Family& family) { return family.id() == writes_to; },
                                    may_go_on);
  }
  void FailTables(bool fail) {
    fs.set_judge([fail](const std::string& event) {
      const bool table = event.starts_with("create ") && event.ends_with(".sst");
      return fail && table ? Status::NoSpace("full") : Status::Ok();
    });
  }
};

TEST_CASE("Background: all sealed memtables of a family become one table, and their WALs go") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  t.Seal(0);
  REQUIRE(t.Put(0, "b", "2").ok());
  t.Seal(0);
  CHECK_EQ(t.executor.queued(Lane::kFlush), 1);
  CHECK_EQ(t.Sealed(0), 2);
  CHECK(t.Exists("000006.log"));
  CHECK_FALSE(t.Idle());
  t.executor.RunAll();
  CHECK(t.Idle());
  CHECK_EQ(t.Sealed(0), 0);
  CHECK_EQ(t.FilesOn(0, 0), 1);
  CHECK_EQ(t.context.stats.flushes.value(), 1);
  CHECK_EQ(t.Get(0, "a"), "1");
  CHECK_EQ(t.Get(0, "b"), "2");
  CHECK_FALSE(t.Exists("000006.log"));
  MutexLock lock(t.context.mutex());
  CHECK(t.wals.closed().empty());
  CHECK_EQ(t.log->state().families.Find(ColumnFamilyId{0})->log_number, t.wals.present_number());
}

TEST_CASE(
    "Background: a memtable that is sealed while an older one is flushed waits for its turn") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  t.Seal(0);
  bool sealed = false;
  t.fs.set_judge([&](const std::string& event) {
    if (!sealed && event.ends_with(".sst") && event.starts_with("sync ")) {
      sealed = true;
      REQUIRE(t.Put(0, "b", "2").ok());
      t.Seal(0);
    }
    return Status::Ok();
  });
  REQUIRE(t.executor.RunOne());
  CHECK(sealed);
  CHECK_EQ(t.Sealed(0), 1);
  CHECK_EQ(t.FilesOn(0, 0), 1);
  CHECK_EQ(t.executor.queued(Lane::kFlush), 1);
  CHECK_EQ(t.Get(0, "a"), "1");
  CHECK_EQ(t.Get(0, "b"), "2");
  t.fs.set_judge(nullptr);
  t.RunFlushes();
  CHECK_EQ(t.FilesOn(0, 0), 2);
}

TEST_CASE("Background: a flush says of families without data that they need no old WAL, either") {
  Fixture t(Small(), 3);
  REQUIRE(t.Put(0, "a", "1").ok());
  REQUIRE(t.Put(1, "b", "2").ok());
  t.Seal(0);
  t.RunFlushes();
  CHECK(t.Exists("000006.log"));  // Family 1 still needs it.
  const DatabaseState stored = t.Stored();
  CHECK_EQ(stored.families.Find(ColumnFamilyId{1})->log_number, 6);
  CHECK_GT(stored.families.Find(ColumnFamilyId{2})->log_number, 6);
  t.Seal(1);
  t.RunFlushes();
  CHECK_FALSE(t.Exists("000006.log"));
}

TEST_CASE(
    "Background: no more flushes at once than a quarter of the jobs, no compaction among them") {
  for (const int jobs : {1, 4, 8}) {
    CAPTURE(jobs);
    Options options = Small();
    options.max_background_jobs = jobs;
    Fixture t(options, 5);
    for (ColumnFamilyId id = 0; id < 5; ++id) {
      REQUIRE(t.Put(id, "a", "1").ok());
      t.Seal(id);
    }
    CHECK_EQ(t.executor.queued(Lane::kFlush), std::max(1, jobs / 4));
    t.executor.RunAll();
    for (ColumnFamilyId id = 0; id < 5; ++id) CHECK_EQ(t.FilesOn(id, 0), 1);
  }
}

TEST_CASE("Background: a failed flush loses nothing, is remembered, and made up for when asked") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  t.FailTables(true);
  t.Seal(0);
  t.executor.RunAll();
  CHECK(t.Failure().code() == Code::kNoSpace);
  CHECK(t.Failure().message().starts_with("flushing column family default"));
  CHECK_EQ(t.Get(0, "a"), "1");
  CHECK_EQ(t.Sealed(0), 1);
  CHECK(t.Exists("000006.log"));
  CHECK(t.context.errors.writable());
  t.Reconsider();  // Not by itself: it would fail at once, again and again.
  CHECK_EQ(t.executor.queued(Lane::kFlush), 0);
  t.Retry();
  CHECK(t.Failure().ok());  // The next try is under way.
  t.executor.RunAll();
  CHECK(t.Failure().code() == Code::kNoSpace);
  t.FailTables(false);
  t.Retry();
  t.executor.RunAll();
  CHECK(t.Failure().ok());
  CHECK_EQ(t.FilesOn(0, 0), 1);
}

TEST_CASE("Background: the next memtable takes the one that could not be flushed along") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  t.FailTables(true);
  t.Seal(0);
  t.executor.RunAll();
  t.FailTables(false);
  REQUIRE(t.Put(0, "b", "2").ok());
  t.Seal(0);
  t.executor.RunAll();
  CHECK(t.Failure().ok());
  CHECK_EQ(t.FilesOn(0, 0), 1);
  CHECK_EQ(t.Get(0, "a"), "1");
}

TEST_CASE("Background: a MANIFEST that cannot be written closes writes; the table stays, unnamed") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  t.fs.set_judge([](const std::string& event) {
    return event.starts_with("sync MANIFEST") ? Status::IoError("broken") : Status::Ok();
  });
  t.Seal(0);
  t.executor.RunAll();
  CHECK(t.Failure().code() == Code::kIoError);
  CHECK_FALSE(t.context.errors.writable());
  CHECK_EQ(t.Get(0, "a"), "1");
  const std::vector<std::string> files = t.Files();
  CHECK(std::any_of(files.begin(), files.end(),
                    [](const std::string& name) { return name.ends_with(".sst"); }));
}

TEST_CASE("Background: enough tables on level 0 are compacted, their files deleted") {
  Fixture t;
  t.FlushOne();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 0);
  t.FlushOne();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 1);
  t.executor.RunAll();
  CHECK(t.Idle());
  CHECK_EQ(t.FilesOn(0, 0), 0);
  CHECK_EQ(t.FilesOn(0, 6), 1);
  CHECK_EQ(t.context.stats.compactions.value(), 1);
  CHECK_GT(t.context.stats.compaction_bytes_read.value(), 0);
  const std::vector<std::string> files = t.Files();
  CHECK_EQ(std::count_if(files.begin(), files.end(),
                         [](const std::string& name) { return name.ends_with(".sst"); }),
           1);
}

TEST_CASE("Background: inputs of a compaction are in no other, until it is over") {
  Fixture t;
  t.FlushOne();
  t.FlushOne();
  REQUIRE_EQ(t.executor.queued(Lane::kCompaction), 1);
  t.Reconsider();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 1);
  {
    MutexLock lock(t.context.mutex());
    CHECK(t.background->CompactionsRunning());
  }
  const auto outputs = t.background->RunningOutputs(*t.all[0]);
  REQUIRE_EQ(outputs.size(), 1);
  CHECK_EQ(outputs[0].level, 6);
  CHECK_EQ(outputs[0].begin, "k");
  CHECK_EQ(outputs[0].end, "k");
  t.executor.RunAll();
  CHECK(t.background->RunningOutputs(*t.all[0]).empty());
}

TEST_CASE("Background: a failed compaction changes nothing, and waits until something changes") {
  Fixture t;
  t.FlushOne();
  t.FlushOne();
  t.FailTables(true);
  t.executor.RunAll();
  CHECK(t.Failure().code() == Code::kNoSpace);
  CHECK(t.Failure().message().starts_with("compacting column family default"));
  CHECK_EQ(t.FilesOn(0, 0), 2);
  CHECK_EQ(t.Get(0, "k"), "v");
  t.Reconsider();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 0);
  t.FailTables(false);
  t.FlushOne();  // A flush that works is a change.
  t.executor.RunAll();
  CHECK(t.Failure().ok());
  CHECK_EQ(t.FilesOn(0, 0), 0);  // So its inputs are not busy any more.
}

TEST_CASE("Background: while compactions are held none starts; holds nest") {
  Fixture t;
  t.background->HoldCompactions();
  t.background->HoldCompactions();
  t.FlushOne();
  t.FlushOne();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 0);
  t.background->ReleaseCompactions();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 0);
  t.background->ReleaseCompactions();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 1);
  t.executor.RunAll();
}

TEST_CASE("Background: while it is paused no job starts; pauses nest, and end as often") {
  Fixture t;
  CHECK_EQ(t.background->Continue().code(), Code::kInvalidArgument);
  t.FlushOne();
  t.FlushOne();
  REQUIRE_EQ(t.executor.queued(Lane::kCompaction), 1);
  t.executor.RunForWaiters(true);
  REQUIRE(t.background->Pause().ok());  // What was queued is done first.
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 0);
  CHECK(t.Idle());
  REQUIRE(t.background->Pause().ok());
  REQUIRE(t.Put(0, "k", "v").ok());
  t.Seal(0);
  CHECK_EQ(t.executor.queued(Lane::kFlush), 0);
  CHECK_FALSE(t.Idle());
  REQUIRE(t.background->Continue().ok());
  CHECK_EQ(t.executor.queued(Lane::kFlush), 0);
  REQUIRE(t.background->Continue().ok());
  CHECK_EQ(t.executor.queued(Lane::kFlush), 1);
  CHECK_EQ(t.background->Continue().code(), Code::kInvalidArgument);
  t.executor.RunAll();
  CHECK(t.Idle());
}

TEST_CASE("Background: families take turns, and one that is switched off is left alone") {
  Fixture t(Small(), 6);
  ColumnFamilyOptions off = t.all[3]->options();
  off.disable_auto_compactions = true;
  {
    MutexLock lock(t.context.mutex());
    t.all[3]->ChangeOptions(off);
  }
  t.background->HoldCompactions();
  for (ColumnFamilyId id = 0; id < 6; ++id) {
    t.FlushOne(id);
    t.FlushOne(id);
  }
  t.background->ReleaseCompactions();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 3);
  t.executor.RunAll();
  for (ColumnFamilyId id = 0; id < 6; ++id) CHECK_EQ(t.FilesOn(id, 0), id == 3 ? 2 : 0);
}

TEST_CASE("Background: a family whose options changed is asked again") {
  Options options = Small();
  options.family.disable_auto_compactions = true;
  Fixture t(options, 2);
  t.FlushOne(1);
  t.FlushOne(1);
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 0);
  ColumnFamilyOptions on = t.all[1]->options();
  on.disable_auto_compactions = false;
  MutexLock lock(t.context.mutex());
  t.all[1]->ChangeOptions(on);
  t.context.changed_families.Push(t.all[1]);
  t.background->Reconsider();
  CHECK_EQ(t.executor.queued(Lane::kCompaction), 1);
}

TEST_CASE("Background: what was in a compaction's way is compacted when that has ended") {
  for (const bool fails : {false, true}) {
    CAPTURE(fails);
    Fixture t(Small(), 3);
    // Something must change for the family while its files are busy.
    bool flushed = false;
    t.fs.set_judge([&](const std::string& event) {
      if (flushed || !event.starts_with("create ") || !event.ends_with(".sst")) return Status::Ok();
      flushed = true;
      for (int i = 0; i < 2; ++i) t.FlushOne(1);
      CHECK_EQ(t.executor.queued(Lane::kCompaction), 0);  // All of level 0 is needed.
      return fails ? Status::NoSpace("full") : Status::Ok();
    });
    flushed = true;
    t.FlushOne(1);
    t.FlushOne(1);
    REQUIRE_EQ(t.executor.queued(Lane::kCompaction), 1);
    flushed = false;
    REQUIRE(t.executor.RunOne());
    REQUIRE(flushed);
    t.fs.set_judge(nullptr);
    if (fails) t.FlushOne(1);
    CHECK_EQ(t.executor.queued(Lane::kCompaction), 1);
    t.executor.RunAll();
    CHECK_EQ(t.FilesOn(1, 0), 0);
    CHECK(t.Failure().ok());
  }
}

TEST_CASE("Background: who asks for a flush first is served first, also while one is running") {
  Fixture t(Small(), 3);
  for (const ColumnFamilyId id : {2, 0, 1}) {
    REQUIRE(t.Put(id, "a", "1").ok());
    t.Seal(id);
  }
  REQUIRE(t.Put(2, "b", "2").ok());
  t.Seal(2);  // Its first one is running.
  std::vector<ColumnFamilyId> order;
  while (t.executor.RunOne()) {
    for (const ColumnFamilyId id : {0, 1, 2}) {
      const bool done = t.Sealed(id) == 0;
      if (done && std::find(order.begin(), order.end(), id) == order.end()) order.push_back(id);
    }
  }
  CHECK(order == std::vector<ColumnFamilyId>{2, 0, 1});
  CHECK(t.Idle());
}

TEST_CASE(
    "Background: the stall is that of the family that is worst off, and ends with its cause") {
  Fixture t(Small(), 2);
  CHECK(t.background->stall().kind == Kind::kNone);
  REQUIRE(t.Put(1, "a", "1").ok());
  t.Seal(1);
  CHECK(t.background->stall().kind == Kind::kNone);
  REQUIRE(t.Put(1, "b", "1").ok());
  t.Seal(1);
  CHECK(t.background->stall().kind == Kind::kStop);
  CHECK(t.background->stall().cause == StallState::Cause::kMemtables);
  t.executor.RunAll();
  CHECK(t.background->stall().kind == Kind::kNone);
}

TEST_CASE("Background: who is stopped is told whether waiting will help") {
  Fixture t(Small(), 2);
  t.FailTables(true);
  for (const char* const key : {"a", "b"}) {
    REQUIRE(t.Put(1, key, "1").ok());
    t.Seal(1);
  }
  REQUIRE(t.background->stall().kind == Kind::kStop);
  bool may_go_on = true;
  CHECK(t.StallFailure(1, &may_go_on).ok());  // The flush has not failed yet.
  CHECK_FALSE(may_go_on);
  t.executor.RunAll();
  CHECK(t.StallFailure(1, &may_go_on).code() == Code::kNoSpace);
  // Who writes to another family need not wait for what will not end.
  CHECK(t.StallFailure(0, &may_go_on).ok());
  CHECK(may_go_on);
  t.background->EndStalls();
  CHECK(t.StallFailure(0, &may_go_on).code() == Code::kShutdown);
  CHECK_FALSE(may_go_on);
}

TEST_CASE("Background: stopped, it starts nothing, and what is queued does nothing") {
  Fixture t;
  REQUIRE(t.Put(0, "a", "1").ok());
  CHECK(t.background->CheckRunning().ok());
  t.background->Stop();
  CHECK(t.background->CheckRunning().code() == Code::kShutdown);
  t.Seal(0);
  CHECK_EQ(t.executor.queued(Lane::kFlush), 0);
  CHECK(t.Idle());  // Nothing counts as queued.
  CHECK(
      t.background->CompactLevel({}, t.all[0], 0, 1, std::nullopt, std::nullopt).status().code() ==
      Code::kShutdown);
}

TEST_CASE("Background: a level is compacted by hand step by step, until nothing of it is left") {
  Options options = Small();
  options.family.disable_auto_compactions = true;
  Fixture t(options);
  for (int i = 0; i < 3; ++i) t.FlushOne();
  auto more = t.background->CompactLevel({}, t.all[0], 0, 1, std::nullopt, std::nullopt);
  REQUIRE(more.ok());
  CHECK(*more);
  CHECK_EQ(t.FilesOn(0, 0), 0);
  CHECK_EQ(t.FilesOn(0, 1), 1);
  more = t.background->CompactLevel({}, t.all[0], 0, 1, std::nullopt, std::nullopt);
  REQUIRE(more.ok());
  CHECK_FALSE(*more);
  // Beside its keys there is nothing to do.
  CHECK_FALSE(*t.background->CompactLevel({}, t.all[0], 1, 2, "x", "z"));
  CHECK_EQ(t.Get(0, "k"), "v");
}

TEST_CASE("Background: a compaction by hand that fails says so, and leaves the files to others") {
  Options options = Small();
  options.family.disable_auto_compactions = true;
  Fixture t(options);
  t.FlushOne();
  t.FlushOne();
  t.FailTables(true);
  CHECK(
      t.background->CompactLevel({}, t.all[0], 0, 1, std::nullopt, std::nullopt).status().code() ==
      Code::kNoSpace);
  CHECK_EQ(t.FilesOn(0, 0), 2);
  t.FailTables(false);
  CHECK(*t.background->CompactLevel({}, t.all[0], 0, 1, std::nullopt, std::nullopt));
}

TEST_CASE("Background: WALs that nobody needs go without a flush, once the families say so") {
  Fixture t(Small(), 2);
  REQUIRE(t.Put(0, "a", "1").ok());
  const WritePath::Lead lead(*t.writes);
  REQUIRE(t.wals.Roll(t.log->NewFileNumber()).ok());
  REQUIRE(t.background->AdvanceLogNumbers().ok());
  CHECK(t.Exists("000006.log"));  // Family 0 has data of it.
  {
    MutexLock lock(t.context.mutex());
    CHECK_EQ(t.log->state().families.Find(ColumnFamilyId{0})->log_number, 6);
    CHECK_EQ(t.log->state().families.Find(ColumnFamilyId{1})->log_number, t.wals.present_number());
  }
}

}  // namespace
}  // namespace varve
