// SPDX-License-Identifier: Apache-2.0
// A column family that is dropped while another one is flushed.
#include <doctest/doctest.h>
#include <malloc.h>

#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/manifest/version_edit.h"
#include "core/version/manifest_reader.h"
#include "core/version/manifest_writer.h"
#include "tests/unit/engine/watched_fs.h"
#include "tests/waiting.h"
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
  WatchedThread flushing;
  fs.set_judge([&](const std::string& event) {
    const bool table = event.starts_with("sync ") && event.ends_with(".sst");
    if (table && tables++ == 0) written.set_value();
    if (event.starts_with("sync MANIFEST-") && !flush.valid()) {
      flush = std::async(std::launch::async, [&flushing, job = jobs.Take()] {
        flushing.Enter();
        job();
      });
      written.get_future().wait();
      WaitUntil("the flush waits for the MANIFEST", [&] { return flushing.IsBlocked(); });
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

TEST_CASE("Dropping a family deletes its blob files, except those that another family uses") {
  constexpr FileNumber kOwn = 101, kShared = 102;
  WatchedFs fs;
  Options options = OptionsOn(&fs);
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    const auto other = (*db)->CreateColumnFamily("other", {});
    REQUIRE(other.ok());
    for (const ColumnFamilyId family : {kDefaultColumnFamilyId, *other}) {
      REQUIRE((*db)->Put({}, "key", "value", family).ok());
      REQUIRE((*db)->Flush({}, family).ok());
    }
  }
  auto manifest = ReadManifest(fs, "db", options, /*tables=*/nullptr);
  REQUIRE(manifest.ok());
  manifest->state.counters.next_file_number = 104;
  std::vector<VersionEdit> edits;
  for (const FamilyState& family : manifest->state.families.all()) {
    VersionEdit& edit = edits.emplace_back();
    edit.family = family.id;
    // Without a table that refers to it no blob file is needed.
    FileDescription table = family.version->files(0).front()->description;
    table.oldest_blob_file = family.id == kDefaultColumnFamilyId ? kShared : kOwn;
    edit.deleted_files.push_back({0, table.number});
    edit.new_files.push_back({0, table});
  }
  REQUIRE_EQ(edits.size(), 2);
  edits[0].blob_additions = {{kShared, 1, 1, "", ""}};
  edits[1].blob_additions = {{kOwn, 1, 1, "", ""}, {kShared, 1, 1, "", ""}};
  REQUIRE(ManifestWriter::Create(fs, "db", 103, manifest->state, edits).ok());
  for (const FileNumber number : {kOwn, kShared}) {
    REQUIRE(fs.Create("db/" + BlobFileName(number), /*direct=*/false).ok());
  }
  auto db = DB::Open(options, "db");
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  CHECK(fs.Exists("db/" + BlobFileName(kOwn)));
  REQUIRE((*db)->DropColumnFamily(*(*db)->FindFamily("other")).ok());
  CHECK_FALSE(fs.Exists("db/" + BlobFileName(kOwn)));
  CHECK(fs.Exists("db/" + BlobFileName(kShared)));
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
      batch.Put("k", "v", *family);
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
