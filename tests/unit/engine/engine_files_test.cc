// SPDX-License-Identifier: Apache-2.0
// What a DB says of its tables, and SyncWal().
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "tests/unit/engine/inline_db.h"
#include "varve/db.h"

namespace varve {
namespace {

class Subject : public InlineDb {
 public:
  Subject() {
    options.family.table.compression = CompressionType::kNone;
    Open();
  }

  // A table with these keys, each with a value of 1000 bytes.
  void WriteTable(std::string_view keys) {
    for (const char key : keys) {
      REQUIRE(db->Put({}, std::string(1, key), std::string(1000, key)).ok());
    }
    REQUIRE(db->Flush().ok());
  }
};

TEST_CASE("LiveFiles lists each table with its place, bounds and contents") {
  Subject subject;
  subject.WriteTable("bcd");
  REQUIRE(subject.db->CompactRange({}, {}, {}).ok());
  REQUIRE(subject.db->Delete({}, "c").ok());
  subject.WriteTable("ae");
  const auto files = subject.db->LiveFiles();
  REQUIRE(files.ok());
  REQUIRE_EQ(files->size(), 2);
  const LiveFile& newer = (*files)[0];
  CHECK_EQ(newer.level, 0);
  CHECK_EQ(newer.smallest_key, "a");
  CHECK_EQ(newer.largest_key, "e");
  CHECK_EQ(newer.entries, 3);
  CHECK_EQ(newer.deletions, 1);
  CHECK_GT(newer.size, 2000);
  const LiveFile& older = (*files)[1];
  CHECK_GT(older.level, 0);
  CHECK_EQ(older.smallest_key, "b");
  CHECK_EQ(older.largest_key, "d");
  CHECK_EQ(older.entries, 3);
  CHECK_EQ(older.deletions, 0);
  CHECK_NE(older.number, newer.number);
  CHECK_LT(older.largest_sequence, newer.largest_sequence);
}

TEST_CASE("LogFiles lists each log with its first sequence number, and which one is written to") {
  Subject subject;
  auto logs = subject.db->LogFiles();
  REQUIRE(logs.ok());
  REQUIRE_EQ(logs->size(), 1);
  CHECK((*logs)[0].present);
  CHECK_FALSE((*logs)[0].first_sequence.has_value());
  const auto other = subject.db->CreateColumnFamily("other", subject.options.family);
  REQUIRE(other.ok());
  REQUIRE(subject.db->Put({}, "a", "1").ok());
  REQUIRE(subject.db->Put({}, "k", "1", *other).ok());
  const Sequence first = subject.db->GetSnapshot().sequence() - 1;
  REQUIRE(subject.db->Flush().ok());
  REQUIRE(subject.db->Put({}, "b", "2").ok());
  logs = subject.db->LogFiles();
  REQUIRE(logs.ok());
  REQUIRE_EQ(logs->size(), 2);
  CHECK_EQ((*logs)[0].first_sequence, first);
  CHECK_FALSE((*logs)[0].present);
  CHECK_EQ((*logs)[1].first_sequence, first + 2);
  CHECK((*logs)[1].present);
  CHECK_LT((*logs)[0].number, (*logs)[1].number);
  CHECK_GT((*logs)[1].size, 0);
  const auto reader = DB::OpenReadOnly(subject.options, "db");
  REQUIRE(reader.ok());
  logs = (*reader)->LogFiles();
  REQUIRE(logs.ok());
  REQUIRE_EQ(logs->size(), 2);
  CHECK_FALSE((*logs)[1].present);
}

TEST_CASE("HoldFiles keeps obsolete tables until the last hold ends") {
  Subject subject;
  subject.WriteTable("ab");
  subject.WriteTable("bc");
  std::shared_ptr<const void> first = subject.db->HoldFiles();
  std::shared_ptr<const void> second = subject.db->HoldFiles();
  REQUIRE(subject.db->CompactRange({}, {}, {}).ok());
  CHECK_EQ(subject.db->LiveFiles()->size(), 1);
  CHECK_EQ(subject.CountFiles(".sst"), 3);
  first.reset();
  CHECK_EQ(subject.CountFiles(".sst"), 3);
  second.reset();
  CHECK_EQ(subject.CountFiles(".sst"), 1);
}

TEST_CASE("ApproximateSize counts the tables of a range, and parts of them by their indexes") {
  Subject subject;
  CHECK_EQ(*subject.db->ApproximateSize({}, {}), 0);
  subject.WriteTable("abcdefghij");
  const auto files = subject.db->LiveFiles();
  REQUIRE(files.ok());
  CHECK_EQ(*subject.db->ApproximateSize({}, {}), (*files)[0].size);
  CHECK_EQ(*subject.db->ApproximateSize("a", "zz"), (*files)[0].size);
  const uint64_t some = *subject.db->ApproximateSize("a", "f");
  CHECK_GT(some, 2000);
  CHECK_LT(some, 8000);
  CHECK_EQ(*subject.db->ApproximateSize("k", {}), 0);
}

TEST_CASE("Both refuse a family that does not exist") {
  const Subject subject;
  CHECK_EQ(subject.db->LiveFiles(7).status().code(), Code::kInvalidArgument);
  CHECK_EQ(subject.db->ApproximateSize({}, {}, 7).status().code(), Code::kInvalidArgument);
}

TEST_CASE("SyncWal syncs what was written to the log, and fails as the system does") {
  Subject subject;
  REQUIRE(subject.db->Put({}, "key", "value").ok());
  int syncs = 0;
  subject.fs.set_judge([&](const std::string& event) {
    if (event.starts_with("sync ") && event.find(".log") != std::string::npos) ++syncs;
    return Status::Ok();
  });
  REQUIRE(subject.db->SyncWal().ok());
  CHECK_EQ(syncs, 1);
  REQUIRE(subject.db->Put({}, "key", "other").ok());
  subject.fs.set_judge([](const std::string& event) {
    const bool log = event.starts_with("sync ") && event.find(".log") != std::string::npos;
    return log ? Status::IoError("broken") : Status::Ok();
  });
  CHECK_EQ(subject.db->SyncWal().code(), Code::kIoError);
  CHECK_EQ(subject.db->Put({}, "key", "third").code(), Code::kIoError);
}

// The second call finds the database writable and waits for the lead, which the first one has.
TEST_CASE("SyncWal fails as well if one that it waited for has failed") {
  Subject subject;
  REQUIRE(subject.db->Put({}, "key", "value").ok());
  std::atomic<bool> is_calling = false;
  std::thread second;
  Status waited;
  subject.fs.set_judge([&](const std::string& event) {
    if (!event.starts_with("sync_directory") || second.joinable()) return Status::Ok();
    second = std::thread([&] {
      is_calling = true;
      waited = subject.db->SyncWal();
    });
    while (!is_calling) std::this_thread::yield();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    return Status::IoError("broken");
  });
  CHECK_EQ(subject.db->SyncWal().code(), Code::kIoError);
  REQUIRE(second.joinable());
  second.join();
  CHECK_EQ(waited.code(), Code::kIoError);
}

TEST_CASE("SyncWal needs a database that is open for writing") {
  Subject subject;
  REQUIRE(subject.db->Close().ok());
  auto opened = DB::OpenReadOnly(subject.options, "db");
  REQUIRE(opened.ok());
  CHECK_EQ((*opened)->SyncWal().code(), Code::kNotSupported);
}

TEST_CASE("DeleteFilesInRange removes tables that are within it, below level 0") {
  Subject subject;
  subject.options.family.table.compression = CompressionType::kNone;
  const auto keys = [&] {
    std::string found;
    auto it = subject.db->NewIterator({});
    REQUIRE(it.ok());
    for (it->SeekToFirst(); it->Valid(); it->Next()) found += it->key();
    return found;
  };
  for (const std::string_view part : {"ab", "cd", "ef"}) {
    subject.WriteTable(part);
    REQUIRE(subject.db->CompactRange({}, part.substr(0, 1), part.substr(1)).ok());
  }
  subject.WriteTable("gh");  // Stays in level 0.
  REQUIRE_EQ(subject.db->Levels()[0].files, 1);
  REQUIRE(subject.db->DeleteFilesInRange("b", "e").ok());
  CHECK_EQ(keys(), "abefgh");
  REQUIRE(subject.db->DeleteFilesInRange("e", "f").ok());
  CHECK_EQ(keys(), "abgh");
  REQUIRE(subject.db->DeleteFilesInRange({}, "c").ok());
  CHECK_EQ(keys(), "gh");
  REQUIRE(subject.db->DeleteFilesInRange({}, {}).ok());
  CHECK_EQ(keys(), "gh");
  CHECK(subject.db->DeleteFilesInRange({}, {}, 7).code() == Code::kInvalidArgument);
}

}  // namespace
}  // namespace varve
