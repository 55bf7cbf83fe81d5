// SPDX-License-Identifier: Apache-2.0
// Waits end: by progress, by an error or because the database closes (core/README.md). What hangs
// ends the process.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/threads/mutex.h"
#include "tests/unit/engine/watched_fs.h"
#include "tests/waiting.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

using std::chrono::seconds;

// Ends the process unless it is destroyed in time.
class Deadline {
 public:
  explicit Deadline(const char* what)
      : watch_([this, what] {
          if (done_.get_future().wait_for(seconds(60)) == std::future_status::ready) return;
          std::fprintf(stderr, "hangs: %s\n", what);
          std::_Exit(1);
        }) {}
  ~Deadline() {
    done_.set_value();
    watch_.join();
  }

 private:
  std::promise<void> done_;
  std::thread watch_;
};

// The native threads; counts the jobs that it was given after StartCounting() and that have not
// ended.
class CountedJobs final : public Executor {
 public:
  void Schedule(Lane lane, std::function<void()> job) override {
    const auto unfinished = counter();
    ++*unfinished;
    threads_.Schedule(lane, [job = std::move(job), unfinished] {
      job();
      --*unfinished;
    });
  }
  int Parallelism(Lane lane) const override { return threads_.Parallelism(lane); }
  bool RunOneWhileWaiting() override { return threads_.RunOneWhileWaiting(); }

  void StartCounting() {
    MutexLock lock(mutex_);
    unfinished_ = std::make_shared<std::atomic<int>>(0);
  }
  int unfinished() { return *counter(); }

 private:
  std::shared_ptr<std::atomic<int>> counter() {
    MutexLock lock(mutex_);
    return unfinished_;
  }

  Executor& threads_ = *NativeEnvironment().executor;
  Mutex mutex_;
  // Shared with the jobs, which may still be ending when their database is closed.
  std::shared_ptr<std::atomic<int>> unfinished_ GUARDED_BY(mutex_) =
      std::make_shared<std::atomic<int>>(0);
};

Options SmallBuffers(FileSystem* fs) {
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs;
  options.family.write_buffer_size = 16 << 10;
  options.family.target_file_size_base = 16 << 10;
  options.family.max_bytes_for_level_base = 64 << 10;
  options.family.level0_file_num_compaction_trigger = 2;
  options.family.level0_slowdown_writes_trigger = 3;
  options.family.level0_stop_writes_trigger = 4;
  options.delayed_write_rate = uint64_t{1} << 40;
  return options;
}

void MakeTable(const Options& options, const std::string& path, const std::string& key) {
  auto writer = SstFileWriter::Create(options.env, options.family, path);
  REQUIRE(writer.ok());
  REQUIRE(writer->Put(key, "ingested").ok());
  REQUIRE(writer->Finish().ok());
}

// The writers are stopped again and again, and go on because of compactions.
TEST_CASE("Waits: ingestion while writers are stopped") {
  WatchedFs fs;
  const Options options = SmallBuffers(&fs);
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  const Deadline deadline("ingestion while writers are stopped");
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    const std::string value(1000, 'v');
    for (uint64_t i = 0; !stop; ++i) {
      CHECK(db.Put({}, "k" + std::to_string(i * 7919 % 5000), value).ok());
    }
  });
  for (int i = 0; i < 60; ++i) {
    MakeTable(options, "table", "k" + std::to_string(i) + "z");
    const Status ingested = db.Ingest({}, {"table"});
    CHECK_MESSAGE(ingested.ok(), ingested.ToString());
  }
  stop = true;
  writer.join();
  for (int i = 0; i < 60; ++i) {
    const auto value = db.Get({}, "k" + std::to_string(i) + "z");
    REQUIRE(value.ok());
    CHECK(value->has_value());
  }
  CHECK(db.Close().ok());
}

TEST_CASE("Waits: Flush() and CompactRange() while the database closes") {
  const Deadline deadline("Flush() or CompactRange() beside Close()");
  for (int round = 0; round < 60; ++round) {
    WatchedFs fs;
    auto opened = DB::Open(SmallBuffers(&fs), "db");
    REQUIRE(opened.ok());
    DB& db = **opened;
    std::vector<std::thread> threads;
    std::atomic<int> steps{0};
    for (const bool flush : {true, true, false}) {
      threads.emplace_back([&db, &steps, flush] {
        for (uint64_t i = 0;; ++i, ++steps) {
          Status status = db.Put({}, "k" + std::to_string(i), "v");
          if (status.ok()) status = flush ? db.Flush() : db.CompactRange({}, {}, {});
          if (status.ok()) continue;
          CHECK_MESSAGE(status.code() == Code::kShutdown, status.ToString());
          return;
        }
      });
    }
    while (steps < 1 + round % 7) std::this_thread::yield();
    CHECK(db.Close().ok());
    for (std::thread& thread : threads) thread.join();
  }
}

