// SPDX-License-Identifier: Apache-2.0
// Where the system gives no more descriptors: each error says so and names the file, nothing is
// lost, and once there are descriptors again everything goes on; after reopening where it was a log
// that could not be made (P5).
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/resources/usage.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"

namespace varve::resources {
namespace {

// While it lives, `more` descriptors can be opened.
class FewDescriptors {
 public:
  explicit FewDescriptors(uint64_t more) {
    // The limit is one of their numbers: what is free below the highest is taken.
    int fd = 0;
    while ((fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) <
           static_cast<int>(OpenDescriptors()) - 1) {
      taken_.push_back(fd);
    }
    ::close(fd);
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    rlimit few = before_;
    few.rlim_cur = OpenDescriptors() + more;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  }
  ~FewDescriptors() {
    ::setrlimit(RLIMIT_NOFILE, &before_);
    for (const int fd : taken_) ::close(fd);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

void CheckSaysWhatIsMissing(const Status& failed, const std::string& directory) {
  CAPTURE(failed.ToString());
  CHECK(failed.code() == Code::kIoError);
  CHECK(failed.message().find("Too many open files") != std::string::npos);
  CHECK(failed.message().find(directory) != std::string::npos);
}

Options SmallTables() {
  Options options;
  options.create_if_missing = true;
  options.family.write_buffer_size = 16 << 10;
  options.family.disable_auto_compactions = true;
  options.family.level0_slowdown_writes_trigger = 1000;
  options.family.level0_stop_writes_trigger = 1000;
  return options;
}

std::string KeyOf(int n) { return "key" + std::to_string(n); }
std::string ValueOf(int n) { return std::string(1000, static_cast<char>('a' + n % 26)); }

void Fill(DB& db, int from, int to) {
  for (int n = from; n < to; ++n) REQUIRE(db.Put({}, KeyOf(n), ValueOf(n)).ok());
}

void CheckHolds(DB& db, int to) {
  for (int n = 0; n < to; ++n) {
    const auto value = db.Get({}, KeyOf(n));
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    REQUIRE(value->has_value());
    REQUIRE((*value)->ToString() == ValueOf(n));
  }
}

std::unique_ptr<DB> MustOpen(const Options& options, const std::string& path) {
  auto db = DB::Open(options, path);
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  return *std::move(db);
}

TEST_CASE("Descriptors: opening with any number of them works or says what could not be opened") {
  const ScratchDirectory root;
  const std::string path = root / "db";
  // With tables and a log to be replayed.
  {
    const auto db = MustOpen(SmallTables(), path);
    Fill(*db, 0, 100);
  }
  uint64_t files = UsageNow(path).directory_files;
  int refused = 0;
  for (uint64_t more = 0;; ++more) {
    CAPTURE(more);
    REQUIRE_LT(more, 30);
    Status opened;
    {
      const FewDescriptors few(more);
      auto db = DB::Open(SmallTables(), path);
      opened = db.status();
    }
    if (!opened.ok()) {
      ++refused;
      CheckSaysWhatIsMissing(opened, path);
    }
    const auto db = MustOpen(SmallTables(), path);
    CheckHolds(*db, 100);
    // What the tries have left is gone. (Each opening that replays a log makes a table of it.)
    const uint64_t now = UsageNow(path).directory_files;
    CHECK_LE(now, files + 1);
    files = now;
    if (opened.ok()) break;
  }
  CHECK_GT(refused, 0);
}

TEST_CASE("Descriptors: reading from a table that cannot be opened fails that read alone") {
  const ScratchDirectory root;
  const std::string path = root / "db";
  const auto db = MustOpen(SmallTables(), path);
  Fill(*db, 0, 400);
  REQUIRE(db->Flush().ok());
  const auto reader = MustOpen({}, (db->Close().Ignore("nothing is written"), path));
  {
    const FewDescriptors few(4);
    // Four tables can be opened.
    int read = 0, failed = 0;
    std::vector<std::string> keys;
    for (int n = 0; n < 400; ++n) {
      keys.push_back(KeyOf(n));
      const auto value = reader->Get({}, keys.back());
      ++(value.ok() ? read : failed);
      if (!value.ok()) CheckSaysWhatIsMissing(value.status(), path);
    }
    CHECK_GT(read, 0);
    CHECK_GT(failed, 0);
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    for (const auto& value : reader->MultiGet({}, views)) {
      if (!value.ok()) CheckSaysWhatIsMissing(value.status(), path);
    }
    auto it = reader->NewIterator({});
    if (it.ok()) {
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
      }
    }
    const Status walked = it.ok() ? it->status() : it.status();
    CheckSaysWhatIsMissing(walked, path);
    // What needs no descriptor works.
    REQUIRE(reader->Put({}, KeyOf(400), ValueOf(400)).ok());
  }
  CheckHolds(*reader, 401);
}

TEST_CASE("Descriptors: flush and compaction fail by name, and work when there are some again") {
  const ScratchDirectory root;
  const std::string path = root / "db";
  const auto db = MustOpen(SmallTables(), path);
  Fill(*db, 0, 100);
  REQUIRE(db->Flush().ok());
  int flushes_refused = 0, compactions_refused = 0;
  for (uint64_t more = 0; more < 12; ++more) {
    CAPTURE(more);
    const int next = 100 + static_cast<int>(more);
    Status flushed, compacted;
    {
      REQUIRE(db->Put({}, KeyOf(next), ValueOf(next)).ok());
      const FewDescriptors few(more);
      flushed = db->Flush();
      compacted = db->CompactRange({.force_bottommost = true}, {}, {});
    }
    for (const Status& failed : {flushed, compacted}) {
      if (!failed.ok()) CheckSaysWhatIsMissing(failed, path);
    }
    flushes_refused += flushed.ok() ? 0 : 1;
    compactions_refused += compacted.ok() ? 0 : 1;
    // A new log could not be made: a flush begins with that, and writes are closed then.
    if (const Status put = db->Put({}, KeyOf(next), ValueOf(next)); !put.ok()) {
      CheckSaysWhatIsMissing(put, path);
      CheckHolds(*db, next + 1);
      return;
    }
    REQUIRE(db->Flush().ok());
    CheckHolds(*db, next + 1);
  }
  CHECK_GT(flushes_refused, 0);
  CHECK_GT(compactions_refused, 0);
}

TEST_CASE("Descriptors: a load that runs out of them loses nothing") {
  const ScratchDirectory root;
  const std::string path = root / "db";
  Options options = SmallTables();
  options.family.disable_auto_compactions = false;
  auto db = MustOpen(options, path);
  Fill(*db, 0, 20);
  int written = 20;
  Status failed;
  {
    const FewDescriptors few(3);
    for (; written < 5000 && failed.ok(); ++written) {
      failed = db->Put({}, KeyOf(written), ValueOf(written));
    }
    if (!failed.ok()) {
      --written;
      CheckSaysWhatIsMissing(failed, path);
    }
  }
  REQUIRE_FALSE(failed.ok());
  CheckHolds(*db, written);
  if (!db->Put({}, KeyOf(written), ValueOf(written)).ok()) {
    db.reset();
    db = MustOpen(options, path);
  }
  Fill(*db, written, written + 200);
  REQUIRE(db->FlushAll().ok());
  REQUIRE(db->CompactRange({}, {}, {}).ok());
  REQUIRE(db->WaitForBackgroundWork().ok());
  CheckHolds(*db, written + 200);
}

}  // namespace
}  // namespace varve::resources
