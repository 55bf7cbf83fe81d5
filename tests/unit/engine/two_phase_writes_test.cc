// SPDX-License-Identifier: Apache-2.0
// Two-phase commits of a database, over crashes: what is opened is a copy of the files as they are.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/log/two_phase.h"
#include "core/version/manifest_reader.h"
#include "tests/unit/engine/inline_db.h"

namespace varve {
namespace {

struct Fixture : InlineDb {
  Fixture() {
    options.create_if_missing = true;
    options.allow_2pc = true;
    Open();
  }

  void Put(const std::string& key, const std::string& value, ColumnFamilyId family = 0) {
    REQUIRE(db->Put({}, key, value, family).ok());
  }
  void Prepare(const std::string& name, const std::string& key, const std::string& value = "v",
               ColumnFamilyId family = 0) {
    WriteBatch batch;
    batch.Put(key, value, family);
    const Status prepared = db->Prepare({}, name, batch);
    REQUIRE_MESSAGE(prepared.ok(), prepared.ToString());
  }
  void Commit(const std::string& name) { REQUIRE(db->CommitPrepared({}, name).ok()); }
  void Rollback(const std::string& name) { REQUIRE(db->RollbackPrepared({}, name).ok()); }
  void Flush(ColumnFamilyId family = 0) { REQUIRE(db->Flush({}, family).ok()); }

  using Files = std::map<std::string, std::string>;  // Contents by name.

  Files FilesNow() {
    Files files;
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      const auto bytes = ReadFileToString(fs, "db/" + entry.name, uint64_t{1} << 30);
      REQUIRE(bytes.ok());
      files[entry.name] = *bytes;
    }
    return files;
  }
  void Restore(const Files& files) {
    db.reset();
    const auto now = fs.List("db");
    REQUIRE(now.ok());
    for (const DirectoryEntry& entry : *now) REQUIRE(fs.Remove("db/" + entry.name).ok());
    for (const auto& [name, bytes] : files) {
      auto file = fs.Create("db/" + name, /*direct=*/false);
      REQUIRE(file.ok());
      REQUIRE((*file)->Append(bytes).ok());
      REQUIRE((*file)->Close().ok());
    }
  }
  // Opens what a crash leaves now.
  void Crash() {
    Restore(FilesNow());
    Open();
  }
  // An opening fails at its n-th change of files and at all after it, as if it ended there. False
  // if there are fewer changes; then the database is open.
  bool CutOpening(int n) {
    fs.set_judge(
        [&n](const std::string&) { return --n > 0 ? Status::Ok() : Status::IoError("cut"); });
    const Status opened = TryOpen(options);
    fs.set_judge(nullptr);
    return !opened.ok();
  }