// A compaction takes its time; the writer that is stopped until it is done has the lead.
TEST_CASE("Waits: Close() does not wait for writers that are stopped") {
  WatchedFs fs;
  std::promise<void> begun, release;
  std::shared_future<void> released(release.get_future());
  std::atomic<int> tables{0};
  Options options = SmallBuffers(&fs);
  options.family.max_write_buffer_number = 1000;  // Only the files of level 0 stop writes.
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  const Deadline deadline("Close() while writers are stopped");
  fs.set_judge([&](const std::string& event) {
    // Two flushes, then the first output of a compaction.
    if (event.starts_with("create ") && event.ends_with(".sst") && ++tables == 3) {
      begun.set_value();
      released.wait();
    }
    return Status::Ok();
  });
  for (const char* key : {"a", "b"}) {
    REQUIRE(db.Put({}, key, "v").ok());
    REQUIRE(db.Flush().ok());
  }
  begun.get_future().wait();
  REQUIRE_EQ(db.Levels()[0].files, 2);
  REQUIRE_EQ(db.Stats().stalls, 0);
  auto writer = std::async(std::launch::async, [&] {
    const std::string value(1000, 'v');
    for (uint64_t i = 0;; ++i) {
      const Status put = db.Put({}, "k" + std::to_string(i * 7919 % 100), value);
      if (!put.ok()) return put;
    }
  });
  // As long as the compaction is held nothing ends the first stall.
  WaitUntil("the writer is stopped", [&] { return db.Stats().stalls > 0; });
  auto closed = std::async(std::launch::async, [&] { return db.Close(); });
  REQUIRE(writer.wait_for(seconds(20)) == std::future_status::ready);
  CHECK_EQ(writer.get().code(), Code::kShutdown);
  release.set_value();  // Jobs that run are waited for.
  CHECK(closed.get().ok());
}

// What is in no log is flushed by Close(). A write that comes meanwhile is flushed or refused.
TEST_CASE("Close: a write in no log is kept, or refused") {
  const Deadline deadline("Close() beside a write in no log");
  WatchedFs fs;
  Options options = SmallBuffers(&fs);
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  REQUIRE(db.Put({.durability = Durability::kNone}, "early", "v").ok());
  std::future<Status> late;
  WatchedThread writing;
  fs.set_judge([&](const std::string& event) {
    if (event.starts_with("create ") && event.ends_with(".sst") && !late.valid()) {
      late = std::async(std::launch::async, [&] {
        writing.Enter();
        return db.Put({.durability = Durability::kNone}, "late", "v");
      });
      WaitUntil("the write is done, or waits for this flush", [&] {
        return late.wait_for(seconds(0)) == std::future_status::ready || writing.IsBlocked();
      });
    }
    return Status::Ok();
  });
  CHECK(db.Close().ok());
  REQUIRE(late.valid());
  const Status put = late.get();
  fs.set_judge(nullptr);
  auto again = DB::Open(options, "db");
  REQUIRE(again.ok());
  CHECK((*again)->Get({}, "early")->has_value());
  CHECK((put.ok() || put.code() == Code::kShutdown));
  CHECK_EQ((*again)->Get({}, "late")->has_value(), put.ok());
}

TEST_CASE("Close: beside writers whose writes are in no log") {
  const Deadline deadline("Close() beside writers");
  for (int round = 0; round < 60; ++round) {
    WatchedFs fs;
    auto opened = DB::Open(SmallBuffers(&fs), "db");
    REQUIRE(opened.ok());
    DB& db = **opened;
    constexpr int kWriters = 4;
    std::vector<uint64_t> acknowledged(kWriters);
    std::vector<std::thread> threads;
    std::atomic<int> puts{0};
    for (int writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back([&db, &acknowledged, &puts, writer] {
        for (uint64_t i = 0;; ++i, ++puts) {
          const std::string key = std::to_string(writer) + "." + std::to_string(i);
          const Status put = db.Put({.durability = Durability::kNone}, key, std::string(100, 'v'));
          if (put.ok()) continue;
          CHECK_MESSAGE(put.code() == Code::kShutdown, put.ToString());
          acknowledged[writer] = i;
          return;
        }
      });
    }
    while (puts < 1 + 100 * (round % 7)) std::this_thread::yield();
    CHECK(db.Close().ok());
    for (std::thread& thread : threads) thread.join();
    auto again = DB::Open(SmallBuffers(&fs), "db");
    REQUIRE(again.ok());
    for (int writer = 0; writer < kWriters; ++writer) {
      uint64_t kept = 0;
      for (; kept < acknowledged[writer]; ++kept) {
        const auto value = (*again)->Get({}, std::to_string(writer) + "." + std::to_string(kept));
        REQUIRE(value.ok());
        if (!value->has_value()) break;
      }
      CHECK_EQ(kept, acknowledged[writer]);
    }
  }
}

