// SPDX-License-Identifier: Apache-2.0
#include "core/engine/files/wal_set.h"

#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

using Log = std::vector<std::string>;

// The lead of the write queue, which nobody else wants.
struct Fixture : ContextFixture {
  void Roll(uint64_t number) {
    const WriteQueue::Writer lead;
    WriteQueue::AssertLeads(lead);
    const Status rolled = wals.Roll(number);
    REQUIRE_MESSAGE(rolled.ok(), rolled.ToString());
  }
  Status TryRoll(uint64_t number) {
    const WriteQueue::Writer lead;
    WriteQueue::AssertLeads(lead);
    return wals.Roll(number);
  }
  void Append(std::string_view record) {
    const WriteQueue::Writer lead;
    WriteQueue::AssertLeads(lead);
    REQUIRE(wals.Append(record).ok());
  }
  Status Sync() {
    const WriteQueue::Writer lead;
    WriteQueue::AssertLeads(lead);
    return wals.Sync();
  }
  Status Close() {
    const WriteQueue::Writer lead;
    WriteQueue::AssertLeads(lead);
    return wals.Close();
  }
  uint64_t TotalBytes() {
    const WriteQueue::Writer lead;
    WriteQueue::AssertLeads(lead);
    return wals.TotalBytes();
  }
  Log TakeLog() { return std::exchange(fs.log(), {}); }

  WalSet wals{context};
};

TEST_CASE("WalSet: the name of a WAL is synced with its first sync, and once (S1)") {
  Fixture t;
  t.Roll(6);
  t.Append("record");
  CHECK(t.TakeLog() == Log{"create 000006.log", "append 000006.log"});
  REQUIRE(t.Sync().ok());
  CHECK(t.TakeLog() == Log{"sync 000006.log", "sync_directory db"});
  t.Append("record");
  t.TakeLog();
  REQUIRE(t.Sync().ok());
  CHECK(t.TakeLog() == Log{"sync 000006.log"});
}

TEST_CASE("WalSet: what is durable is not synced again") {
  Fixture t;
  t.Roll(6);
  t.TakeLog();
  REQUIRE(t.Sync().ok());
  CHECK(t.TakeLog() == Log{"sync_directory db"});  // No byte, but a name.
  REQUIRE(t.Sync().ok());
  CHECK(t.TakeLog().empty());
}

TEST_CASE("WalSet: a name that could not be synced is synced by the next sync") {
  Fixture t;
  t.Roll(6);
  t.Append("record");
  t.fs.set_judge([](const std::string& event) {
    return event.starts_with("sync_directory") ? Status::IoError("broken") : Status::Ok();
  });
  CHECK(t.Sync().code() == Code::kIoError);
  t.fs.set_judge(nullptr);
  t.TakeLog();
  REQUIRE(t.Sync().ok());
  CHECK(t.TakeLog() == Log{"sync_directory db"});
}

TEST_CASE("WalSet: a WAL is synced before there is a next one (S2)") {
  Fixture t;
  t.Roll(6);
  t.Append("record");
  t.TakeLog();
  t.Roll(9);
  CHECK(t.TakeLog() == Log{"sync 000006.log", "sync_directory db", "create 000009.log"});
}

TEST_CASE("WalSet: if the old WAL cannot be synced there is no next one") {
  Fixture t;
  t.Roll(6);
  t.Append("record");
  t.fs.set_judge([](const std::string& event) {
    return event.starts_with("sync ") ? Status::IoError("broken") : Status::Ok();
  });
  CHECK(t.TryRoll(9).code() == Code::kIoError);
  CHECK_FALSE(t.Exists("000009.log"));
  MutexLock lock(t.context.mutex());
  CHECK_EQ(t.wals.present_number(), 6);
  CHECK(t.wals.closed().empty());
}

TEST_CASE("WalSet: closed WALs have their sizes, until they are taken off the list") {
  Fixture t;
  for (uint64_t number = 6; number <= 8; ++number) {
    t.Roll(number);
    t.Append(std::string(100 * number, 'r'));
  }
  uint64_t in_files = 0;
  for (const std::string& name : t.Files()) in_files += *t.fs.FileSize("db/" + name);
  CHECK_EQ(t.TotalBytes(), in_files);
  {
    MutexLock lock(t.context.mutex());
    CHECK_EQ(t.wals.present_number(), 8);
    CHECK_EQ(t.wals.oldest_number(), 6);
    REQUIRE_EQ(t.wals.closed().size(), 2);
    CHECK_EQ(t.wals.closed()[0].number, 6);
    CHECK_EQ(t.wals.closed()[0].size, *t.fs.FileSize("db/000006.log"));
    CHECK_EQ(t.wals.closed()[1].size, *t.fs.FileSize("db/000007.log"));
    CHECK(t.wals.TakeBelow(6, 6).empty());
    CHECK(t.wals.TakeBelow(7, 7) == std::vector<uint64_t>{6});
    CHECK_EQ(t.wals.oldest_number(), 7);
    // The present one is never taken.
    CHECK(t.wals.TakeBelow(100, 100) == std::vector<uint64_t>{7});
    CHECK_EQ(t.wals.oldest_number(), 8);
  }
  CHECK_EQ(t.TotalBytes(), *t.fs.FileSize("db/000008.log"));
  CHECK_EQ(t.Files().size(), 3);  // Deleting them is the caller's business.
}

TEST_CASE("WalSet: WALs that only prepared transactions need are held, and count for nothing") {
  Fixture t;
  {
    MutexLock lock(t.context.mutex());
    t.wals.Hold({5, 1000});
  }
  for (uint64_t number = 6; number <= 8; ++number) {
    t.Roll(number);
    t.Append(std::string(100 * number, 'r'));
  }
  {
    MutexLock lock(t.context.mutex());
    CHECK(t.wals.TakeBelow(5, 7).empty());
    REQUIRE_EQ(t.wals.held().size(), 2);
    CHECK_EQ(t.wals.held()[0].size, 1000);
    CHECK_EQ(t.wals.held()[1].number, 6);
    CHECK_EQ(t.wals.oldest_number(), 7);
    CHECK(t.wals.TakeBelow(6, 7) == std::vector<uint64_t>{5});
  }
  CHECK_EQ(t.TotalBytes(), *t.fs.FileSize("db/000007.log") + *t.fs.FileSize("db/000008.log"));
  MutexLock lock(t.context.mutex());
  CHECK(t.wals.TakeBelow(8, 8) == std::vector<uint64_t>{6, 7});
  CHECK(t.wals.held().empty());
}

TEST_CASE("WalSet: closing syncs what is there; without a WAL it does nothing") {
  Fixture t;
  CHECK(t.Close().ok());
  t.Roll(6);
  t.Append("record");
  t.TakeLog();
  CHECK(t.Close().ok());
  CHECK(t.TakeLog() == Log{"sync 000006.log", "sync_directory db"});
}

TEST_CASE("WalSet: a WAL that cannot be created is no WAL") {
  Fixture t;
  t.fs.set_judge([](const std::string& event) {
    return event.starts_with("create") ? Status::NoSpace("full") : Status::Ok();
  });
  CHECK(t.TryRoll(6).code() == Code::kNoSpace);
  MutexLock lock(t.context.mutex());
  CHECK_EQ(t.wals.present_number(), 0);
}

}  // namespace
}  // namespace varve