  std::string Get(const std::string& key, ColumnFamilyId family = 0) {
    const auto value = db->Get({}, key, family);
    REQUIRE(value.ok());
    return *value ? std::string((*value)->view()) : "-";
  }
  std::string Prepared() {
    std::string names;
    for (const PreparedTransaction& transaction : db->PreparedTransactions()) {
      names += transaction.name + "+" + std::to_string(transaction.changes.count()) + " ";
    }
    return names;
  }
  DatabaseState State() {
    auto manifest = ReadManifest(fs, "db", options, /*tables=*/nullptr);
    REQUIRE(manifest.ok());
    return std::move(manifest->state);
  }
};

TEST_CASE("Prepare: changes are invisible until they are committed, and never if rolled back") {
  Fixture t;
  t.Put("a", "0");
  t.Prepare("one", "a", "1");
  t.Prepare("two", "b");
  CHECK(t.Get("a") == "0");
  CHECK(t.Prepared() == "one+1 two+1 ");
  const Snapshot before = t.db->GetSnapshot();
  t.Commit("one");
  t.Rollback("two");
  CHECK(t.Get("a") == "1");
  CHECK(t.Get("b") == "-");
  CHECK(t.Prepared().empty());
  CHECK((*t.db->Get({.snapshot = &before}, "a"))->view() == "0");
}

TEST_CASE("Prepare: refused without allow_2pc, for a name that is taken, and for a bad batch") {
  Fixture t;
  t.Prepare("one", "a");
  WriteBatch batch;
  batch.Put("a", "v");
  CHECK(t.db->Prepare({}, "one", batch).code() == Code::kInvalidArgument);
  CHECK(t.db->Prepare({}, "", batch).code() == Code::kInvalidArgument);
  CHECK(t.db->CommitPrepared({}, "two").code() == Code::kInvalidArgument);
  CHECK(t.db->RollbackPrepared({}, "two").code() == Code::kInvalidArgument);
  WriteBatch nowhere;
  nowhere.Put("a", "v", 77);
  CHECK(t.db->Prepare({}, "two", nowhere).code() == Code::kInvalidArgument);
  CHECK(t.Prepared() == "one+1 ");
  t.Rollback("one");
  t.options.allow_2pc = false;
  t.Open();
  CHECK(t.db->Prepare({}, "one", batch).code() == Code::kInvalidArgument);
}

TEST_CASE("Prepare: what is prepared outlives crashes, and is decided after them") {
  Fixture t;
  t.Prepare("one", "a");
  t.Prepare("two", "b");
  t.Prepare("three", "c");
  t.Commit("three");
  t.Put("d", "v");
  for (int round = 0; round < 3; ++round) {
    t.Crash();
    CHECK(t.Prepared() == "one+1 two+1 ");
    CHECK(t.Get("a") == "-");
    CHECK(t.Get("c") == "v");
    CHECK(t.Get("d") == "v");
  }
  t.Commit("one");
  t.Rollback("two");
  for (int round = 0; round < 3; ++round) {
    CHECK(t.Prepared().empty());
    CHECK(t.Get("a") == "v");
    CHECK(t.Get("b") == "-");
    t.Crash();
  }
  CHECK(t.CountFiles(".log") == 1);
}

// The order of what is newest in a key: the commit's, not that of the preparation.
TEST_CASE("CommitPrepared: its changes are newer than writes since the preparation") {
  Fixture t;
  t.Prepare("one", "a", "prepared");
  t.Put("a", "between");
  t.Commit("one");
  CHECK(t.Get("a") == "prepared");
  t.Crash();
  CHECK(t.Get("a") == "prepared");
}

TEST_CASE("CommitPrepared: more changes are made behind those that are prepared, in one step") {
  Fixture t;
  t.Prepare("one", "a", "prepared");
  WriteBatch more;
  more.Put("a", "later");
  more.Put("b", "v");
  WriteBatch nowhere;
  nowhere.Put("a", "v", 77);
  CHECK(t.db->CommitPrepared({}, "one", nowhere).code() == Code::kInvalidArgument);
  CHECK(t.Prepared() == "one+1 ");
  REQUIRE(t.db->CommitPrepared({}, "one", more).ok());
  t.Put("c", "v");
  for (int opening = 0; opening < 2; ++opening) {
    CHECK(t.Get("a") == "later");
    CHECK(t.Get("b") == "v");
    CHECK(t.Get("c") == "v");
    t.Crash();
  }
}

TEST_CASE("Prepare: the WAL of a section is kept while it is needed, and no longer") {
  Fixture t;
  const auto other = t.db->CreateColumnFamily("other", {});
  REQUIRE(other.ok());
  t.Prepare("one", "a");
  t.Put("b", "v");
  t.Flush();
  t.Put("c", "v");
  t.Flush();
  t.Put("c", "v", *other);
  t.Flush(*other);
  CHECK(t.CountFiles(".log") == 4);  // Also those in between: a prefix is deleted.
  t.Crash();
  CHECK(t.Prepared() == "one+1 ");
  CHECK(t.CountFiles(".log") == 2);  // The section's copy, and the present one.
  SUBCASE("rolled back") {
    t.Rollback("one");
    t.Put("d", "v");
    t.Flush();
    CHECK(t.CountFiles(".log") == 1);
  }
  SUBCASE("committed: until the memtable is in a table") {
    t.Commit("one");
    t.Put("d", "v", *other);
    t.Flush(*other);
    CHECK(t.CountFiles(".log") >= 3);
    t.Crash();
    CHECK(t.Get("a") == "v");
    t.Put("d", "v");
    t.Flush();
    CHECK(t.CountFiles(".log") == 1);
  }
  t.Crash();
  CHECK(t.Prepared().empty());
}

// The commit is in a WAL that the family needs, its section in an older one that no family does.
TEST_CASE("CommitPrepared: a sealed memtable keeps the WAL of the section, too") {
  Fixture t;
  const auto other = t.db->CreateColumnFamily("other", {});
  REQUIRE(other.ok());
  t.Prepare("one", "a", "v", *other);
  t.Put("b", "v");
  t.Flush();  // A new WAL begins.
  t.Commit("one");
  t.Put("b", "v");
  t.Flush();  // Nobody but `other` needs the WAL of the commit.
  t.Crash();
  CHECK(t.Get("a", *other) == "v");
}

// Nothing is flushed, which would release them.
TEST_CASE("Prepare: what is rolled back does not make the WALs exceed max_total_wal_size") {
  constexpr uint64_t kLimit = 64 << 10;
  Fixture t;
  t.options.max_total_wal_size = kLimit;
  t.Open();
  const auto work = [&] {
    for (int i = 0; i < 100; ++i) {
      t.Prepare("one", "a", std::string(4096, 'v'));
      t.Rollback("one");
    }
  };
  const auto wal_bytes = [&] {
    uint64_t bytes = 0;
    for (const auto& [name, contents] : t.FilesNow()) {
      if (name.ends_with(".log")) bytes += contents.size();
    }
    return bytes;
  };
  SUBCASE("alone") {
    work();
    CHECK(wal_bytes() < 2 * kLimit);
  }
  SUBCASE("behind one that is not decided, which keeps them until it is") {
    t.Prepare("held", "b");
    work();
    CHECK(wal_bytes() > 4 * kLimit);
    CHECK(t.CountFiles(".log") < 10);
    t.Crash();
    CHECK(t.Prepared() == "held+1 ");
    work();
    t.Commit("held");
    t.Flush();
    CHECK(t.Get("b") == "v");
    CHECK(t.CountFiles(".log") == 1);
    work();
    CHECK(wal_bytes() < 2 * kLimit);
  }
}

TEST_CASE("DB: without allow_2pc, a database with prepared transactions is only read") {
  Fixture t;
  t.Put("a", "v");
  t.Prepare("one", "b");
  t.options.allow_2pc = false;
  const Status refused = t.TryOpen(t.options);
  CHECK(refused.code() == Code::kNotSupported);
  CHECK(refused.message().find("allow_2pc") != std::string_view::npos);
  const auto reader = DB::OpenReadOnly(t.options, "db");
  REQUIRE(reader.ok());
  CHECK((*reader)->PreparedTransactions().size() == 1);
  CHECK((*(*reader)->Get({}, "a"))->view() == "v");
  CHECK_FALSE((*reader)->Get({}, "b")->has_value());
  t.options.allow_2pc = true;
  t.Open();
  CHECK(t.Prepared() == "one+1 ");
  t.Commit("one");
  // Once it is decided, anybody may.
  t.options.allow_2pc = false;
  t.Open();
  CHECK(t.Get("b") == "v");
}

// The logs of an opening that was cut short, which the next one reads as well.
std::vector<std::string> NewLogs(const Fixture::Files& before, const Fixture::Files& after) {
  std::vector<std::string> logs;
  for (const auto& [name, bytes] : after) {
    if (name.ends_with(".log") && !before.contains(name) && !bytes.empty()) logs.push_back(name);
  }
  return logs;
}

// The newest log ends within a record, and the MANIFEST knows of more sequence numbers than the
// logs: what is logged again has to continue the logs, or it seems that something is missing.
TEST_CASE("DB: openings that are cut short do not make what is prepared doubtful") {
  Fixture t;
  const auto other = t.db->CreateColumnFamily("other", {});
  REQUIRE(other.ok());
  t.Put("a", "v", *other);  // This family needs all logs.
  t.Prepare("one", "b");
  t.Prepare("two", "c");
  for (int i = 0; i < 5; ++i) {
    REQUIRE(t.db->Put({.durability = Durability::kNone}, "d", "v").ok());
  }
  t.Flush();
  Fixture::Files files = t.FilesNow();
  const auto last = std::find_if(files.rbegin(), files.rend(),
                                 [](const auto& file) { return file.first.ends_with(".log"); });
  REQUIRE(last != files.rend());
  last->second.append("\1\2\3");  // Of a record that was being written.

  const auto check = [&] {
    CHECK_EQ(t.Prepared(), "one+1 two+1 ");
    CHECK_EQ(t.Get("a", *other) + t.Get("b") + t.Get("c") + t.Get("d"), "v--v");
    t.Commit("one");
    t.Rollback("two");
    t.Crash();
    CHECK(t.Prepared().empty());
    CHECK_EQ(t.Get("a", *other) + t.Get("b") + t.Get("c") + t.Get("d"), "vv-v");
  };
  int logged = 0;
  for (int n = 1; t.Restore(files), t.CutOpening(n); ++n) {
    CAPTURE(n);
    const Fixture::Files left = t.FilesNow();
    t.Open();
    check();
    if (left.at("CURRENT") != files.at("CURRENT")) continue;
    // Again, where power loss cut what was logged, too, and the next opening is cut short as well.
    for (const std::string& log : NewLogs(files, left)) {
      ++logged;
      CAPTURE(log);
      Fixture::Files torn = left;
      torn[log].pop_back();
      for (int again = 1; t.Restore(torn), t.CutOpening(again); ++again) {
        CAPTURE(again);
        t.Open();
        check();
      }
    }
  }
  CHECK(logged > 0);
  check();
}

// A crash may undo the removal of a log that the opening before it needed no more.
TEST_CASE("DB: an opening for two-phase commits leaves out logs that families are past") {
  Fixture t;
  t.options.allow_2pc = false;
  t.Open();
  t.Put("a", "1");
  t.Put("b", "2");
  std::string log;
  const auto entries = t.fs.List("db");
  REQUIRE(entries.ok());
  for (const DirectoryEntry& entry : *entries) {
    const auto name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kWal) log = "db/" + entry.name;
  }
  auto bytes = ReadFileToString(t.fs, log, uint64_t{1} << 30);
  REQUIRE(bytes.ok());
  t.Crash();
  REQUIRE_FALSE(t.fs.Exists(log));
  t.db.reset();
  bytes->pop_back();  // As if the crash had cut the log short.
  auto file = t.fs.Create(log, /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(*bytes).ok());
  REQUIRE((*file)->Close().ok());
  t.options.allow_2pc = true;
  t.Open();
  CHECK_EQ(t.Get("b"), "2");
  CHECK_FALSE(t.fs.Exists(log));
}

