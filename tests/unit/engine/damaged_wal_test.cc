// SPDX-License-Identifier: Apache-2.0
// Damage in the middle of a WAL: who reads is told, who writes must consent, and the log is kept.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "tests/failing_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

constexpr int kRecords = 20;

std::string Key(int i) { return "key" + std::string(i < 10 ? "0" : "") + std::to_string(i); }

// A database in memory with one WAL of kRecords puts of 100 bytes.
class Fixture {
 public:
  Fixture() : fs(NewMemoryFileSystem()) {
    options.create_if_missing = true;
    options.env = NativeEnvironment();
    options.env.file_system = fs.get();
    options.env.executor = &executor;
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    for (int i = 0; i < kRecords; ++i) {
      REQUIRE((*db)->Put({}, Key(i), std::string(100, 'v')).ok());
    }
  }

  std::map<std::string, std::string> Files() {
    std::map<std::string, std::string> files;
    const auto entries = fs->List("db");
    for (const DirectoryEntry& entry : *entries) {
      if (entry.is_directory) continue;
      files[entry.name] = *ReadFileToString(*fs, "db/" + entry.name, 1 << 20);
    }
    return files;
  }
  std::string Wal() {
    for (const auto& [name, bytes] : Files()) {
      if (name.ends_with(".log")) return name;
    }
    return "";
  }
  void Change(const std::string& name, const std::function<void(std::string*)>& how) {
    std::string bytes = *ReadFileToString(*fs, "db/" + name, 1 << 20);
    how(&bytes);
    auto file = fs->Create("db/" + name, false);
    REQUIRE((*file)->Append(bytes).ok());
  }
  // A bit in the middle of the log.
  void Damage() {
    Change(Wal(), [](std::string* bytes) { (*bytes)[bytes->size() / 2] ^= 1; });
  }
  static int Count(DB& db) {
    int count = 0;
    auto it = db.NewIterator({});
    REQUIRE(it.ok());
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    REQUIRE(it->status().ok());
    return count;
  }

  std::unique_ptr<FileSystem> fs;
  InlineExecutor executor;
  Options options;
};

TEST_CASE("Damaged WAL: writing is refused, with the place, and nothing is changed") {
  Fixture t;
  t.Damage();
  const std::string wal = t.Wal();
  const auto before = t.Files();
  t.options.family.write_buffer_size = 512;  // Tables are written on the way to the damage.
  RecoveryReport report;
  const Status refused = DB::Open(t.options, "db", &report).status();
  CHECK(refused.code() == Code::kCorruption);
  CHECK(refused.message().find(wal + "@") != std::string::npos);
  CHECK(refused.message().find("accept_loss") != std::string::npos);
  CHECK(report.damaged());
  CHECK(t.Files() == before);
  t.options.family.blobs.enabled = true;  // Blob files as well.
  CHECK(DB::Open(t.options, "db").status().code() == Code::kCorruption);
  CHECK(t.Files() == before);
}

TEST_CASE("Damaged WAL: a reader gets the records before the damage, and a report") {
  Fixture t;
  t.Damage();
  const auto before = t.Files();
  auto db = DB::OpenReadOnly(t.options, "db");
  REQUIRE(db.ok());
  CHECK((*db)->recovery().damaged());
  CHECK(Fixture::Count(**db) == kRecords / 2);
  db->reset();
  CHECK(t.Files() == before);
}

TEST_CASE("Damaged WAL: with consent it is left out, and the log is kept as it was") {
  Fixture t;
  t.Damage();
  const std::string wal = t.Wal();
  const std::string bytes = t.Files()[wal];
  t.options.accept_loss = true;
  RecoveryReport report;
  {
    auto db = DB::Open(t.options, "db", &report);
    REQUIRE_MESSAGE(db.ok(), db.status().ToString());
    CHECK(report.damaged());
    CHECK(Fixture::Count(**db) == kRecords / 2);
    REQUIRE((*db)->Put({}, "more", "1").ok());
  }
  CHECK(*ReadFileToString(*t.fs, "db/lost/" + wal, 1 << 20) == bytes);
  CHECK_FALSE(t.fs->Exists("db/" + wal));
  t.options.accept_loss = false;
  auto db = DB::Open(t.options, "db", &report);
  REQUIRE(db.ok());
  CHECK(report.losses.empty());
  CHECK(Fixture::Count(**db) == kRecords / 2 + 1);
}