// An ingestion neither waits for a compaction that runs nor puts a table where its outputs go: the
// table lies between the compaction's inputs, in a hole that its output will span.
TEST_CASE("Waits: ingestion beside a compaction") {
  WatchedFs fs;
  Options options = SmallBuffers(&fs);
  options.family.disable_auto_compactions = true;
  options.family.write_buffer_size = 1 << 20;
  options.family.target_file_size_base = 1 << 20;
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  const Deadline deadline("ingestion beside a compaction");
  for (const char* key : {"a", "z"}) {
    REQUIRE(db.Put({}, key, "old").ok());
    REQUIRE(db.Flush().ok());
  }
  std::promise<void> begun, release;
  std::atomic<bool> held{false};
  fs.set_judge([&](const std::string& event) {
    if (event.starts_with("sync ") && event.ends_with(".sst") && !held.exchange(true)) {
      begun.set_value();
      release.get_future().wait();
    }
    return Status::Ok();
  });
  auto compacted = std::async(std::launch::async, [&] { return db.CompactRange({}, {}, {}); });
  begun.get_future().wait();
  MakeTable(options, "table", "m");
  const Status ingested = db.Ingest({}, {"table"});
  CHECK_MESSAGE(ingested.ok(), ingested.ToString());
  const auto early = db.Get({}, "m");
  REQUIRE(early.ok());
  CHECK(early->has_value());
  release.set_value();
  const Status done = compacted.get();
  CHECK_MESSAGE(done.ok(), done.ToString());
  for (const char* key : {"a", "m", "z"}) {
    const auto value = db.Get({}, key);
    REQUIRE(value.ok());
    CHECK(value->has_value());
  }
  REQUIRE(db.Close().ok());
  opened->reset();
  auto again = DB::Open(options, "db");
  REQUIRE_MESSAGE(again.ok(), again.status().ToString());
  CHECK((*again)->Get({}, "m")->has_value());
}

// Between the inputs of a compaction by hand there may be room for the outputs of another one.
TEST_CASE("Compactions do not put tables where the outputs of others may come") {
  WatchedFs fs;
  CountedJobs jobs;
  Options options = OptionsOn(&fs);
  options.env.executor = &jobs;
  options.max_background_jobs = 4;
  options.family.disable_auto_compactions = true;
  options.family.level_compaction_dynamic_level_bytes = false;
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  const Deadline deadline("compactions of one range");
  const auto put_in_level_1 = [&](const std::string& key) {
    REQUIRE(db.Put({}, key, "v").ok());
    REQUIRE(db.CompactRange({}, key, key).ok());
  };
  const auto set_auto = [&](bool on) {
    REQUIRE(db.SetOptions({{"max_bytes_for_level_base", "1"},
                           {"max_bytes_for_level_multiplier", "1000000"},
                           {"disable_auto_compactions", on ? "false" : "true"}})
                .ok());
  };
  put_in_level_1("b");
  set_auto(true);
  REQUIRE(db.WaitForBackgroundWork().ok());
  set_auto(false);
  put_in_level_1("a");
  put_in_level_1("z");
  REQUIRE_EQ(db.Levels()[1].files, 2);
  REQUIRE_EQ(db.Levels()[2].files, 1);

  std::promise<void> begun, release;
  std::atomic<bool> first{true};
  fs.set_judge([&](const std::string& event) {
    if (event.starts_with("create ") && event.ends_with(".sst") && first.exchange(false)) {
      begun.set_value();
      release.get_future().wait();
    }
    return Status::Ok();
  });
  auto compacted = std::async(std::launch::async, [&] { return db.CompactRange({}, {}, {}); });
  begun.get_future().wait();
  put_in_level_1("m");  // Due to go where the range from a to z will be.
  jobs.StartCounting();
  set_auto(true);  // Schedules what is due: nothing as long as the other compaction runs.
  WaitUntil("an automatic compaction has ended", [&] { return jobs.unfinished() == 0; });
  release.set_value();
  const Status done = compacted.get();
  CHECK_MESSAGE(done.ok(), done.ToString());
  const Status background = db.WaitForBackgroundWork();
  CHECK_MESSAGE(background.ok(), background.ToString());
  for (const char* key : {"a", "b", "m", "z"}) CHECK(db.Get({}, key)->has_value());
}

TEST_CASE("Flush: a failure is not told any more once the next try is under way") {
  WatchedFs fs;
  Options options = OptionsOn(&fs);
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  const Deadline deadline("a flush that is tried again");
  std::promise<void> begun, release;
  std::atomic<int> tables{0};
  fs.set_judge([&](const std::string& event) {
    if (!event.starts_with("create ") || !event.ends_with(".sst") || tables++ > 0) {
      return Status::Ok();
    }
    begun.set_value();
    release.get_future().wait();
    return Status::IoError("no space, for a moment");
  });
  REQUIRE(db.Put({}, "a", "v").ok());
  REQUIRE(db.Flush({.wait = false}).ok());
  begun.get_future().wait();
  REQUIRE(db.Put({}, "b", "v").ok());
  REQUIRE(db.Flush({.wait = false}).ok());  // Queued behind the one that fails.
  release.set_value();
  while (db.StatsOfFamilies()[0].sealed_memtables > 0) std::this_thread::yield();
  const Status background = db.WaitForBackgroundWork();
  CHECK_MESSAGE(background.ok(), background.ToString());
}

}  // namespace
}  // namespace varve