TEST_CASE("DB: a family of a prepared transaction is dropped; its id is not used again") {
  Fixture t;
  const auto other = t.db->CreateColumnFamily("other", {});
  REQUIRE(other.ok());
  WriteBatch batch;
  batch.Put("a", "v");
  batch.Put("b", "v", *other);
  REQUIRE(t.db->Prepare({}, "one", batch).ok());
  REQUIRE(t.db->DropColumnFamily(*other).ok());
  t.Crash();
  const auto later = t.db->CreateColumnFamily("later", {});
  REQUIRE(later.ok());
  CHECK(*later != *other);
  t.Commit("one");
  t.Put("c", "v");
  CHECK(t.Get("a") == "v");
  CHECK(t.Get("b", *later) == "-");
  t.Crash();
  CHECK(t.Get("a") == "v");
  CHECK(t.Get("c") == "v");
}

TEST_CASE("Prepare: keys with timestamps are refused, with a commit as well") {
  Fixture t;
  ColumnFamilyOptions options;
  options.comparator = BytewiseComparatorWithU64Ts();
  const auto family = t.db->CreateColumnFamily("stamped", options);
  REQUIRE(family.ok());
  WriteBatch bare, stamped;
  bare.Put("key", "value", *family);
  stamped.PutAt("key", std::string(8, '1'), "value", *family);
  CHECK(t.db->Prepare({}, "x", bare).code() == Code::kInvalidArgument);
  CHECK(t.db->Prepare({}, "x", stamped).code() == Code::kNotSupported);
  t.Prepare("x", "plain");
  CHECK(t.db->CommitPrepared({}, "x", bare).code() == Code::kInvalidArgument);
  CHECK(t.db->CommitPrepared({}, "x", stamped).code() == Code::kNotSupported);
  CHECK(t.Prepared() == "x+1 ");
  t.Commit("x");
}

