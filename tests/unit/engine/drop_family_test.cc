// SPDX-License-Identifier: Apache-2.0
// A column family that is dropped while another one is flushed.
#include <doctest/doctest.h>
#include <malloc.h>

#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

// Keeps the jobs until they are asked for.
class HeldJobs final : public Executor {
 public:
  void Schedule(Lane, std::function<void()> job) override { jobs_.push_back(std::move(job)); }
  int Parallelism(Lane) const override { return 1; }
  bool RunOneWhileWaiting() override {
    if (jobs_.empty()) return false;
    Take()();
    return true;
  }
  std::function<void()> Take() {
    std::function<void()> job = std::move(jobs_.front());
    jobs_.erase(jobs_.begin());
    return job;
  }
  bool empty() const { return jobs_.empty(); }

 private:
  std::vector<std::function<void()>> jobs_;
};

// A flush says of every family with nothing in memory that it needs no old WAL: also of one whose
// drop is being logged while the flush writes its table.
TEST_CASE("A flush outlives the drop of another family") {
  WatchedFs fs;
  HeldJobs jobs;
  Options options = OptionsOn(&fs);
  options.env.executor = &jobs;
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  const auto other = db.CreateColumnFamily("other", {});
  REQUIRE(other.ok());
  REQUIRE(db.Put({}, "key", "value").ok());
  REQUIRE(db.Flush({.wait = false}).ok());
  REQUIRE_FALSE(jobs.empty());

  std::promise<void> written;
  int tables = 0;
  std::future<void> flush;
  fs.set_judge([&](const std::string& event) {
    const bool table = event.starts_with("sync ") && event.ends_with(".sst");
    if (table && tables++ == 0) written.set_value();
    if (event.starts_with("sync MANIFEST-") && !flush.valid()) {
      flush = std::async(std::launch::async, jobs.Take());
      written.get_future().wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // Now it waits for the MANIFEST.
    }
    return Status::Ok();
  });
  REQUIRE(db.DropColumnFamily(*other).ok());
  REQUIRE(flush.valid());
  flush.wait();
  const Status flushed = db.Flush();
  CHECK_MESSAGE(flushed.ok(), flushed.ToString());
  CHECK_EQ(tables, 1);  // It had not to be done again.
  CHECK(db.Close().ok());
}

// What is kept of a dropped family is a few kilobytes, whatever number came before it.
TEST_CASE("Memory grows no faster than the number of families created and dropped") {
  WatchedFs fs;
  Options options = OptionsOn(&fs);
  auto opened = DB::Open(options, "db");
  REQUIRE(opened.ok());
  DB& db = **opened;
  const auto in_use = [] {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const auto churn = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      const auto family = db.CreateColumnFamily("f" + std::to_string(i), {});
      REQUIRE(family.ok());
      WriteBatch batch;
      batch.Put(*family, "k", "v");
      REQUIRE(db.Write({}, std::move(batch)).ok());
      REQUIRE(db.DropColumnFamily(*family).ok());
      fs.log().clear();
    }
  };
  churn(0, 200);
  const uint64_t before = in_use();
  churn(200, 1200);
  const uint64_t middle = in_use();
  churn(1200, 2200);
  const uint64_t first = middle - before, second = in_use() - middle;
  CHECK_LE(second, first * 5 / 4);  // Sanitizers' allocators tell nothing: both are 0 there.
  CHECK_LT(second / 1000, 6000);
  // Those that are left are found, old and new, and no other.
  CHECK_EQ(db.Families().size(), 1);
  REQUIRE(db.Put({}, "k", "v").ok());
  CHECK_EQ(db.Get({}, "k", 1000).status().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace varve
