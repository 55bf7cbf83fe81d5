// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/compaction_job.h"

#include <doctest/doctest.h>

#include "core/base/threads/thread_pool.h"
#include "tests/unit/compaction/job_inputs.h"

namespace varve {
namespace {

TEST_CASE("CompactionJob: its tables are synced before the directory, which is synced once") {
  JobFixture t;
  const JobInputs inputs(1);
  const auto outcome = RunCompaction(t.job, *inputs.version, inputs.plan, 1);
  REQUIRE(outcome.ok());
  REQUIRE_GT(outcome->outputs.size(), 1);
  const size_t synced = t.fs.Find("sync_directory out");
  REQUIRE_LT(synced, t.fs.log().size());
  CHECK_EQ(synced + 1, t.fs.log().size());
  for (const FileDescription& table : outcome->outputs) {
    CHECK_LT(t.fs.Find("sync " + TableFileName(table.number)), synced);
  }
}

TEST_CASE("CompactionJob: outputs inherit the oldest epoch and ancestor, if all inputs know one") {
  const struct {
    uint64_t inputs[4];
    uint64_t expected;
  } cases[] = {{{9, 7, 8, 12}, 7}, {{9, 9, 9, 10}, 9}, {{9, 0, 8, 12}, 0}, {{0, 0, 0, 0}, 0}};
  for (const auto& one : cases) {
    JobFixture t;
    JobInputs inputs(1);
    for (size_t i = 0; i < 4; ++i) {
      FileDescription& file = inputs.tables.edit().new_files[i].file;
      file.oldest_ancestor_time = one.inputs[i];
      file.epoch = one.inputs[i];
    }
    // The newer of level 0 has the higher epoch, or none is known.
    if (one.inputs[0] != 0) inputs.version = inputs.tables.Build();
    inputs.plan.inputs = inputs.version->files(0);
    inputs.plan.output_overlap = inputs.version->files(1);
    const auto outcome = RunCompaction(t.job, *inputs.version, inputs.plan, 1);
    REQUIRE(outcome.ok());
    for (const FileDescription& table : outcome->outputs) {
      CHECK_EQ(table.epoch, one.expected);
      CHECK_EQ(table.oldest_ancestor_time, one.expected);
      CHECK_EQ(table.creation_time, 1'700'000'000);
    }
  }
}

TEST_CASE("CompactionJob: when it has succeeded, all bytes of the inputs count as read") {
  JobFixture t;
  const JobInputs inputs(1);
  Counter read;
  t.job.bytes_read = &read;
  const auto outcome = RunCompaction(t.job, *inputs.version, inputs.plan, 1);
  REQUIRE(outcome.ok());
  CHECK_EQ(read.value(), inputs.bytes());
  uint64_t written = 0;
  for (const FileDescription& table : outcome->outputs) written += table.size;
  CHECK_EQ(outcome->bytes_written, written);
}

TEST_CASE("CompactionJob: a failing write, sync or sync of the directory leaves no output") {
  JobFixture t;
  const JobInputs inputs(3);
  const int failed =
      t.FailEach([&] { return RunCompaction(t.job, *inputs.version, inputs.plan, 1).status(); });
  CHECK_GE(failed, 7);
}

TEST_CASE("CompactionJob: inputs that cancel each other out leave nothing, and sync nothing") {
  JobFixture t;
  TableFixture tables;
  tables.Add(0, {{"a", 9, ValueType::kDeletion, ""}});
  tables.Add(1, {{"a", 3, ValueType::kValue, "x"}});
  const auto version = tables.Build();
  CompactionPlan plan;
  plan.output_level = 1;
  plan.inputs = version->files(0);
  plan.output_overlap = version->files(1);
  plan.bottommost = true;
  plan.target_file_size = 1000;
  const auto outcome = RunCompaction(t.job, *version, plan, 1);
  REQUIRE(outcome.ok());
  CHECK(outcome->outputs.empty());
  CHECK_EQ(outcome->bytes_written, 0);
  CHECK(t.fs.log().empty());
}

TEST_CASE("CompactionJob: a closing database cancels it, without leaving an output") {
  JobFixture t;
  TableFixture tables;
  std::vector<TestEntry> entries;
  for (int i = 0; i < 3000; ++i) {
    entries.push_back({std::to_string(10'000 + i), 5, ValueType::kValue, std::string(100, 'v')});
  }
  tables.Add(0, entries);
  const auto version = tables.Build();
  CompactionPlan plan;
  plan.output_level = 1;
  plan.inputs = version->files(0);
  plan.target_file_size = 10'000;
  int asked = 0;
  t.job.cancelled = [&asked] { return ++asked == 2; };
  CHECK(RunCompaction(t.job, *version, plan, 1).status().code() == Code::kShutdown);
  CHECK_EQ(asked, 2);
  CHECK(t.Files().empty());
}

// Two tables of 9 MiB each, over the same keys. Values do not repeat, so that nothing gets smaller.
struct LargeInputs {
  LargeInputs() {
    std::mt19937_64 random(1);
    for (int level = 1; level >= 0; --level) {
      std::vector<TestEntry> entries;
      for (int i = 0; i < 9 * 1024; ++i) {
        entries.push_back({std::to_string(10'000 + 2 * i + level),
                           static_cast<Sequence>(10 - level), ValueType::kValue,
                           std::string(1000, static_cast<char>(random()))});
      }
      tables.Add(level, entries);
    }
    version = tables.Build();
    plan.output_level = 1;
    plan.inputs = version->files(0);
    plan.output_overlap = version->files(1);
    plan.target_file_size = 1 << 20;
  }
  TableFixture tables;
  std::shared_ptr<const Version> version;
  CompactionPlan plan;
};

// First and last keys of the outputs ascend.
void CheckAscending(const std::vector<FileDescription>& tables) {
  std::string last;
  for (const FileDescription& table : tables) {
    CHECK_LT(last, DecodeInternalKey(table.smallest)->user_key);
    last = DecodeInternalKey(table.largest)->user_key;
  }
}

TEST_CASE("CompactionJob: parts that run in parallel make the same entries, in the order of keys") {
  LargeInputs inputs;
  JobFixture alone;
  const auto one = RunCompaction(alone.job, *inputs.version, inputs.plan, 1);
  REQUIRE(one.ok());
  const std::string expected = Show(alone.Contents(one->outputs));
  ThreadPool pool(1, 3);
  for (Executor* const executor :
       {static_cast<Executor*>(&alone.executor), static_cast<Executor*>(&pool)}) {
    JobFixture t;
    t.job.env.executor = executor;
    std::atomic<FileNumber> next{100};
    t.job.new_file_number = [&next] { return next++; };
    const auto outcome = RunCompaction(t.job, *inputs.version, inputs.plan, 4);
    REQUIRE(outcome.ok());
    CheckAscending(outcome->outputs);
    CHECK(Show(t.Contents(outcome->outputs)) == expected);
    CHECK_EQ(t.Files().size(), outcome->outputs.size());
  }
}

TEST_CASE("CompactionJob: if one of several parts fails, the tables of all are removed") {
  LargeInputs inputs;
  ThreadPool pool(1, 3);
  JobFixture t;
  t.job.env.executor = &pool;
  std::atomic<FileNumber> next{100};
  t.job.new_file_number = [&next] { return next++; };
  t.fs.set_judge([](const std::string& event) {
    return event == "sync 000107.sst" ? Status::IoError("broken") : Status::Ok();
  });
  CHECK(RunCompaction(t.job, *inputs.version, inputs.plan, 4).status().code() == Code::kIoError);
  t.fs.set_judge(nullptr);
  CHECK(t.Files().empty());
}

TEST_CASE("CompactionJob: into level 0 it makes one table, whatever the sizes") {
  JobFixture t;
  JobInputs inputs(1);
  inputs.plan.output_level = 0;
  inputs.plan.output_overlap.clear();
  inputs.plan.target_file_size = ~uint64_t{0};
  const auto outcome = RunCompaction(t.job, *inputs.version, inputs.plan, 4);
  REQUIRE(outcome.ok());
  CHECK_EQ(outcome->outputs.size(), 1);
}

}  // namespace
}  // namespace varve