TEST_CASE("CommitPrepared: bytes that are no batch are refused") {
  Fixture t;
  t.Prepare("one", "a");
  const std::string header(12, '\0');
  CHECK(t.db->CommitPrepared({}, "one", WriteBatch(header + "garbage")).code() ==
        Code::kCorruption);
  WriteBatch mark = CommitMark("other");
  CHECK(t.db->CommitPrepared({}, "one", mark).code() == Code::kNotSupported);
  CHECK(t.Prepared() == "one+1 ");
}

TEST_CASE("Checkpoint: a copy has what is prepared") {
  Fixture t;
  t.Prepare("one", "a");
  t.Put("b", "v");
  t.Flush();
  REQUIRE(t.db->Checkpoint("copy").ok());
  t.db.reset();
  auto copy = DB::Open(t.options, "copy");
  REQUIRE(copy.ok());
  CHECK((*copy)->PreparedTransactions().size() == 1);
  REQUIRE((*copy)->CommitPrepared({}, "one").ok());
  CHECK((*(*copy)->Get({}, "a"))->view() == "v");
}

TEST_CASE("Prepare: if the section cannot be logged, nothing is prepared") {
  Fixture t;
  t.Put("a", "v");
  t.fs.set_judge([](const std::string& event) {
    return event.starts_with("append ") ? Status::IoError("broken") : Status::Ok();
  });
  WriteBatch batch;
  batch.Put("b", "v");
  CHECK(t.db->Prepare({}, "one", batch).code() == Code::kIoError);
  CHECK(t.Prepared().empty());
  t.fs.set_judge(nullptr);
  t.Crash();
  CHECK(t.Prepared().empty());
  t.Prepare("one", "b");
}