TEST_CASE("Damaged WAL: the log is kept even if the opening that was allowed to drop it fails") {
  // The process dies at each change: what follows does not happen.
  for (int changes = 0;; ++changes) {
    CAPTURE(changes);
    Fixture t;
    t.Damage();
    const std::string wal = t.Wal();
    const std::string bytes = t.Files()[wal];
    t.options.accept_loss = true;
    FailingFs dying(*t.fs);
    dying.FailFrom(changes);
    Options options = t.options;
    options.env.file_system = &dying;
    DB::Open(options, "db").status().Ignore("it may die before or after it is open");
    const auto kept = ReadFileToString(*t.fs, "db/lost/" + wal, 1 << 20);
    const auto there = ReadFileToString(*t.fs, "db/" + wal, 1 << 20);
    CHECK(((kept.ok() && *kept == bytes) || (there.ok() && *there == bytes)));
    if (!dying.failed()) break;
    REQUIRE_LT(changes, 200);
  }
}

TEST_CASE("Damaged WAL: a torn tail needs no consent, also in preallocated space") {
  for (const size_t zeros : {0, 5, 100, 100000}) {
    CAPTURE(zeros);
    Fixture t;
    t.Change(t.Wal(), [&](std::string* bytes) {
      bytes->resize(bytes->size() - 30);
      bytes->append(zeros, '\0');
    });
    RecoveryReport report;
    auto db = DB::Open(t.options, "db", &report);
    REQUIRE_MESSAGE(db.ok(), db.status().ToString());
    CHECK_FALSE(report.damaged());
    CHECK(report.losses.size() == 1);
    CHECK(Fixture::Count(**db) == kRecords - 1);
  }
}

TEST_CASE("Damaged WAL: zeros in the middle of a log are damage, not its end") {
  Fixture t;
  t.Change(t.Wal(), [](std::string* bytes) {
    std::fill_n(bytes->begin() + static_cast<ptrdiff_t>(bytes->size() / 2), 512, '\0');
  });
  CHECK(DB::Open(t.options, "db").status().code() == Code::kCorruption);
  auto db = DB::OpenReadOnly(t.options, "db");
  REQUIRE(db.ok());
  CHECK((*db)->recovery().damaged());
}

TEST_CASE("Damaged MANIFEST: a wrong length does not swallow the records behind it") {
  Fixture t;
  std::string manifest;
  {
    auto db = DB::Open(t.options, "db");
    REQUIRE(db.ok());
    REQUIRE((*db)->Put({}, "flushed", "1").ok());
    REQUIRE((*db)->FlushAll().ok());
    REQUIRE((*db)->Put({}, "flushed later", "1").ok());
    REQUIRE((*db)->FlushAll().ok());
  }
  for (const auto& [name, bytes] : t.Files()) {
    if (name.starts_with("MANIFEST")) manifest = name;
  }
  // The high byte of the second record's length.
  t.Change(manifest, [](std::string* bytes) {
    const size_t first = 7 + static_cast<uint8_t>((*bytes)[4]) +
                         256 * static_cast<size_t>(static_cast<uint8_t>((*bytes)[5]));
    (*bytes)[first + 5] = 0x7f;
  });
  const Status opened = DB::Open(t.options, "db").status();
  CHECK(opened.code() == Code::kCorruption);
  CHECK(opened.message().find("a whole record of this log follows") != std::string::npos);
}

}  // namespace
}  // namespace varve
