// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/entry_pipe.h"

#include <doctest/doctest.h>

#include "core/base/threads/thread_pool.h"
#include "tests/unit/compaction/job_fixture.h"
#include "tests/unit/iterator/vector_iterator.h"

namespace varve {
namespace {

std::vector<TestEntry> Numbered(int count, size_t value_bytes) {
  std::vector<TestEntry> entries;
  for (int i = 0; i < count; ++i) {
    const Sequence newest = 10 + 2 * static_cast<Sequence>(i);
    const std::string key = std::to_string(1'000'000 + i);
    entries.push_back({key, newest, ValueType::kMerge, std::string(value_bytes, 'n')});
    entries.push_back({key, newest - 1, ValueType::kValue, key});
  }
  return entries;
}

// The entries behind a CompactionIterator that keeps all of them: there is no merge operator.
class Piped {
 public:
  explicit Piped(std::vector<TestEntry> entries, size_t fail_at = SIZE_MAX - 1)
      : visibility_({}, /*bottommost=*/false) {
    auto input = std::make_unique<VectorIterator>(*BytewiseComparator(), std::move(entries));
    input->FailAt(fail_at);
    scope_.comparator = BytewiseComparator();
    iterator_.emplace(scope_, &visibility_, std::move(input));
  }
  Status Into(const JobContext& job, const std::function<Status(const EntryBatch::Entry&)>& take) {
    return PipeEntries(job, &*iterator_, take);
  }

 private:
  Visibility visibility_;
  CompactionScope scope_;
  std::optional<CompactionIterator> iterator_;
};

void TakesAll(Executor* executor, int count, size_t value_bytes) {
  JobFixture t;
  t.job.env.executor = executor;
  const std::vector<TestEntry> entries = Numbered(count, value_bytes);
  size_t taken = 0;
  const Status piped = Piped(entries).Into(t.job, [&](const EntryBatch::Entry& entry) {
    REQUIRE_LT(taken, entries.size());
    const TestEntry& expected = entries[taken];
    CHECK_EQ(entry.key.user_key, expected.user_key);
    CHECK_EQ(entry.key.sequence, expected.sequence);
    CHECK(entry.key.type == expected.type);
    CHECK_EQ(entry.value, expected.value);
    CHECK_EQ(entry.starts_user_key, taken % 2 == 0);
    ++taken;
    return Status::Ok();
  });
  CHECK(piped.ok());
  CHECK_EQ(taken, entries.size());
}

TEST_CASE("EntryPipe: every entry arrives once, in order, whatever the batches and threads") {
  InlineExecutor none;
  ThreadPool pool(1, 2);
  for (Executor* const executor : {static_cast<Executor*>(&none), static_cast<Executor*>(&pool)}) {
    TakesAll(executor, 0, 0);
    TakesAll(executor, 1, 0);
    TakesAll(executor, 5000, 10);                   // More than a batch.
    TakesAll(executor, 3, EntryBatch::kFullBytes);  // Each more than one.
  }
}

TEST_CASE("EntryPipe: an error of the taker ends it, and nothing is taken afterwards") {
  InlineExecutor none;
  ThreadPool pool(1, 2);
  for (Executor* const executor : {static_cast<Executor*>(&none), static_cast<Executor*>(&pool)}) {
    JobFixture t;
    t.job.env.executor = executor;
    int taken = 0;
    const Status piped = Piped(Numbered(20'000, 40)).Into(t.job, [&](const EntryBatch::Entry&) {
      return ++taken < 3000 ? Status::Ok() : Status::NoSpace("full");
    });
    CHECK(piped.code() == Code::kNoSpace);
    CHECK_EQ(taken, 3000);
  }
}

TEST_CASE("EntryPipe: a broken input is the job's error; what came before may have been taken") {
  JobFixture t;
  size_t taken = 0;
  Piped piped(Numbered(10, 1), /*fail_at=*/7);
  const Status status = piped.Into(t.job, [&](const EntryBatch::Entry&) {
    ++taken;
    return Status::Ok();
  });
  CHECK(status.code() == Code::kCorruption);
  CHECK_LE(taken, 7);
}

TEST_CASE("EntryPipe: a cancelled job stops within 1,024 entries") {
  for (const int count : {1'023, 1'024, 100'000}) {
    CAPTURE(count);
    JobFixture t;
    t.job.cancelled = [] { return true; };
    std::vector<TestEntry> entries = Numbered(count, 0);
    std::erase_if(entries, [](const TestEntry& e) { return e.type == ValueType::kMerge; });
    const Status piped = Piped(std::move(entries)).Into(t.job, [](const EntryBatch::Entry&) {
      return Status::Ok();
    });
    CHECK(piped.code() == (count < 1024 ? Code::kOk : Code::kShutdown));
  }
}

}  // namespace
}  // namespace varve
