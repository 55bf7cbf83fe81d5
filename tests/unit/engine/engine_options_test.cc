// SPDX-License-Identifier: Apache-2.0
// Options of an open family, and the figures of the engine; that they are kept is tested by
// options_store_test.cc.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "tests/unit/engine/engine_parts.h"
#include "varve/db.h"

namespace varve {
namespace {

struct Fixture {
  Fixture() : options(OptionsOn(&fs)) {
    options.env.executor = &executor;
    executor.RunForWaiters(true);
    auto opened = DB::Open(options, "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    db = *std::move(opened);
  }
  ColumnFamilyOptions Now(ColumnFamilyId family = 0) const { return *db->OptionsOf(family); }

  WatchedFs fs;
  AskedExecutor executor;
  Options options;
  std::unique_ptr<DB> db;
};

TEST_CASE("SetOptions: it holds for one family, at once") {
  Fixture t;
  const ColumnFamilyId other = *t.db->CreateColumnFamily("other", {});
  REQUIRE(
      t.db->SetOptions({{"write_buffer_size", "1m"}, {"disable_auto_compactions", "true"}}, other)
          .ok());
  CHECK_EQ(t.Now(other).write_buffer_size, 1 << 20);
  CHECK(t.Now(other).disable_auto_compactions);
  CHECK_EQ(t.Now().write_buffer_size, ColumnFamilyOptions().write_buffer_size);
}

TEST_CASE("SetOptions: one that is wrong and none is set") {
  Fixture t;
  const struct {
    const char* name;
    const char* value;
    const char* part;
  } cases[] = {{"no_such_option", "1", "there is no option 'no_such_option'"},
               {"num_levels", "5", "can only be set when the database is opened"},
               {"comparator", "x", "can only be set when the database is opened"},
               {"write_buffer_size", "much", "write_buffer_size"},
               {"level0_stop_writes_trigger", "1", "level0_stop_writes_trigger"}};
  for (const auto& one : cases) {
    CAPTURE(one.name);
    t.fs.log().clear();
    const Status set = t.db->SetOptions({{"max_write_buffer_number", "9"}, {one.name, one.value}});
    CHECK(set.code() == Code::kInvalidArgument);
    CHECK_MESSAGE(set.message().find(one.part) != std::string::npos, set.message());
    CHECK_EQ(t.Now().max_write_buffer_number, ColumnFamilyOptions().max_write_buffer_number);
    CHECK(t.fs.log().empty());
  }
  CHECK(t.db->SetOptions({{"write_buffer_size", "1m"}}, 9).code() == Code::kInvalidArgument);
}

TEST_CASE("SetOptions: options that fit only together are judged together") {
  Fixture t;
  CHECK_FALSE(t.db->SetOptions({{"level0_slowdown_writes_trigger", "1000"}}).ok());
  CHECK(t.db->SetOptions({{"level0_slowdown_writes_trigger", "1000"},
                          {"level0_stop_writes_trigger", "2000"}})
            .ok());
}

TEST_CASE("SetOptions: calls of several threads each keep what the others have set") {
  Fixture t;
  const std::vector<std::string> names = {"write_buffer_size", "target_file_size_base",
                                          "max_bytes_for_level_base"};
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (const std::string& name : names) {
    threads.emplace_back([&] {
      for (int i = 1; i <= 20; ++i) {
        if (!t.db->SetOptions({{name, std::to_string(1'000'000 + i)}}).ok()) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(failed, 0);
  CHECK_EQ(t.Now().write_buffer_size, 1'000'020);
  CHECK_EQ(t.Now().target_file_size_base, 1'000'020);
  CHECK_EQ(t.Now().max_bytes_for_level_base, 1'000'020);
}

TEST_CASE("SetOptions: what it makes due is started") {
  Fixture t;
  REQUIRE(t.db->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  for (int i = 0; i < 4; ++i) {
    REQUIRE(t.db->Put({}, "k", std::to_string(i)).ok());
    REQUIRE(t.db->Flush().ok());
  }
  CHECK_EQ(t.executor.queued(Executor::Lane::kCompaction), 0);
  REQUIRE(t.db->SetOptions({{"disable_auto_compactions", "false"}}).ok());
  CHECK_EQ(t.executor.queued(Executor::Lane::kCompaction), 1);
}

// They were those of the options before, until the next flush or compaction: writes stalled by them
// waited for a compaction that nothing made due.
TEST_CASE("SetOptions: what compactions have to rewrite is estimated anew") {
  Fixture t;
  REQUIRE(t.db->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  for (int i = 0; i < 4; ++i) {
    REQUIRE(t.db->Put({}, "k", std::to_string(i)).ok());
    REQUIRE(t.db->Flush().ok());
  }
  CHECK_GT(t.db->StatsOfFamilies()[0].pending_compaction_bytes, 0);
  REQUIRE(t.db->SetOptions({{"hard_pending_compaction_bytes_limit", "1"},
                            {"soft_pending_compaction_bytes_limit", "1"},
                            {"level0_file_num_compaction_trigger", "10"},
                            {"disable_auto_compactions", "false"}})
              .ok());
  CHECK_EQ(t.db->StatsOfFamilies()[0].pending_compaction_bytes, 0);
  CHECK_EQ(t.db->Stats().stall_cause, "");
  CHECK(t.db->Put({}, "k", "v").ok());
}

TEST_CASE("StatsOfFamilies: a compaction at work, with what it reads and where it writes") {
  Fixture t;
  const auto running = [&t] { return t.db->StatsOfFamilies()[0].running_compactions; };
  for (int i = 0; i < 4; ++i) {
    CHECK(running().empty());
    REQUIRE(t.db->Put({}, "a" + std::to_string(i), "v").ok());
    REQUIRE(t.db->Put({}, "z" + std::to_string(i), "v").ok());
    REQUIRE(t.db->Flush().ok());
  }
  REQUIRE_EQ(running().size(), 1);
  CHECK_EQ(running()[0].inputs.size(), 4);
  CHECK_EQ(running()[0].output_level, 0);  // Tables that small are merged in level 0.
  CHECK_EQ(running()[0].smallest, "a0");
  CHECK_EQ(running()[0].largest, "z3");
  t.executor.RunAll();
  CHECK(running().empty());
}

TEST_CASE("Stats: figures add up over families, and say what stalls writes") {
  Fixture t;
  const ColumnFamilyId other = *t.db->CreateColumnFamily("other", {});
  WriteBatch batch;
  batch.Put("key", "value", 0);
  batch.Put("k", "v", other);
  REQUIRE(t.db->Write({}, std::move(batch)).ok());
  const DbStats stats = t.db->Stats();
  CHECK_EQ(stats.last_sequence, 2);
  CHECK_EQ(stats.batches_written, 1);
  CHECK_EQ(stats.entries_written, 2);
  CHECK_EQ(stats.user_bytes_written, 10);
  CHECK(stats.stall_cause.empty());
  REQUIRE(t.db->Flush({}, other).ok());
  REQUIRE(t.db->Put({}, "key", "value", other).ok());
  const std::vector<FamilyStats> families = t.db->StatsOfFamilies();
  REQUIRE_EQ(families.size(), 2);
  CHECK_EQ(families[0].name, "default");
  CHECK_EQ(families[1].name, "other");
  CHECK_EQ(families[0].levels[0].files, 0);
  CHECK_EQ(families[1].levels[0].files, 1);
  uint64_t memory = 0;
  for (const FamilyStats& family : families) {
    memory += family.memtable_bytes + family.sealed_memtable_bytes;
    CHECK_EQ(family.sealed_memtables, 0);
    CHECK_EQ(family.sealed_memtable_entries, 0);
  }
  CHECK_EQ(memory, t.db->Stats().memtable_bytes);
  REQUIRE(t.db->Delete({}, "k", other).ok());
  CHECK_EQ(t.db->StatsOfFamilies()[0].memtable_entries, 1);
  CHECK_EQ(t.db->StatsOfFamilies()[0].memtable_deletions, 0);
  CHECK_EQ(t.db->StatsOfFamilies()[1].memtable_entries, 2);
  CHECK_EQ(t.db->StatsOfFamilies()[1].memtable_deletions, 1);
  CHECK_EQ(t.db->Stats().snapshots, 0);
  {
    const Snapshot snapshot = t.db->GetSnapshot();
    CHECK_EQ(t.db->Stats().snapshots, 1);
  }
  CHECK_EQ(t.db->Stats().flushes, 1);
  REQUIRE(t.db->DropColumnFamily(other).ok());
  CHECK_EQ(t.db->StatsOfFamilies().size(), 1);
}

}  // namespace
}  // namespace varve