TEST_CASE("CommitPrepared: if the mark cannot be logged, it is still prepared") {
  Fixture t;
  t.Prepare("one", "a");
  t.fs.set_judge([](const std::string& event) {
    return event.starts_with("append ") ? Status::IoError("broken") : Status::Ok();
  });
  CHECK(t.db->CommitPrepared({}, "one").code() == Code::kIoError);
  CHECK(t.Prepared() == "one+1 ");
  CHECK(t.Get("a") == "-");
  t.fs.set_judge(nullptr);
  t.Crash();
  CHECK(t.Prepared() == "one+1 ");
}

// Against a model, with crashes and closings anywhere.
TEST_CASE("two-phase commits, at random") {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Fixture t;
    t.options.family.write_buffer_size = 4 << 10;
    const auto other = t.db->CreateColumnFamily("other", {});
    REQUIRE(other.ok());
    std::map<std::string, std::string> data;
    std::map<std::string, std::pair<std::string, std::string>> prepared;
    uint64_t names = 0;
    const auto key_of = [&](uint64_t n) { return std::to_string(n % 2) + "k" + std::to_string(n); };
    const auto family_of = [&](const std::string& key) {
      return key[0] == '1' ? *other : ColumnFamilyId{0};
    };
    for (int step = 0; step < 150; ++step) {
      CAPTURE(step);
      const std::string key = key_of(random() % 20);
      const std::string value = std::to_string(step) + std::string(random() % 300, 'v');
      switch (random() % 12) {
        case 0:
        case 1:
        case 2:
          t.Put(key, value, family_of(key));
          data[key] = value;
          break;
        case 3:
        case 4: {
          const std::string name = "t" + std::to_string(names++);
          t.Prepare(name, key, value, family_of(key));
          prepared[name] = {key, value};
          break;
        }
        case 5:
        case 6:
        case 7: {
          if (prepared.empty()) break;
          auto at = prepared.begin();
          std::advance(at, random() % prepared.size());
          if (random() % 3 == 0) {
            t.Rollback(at->first);
          } else {
            t.Commit(at->first);
            data[at->second.first] = at->second.second;
          }
          prepared.erase(at);
          break;
        }
        case 8:
          t.Flush(random() % 2 == 0 ? *other : 0);
          break;
        case 9:
          t.Crash();
          break;
        case 10:
          t.Open();
          break;
        default:
          REQUIRE(t.db->WaitForBackgroundWork().ok());
          break;
      }
    }
    t.Crash();
    std::string expected;
    for (const auto& [name, change] : prepared) expected += name + "+1 ";
    CHECK(t.Prepared() == expected);
    for (uint64_t n = 0; n < 20; ++n) {
      const std::string key = key_of(n);
      const auto there = data.find(key);
      CHECK(t.Get(key, family_of(key)) == (there == data.end() ? "-" : there->second));
    }
    while (!prepared.empty()) {
      t.Rollback(prepared.begin()->first);
      prepared.erase(prepared.begin());
    }
    t.Put("0last", "v");
    REQUIRE(t.db->FlushAll().ok());
    CHECK(t.CountFiles(".log") == 1);
  }
}

}  // namespace
}  // namespace varve
