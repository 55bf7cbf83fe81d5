// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/verify.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/fs/memory_fs.h"
#include "core/inspect/table/table_report.h"
#include "tests/test_files.h"
#include "tests/unit/engine/watched_fs.h"
#include "tests/unreadable_fs.h"
#include "varve/db.h"
#include "varve/environment.h"

namespace varve {
namespace {

const std::string kFixtures = VARVE_FIXTURES;

std::string ReadFixture(const std::string& path) {
  return ReadFile(*NativeEnvironment().file_system, kFixtures + path);
}

// All entries as text, or "" if they cannot be read to the end.
std::string Contents(FileSystem& fs, const std::string& path) {
  Result<EntryStream> stream = EntryStream::OpenTable(fs, path, {});
  if (!stream.ok()) return "";
  std::string text;
  StoredEntry entry;
  while (stream->Next(&entry)) {
    text += std::string(entry.key) + "@" + std::to_string(entry.sequence) +
            std::string(entry.type) + "=" + std::string(entry.value) + "\n";
  }
  return stream->status().ok() ? text : "";
}

TEST_CASE("VerifyTable: a flipped bit anywhere is found, or changes no entry") {
  for (const std::string name : {"r78_tiny.sst", "r119_part_filter_fv7_decoupled.sst"}) {
    CAPTURE(name);
    const std::string good = ReadFixture("/sst/" + name);
    const auto fs_owner = NewMemoryFileSystem();
    FileSystem& fs = *fs_owner;
    WriteFile(fs, "t", good);
    const std::string expected = Contents(fs, "t");
    REQUIRE_FALSE(expected.empty());
    uint64_t harmless = 0, unlocated = 0;
    for (size_t at = 0; at < good.size(); at += good.size() > 4000 ? 7 : 1) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
      WriteFile(fs, "t", bad);
      const Result<VerifyReport> report = VerifyTable(fs, "t", nullptr);
      REQUIRE(report.ok());
      if (report->clean()) {
        ++harmless;
        CAPTURE(at);
        REQUIRE(Contents(fs, "t") == expected);
      } else {
        unlocated += report->findings[0].file != "t";
      }
    }
    CHECK(unlocated == 0);
    CHECK(harmless < good.size() / 20);  // Padding of the footer.
  }
}

TEST_CASE("Verification: a table is verified in steps, and stops when it is told to") {
  const auto fs = NewMemoryFileSystem();
  WriteFile(*fs, "t", ReadFixture("/sst/r119_superalign.sst"));
  const auto whole = VerifyTable(*fs, "t", nullptr);
  REQUIRE(whole.ok());
  REQUIRE(whole->blocks > 100);

  const auto stepped = NewTableVerification(*fs, "t", nullptr);
  int steps = 1;
  for (; *stepped->Step(); ++steps) CHECK(stepped->report().blocks < whole->blocks);
  CHECK(steps >= 4);
  CHECK(stepped->report().blocks == whole->blocks);
  CHECK(stepped->report().clean());

  // What was not read is no finding.
  int looks = 0;
  const auto stopped = VerifyTable(*fs, "t", [&](const VerifyProgress&) { return ++looks < 10; });
  REQUIRE(stopped.ok());
  CHECK(stopped->blocks < whole->blocks);
  CHECK(stopped->findings.empty());
}

TEST_CASE("VerifyTable: a cut file is found at every length") {
  const std::string good = ReadFixture("/sst/r78_tiny.sst");
  const auto fs_owner = NewMemoryFileSystem();
  FileSystem& fs = *fs_owner;
  for (size_t size = 0; size < good.size(); ++size) {
    WriteFile(fs, "t", std::string_view(good).substr(0, size));
    const Result<VerifyReport> report = VerifyTable(fs, "t", nullptr);
    REQUIRE(report.ok());
    CHECK_FALSE(report->clean());
  }
}

// A copy of a golden database in memory.
void CopyDatabase(const std::string& fixture, FileSystem& to) {
  CopyFiles(*NativeEnvironment().file_system, kFixtures + fixture, to, "db");
}

TEST_CASE("VerifyDatabase: every sound golden directory is clean") {
  FileSystem& fs = *NativeEnvironment().file_system;
  int clean = 0, not_checked = 0;
  for (const std::string group : {"rocksdb-7.8.3", "rocksdb-11.9", "leveldb-1.23", "hand"}) {
    const auto entries = fs.List(kFixtures + "/db/" + group);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      const std::string name = group + "/" + entry.name;
      CAPTURE(name);
      const auto report = VerifyDatabase(fs, kFixtures + "/db/" + name, nullptr);
      REQUIRE_MESSAGE(report.ok(), report.status().ToString());
      CHECK(report->Count(Finding::Severity::kError) == 0);
      (report->clean() ? clean : not_checked)++;
    }
  }
  CHECK(clean >= 30);
  // Write-prepared, several paths, user timestamps.
  CHECK(not_checked == 5);
}

TEST_CASE("VerifyDatabase: damage is located and says which keys it may lose") {
  const auto fs_owner = NewMemoryFileSystem();
  FileSystem& fs = *fs_owner;
  CopyDatabase("/db/rocksdb-7.8.3/cursor", fs);
  const auto entries = fs.List("db");
  REQUIRE(entries.ok());
  std::string table;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name.ends_with(".sst")) table = entry.name;
  }
  SUBCASE("a missing table") {
    REQUIRE(fs.Remove("db/" + table).ok());
    const auto report = VerifyDatabase(fs, "db", nullptr);
    REQUIRE(report.ok());
    REQUIRE(report->findings.size() == 1);
    CHECK(report->findings[0].file == table);
    CHECK(report->findings[0].what == "is missing");
    CHECK(report->findings[0].key_from.has_value());
  }
  SUBCASE("a damaged data block") {
    auto bytes = ReadFileToString(fs, "db/" + table, 1 << 20);
    REQUIRE(bytes.ok());
    (*bytes)[10] = static_cast<char>((*bytes)[10] ^ 1);
    WriteFile(fs, "db/" + table, *bytes);
    const auto report = VerifyDatabase(fs, "db", nullptr);
    REQUIRE(report.ok());
    REQUIRE_FALSE(report->findings.empty());
    CHECK(report->findings[0].file == table);
    CHECK(report->findings[0].offset == 0);
    CHECK(report->findings[0].what.find("checksum") != std::string::npos);
    CHECK(report->findings[0].key_to.has_value());
  }
  SUBCASE("a table that does not open loses all its keys") {
    auto bytes = ReadFileToString(fs, "db/" + table, 1 << 20);
    REQUIRE(bytes.ok());
    bytes->back() = 'x';
    WriteFile(fs, "db/" + table, *bytes);
    const auto report = VerifyDatabase(fs, "db", nullptr);
    REQUIRE(report.ok());
    REQUIRE_FALSE(report->findings.empty());
    const Finding& footer = report->findings.back();
    CHECK(footer.layer == "footer");
    CHECK(footer.offset >= bytes->size() - 53);
    CHECK(footer.key_from.has_value());
    CHECK(footer.key_to.has_value());
  }
  SUBCASE("a table swapped for another") {
    std::string other;
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(".sst") && entry.name != table) other = entry.name;
    }
    const auto bytes = ReadFileToString(fs, "db/" + other, 1 << 20);
    WriteFile(fs, "db/" + table, *bytes);
    const auto report = VerifyDatabase(fs, "db", nullptr);
    REQUIRE(report.ok());
    CHECK_FALSE(report->clean());
  }
}

TEST_CASE("VerifyDatabase: damage inside a recycled log is told from its previous life") {
  const auto fs_owner = NewMemoryFileSystem();
  FileSystem& fs = *fs_owner;
  CopyDatabase("/db/rocksdb-7.8.3/recycle_tail", fs);
  const auto sound = VerifyDatabase(fs, "db", nullptr);
  REQUIRE(sound.ok());
  CHECK(sound->clean());
  REQUIRE(sound->findings.size() == 1);  // Where the records of the previous life begin.
  const std::string log = sound->findings[0].file;
  REQUIRE(sound->findings[0].offset > 100);

  std::string bytes = *ReadFileToString(fs, "db/" + log, 1 << 20);
  bytes[20] = static_cast<char>(bytes[20] ^ 1);
  WriteFile(fs, "db/" + log, bytes);
  const auto damaged = VerifyDatabase(fs, "db", nullptr);
  REQUIRE(damaged.ok());
  REQUIRE(damaged->Count(Finding::Severity::kError) == 1);
  CHECK(damaged->findings[0].file == log);
  CHECK(damaged->findings[0].offset == 0);
  CHECK(damaged->findings[0].what.find("a whole record of this log follows") != std::string::npos);
}

TEST_CASE("VerifyDatabase: a log that is missing leaves a gap in the sequences") {
  const auto report = VerifyDatabase(*NativeEnvironment().file_system,
                                     kFixtures + "/db/damaged/missing_wal5", nullptr);
  REQUIRE(report.ok());
  REQUIRE_FALSE(report->findings.empty());
  CHECK(report->findings[0].what.find("are in none of the logs") != std::string::npos);
}

TEST_CASE("VerifyDatabase: OPTIONS and IDENTITY are held against the MANIFEST") {
  const auto fs_owner = NewMemoryFileSystem();
  FileSystem& fs = *fs_owner;
  CopyDatabase("/db/rocksdb-7.8.3/dbid", fs);
  WriteFile(fs, "db/IDENTITY", "somebody else");
  WriteFile(
      fs, "db/OPTIONS-009999",
      "[DBOptions]\n[CFOptions \"default\"]\n  comparator=rocksdb.ReverseBytewiseComparator\n");
  const auto report = VerifyDatabase(fs, "db", nullptr);
  REQUIRE(report.ok());
  REQUIRE(report->findings.size() == 2);
  CHECK(report->findings[0].file == "OPTIONS-009999");
  CHECK(report->findings[0].offset == 34);  // The line of the comparator.
  CHECK(report->findings[1].file == "IDENTITY");
}

TEST_CASE("VerifyDatabase: blob files are read to the end") {
  const auto fs_owner = NewMemoryFileSystem();
  FileSystem& fs = *fs_owner;
  CopyDatabase("/db/rocksdb-7.8.3/blob", fs);
  const auto sound = VerifyDatabase(fs, "db", nullptr);
  REQUIRE(sound.ok());
  CHECK(sound->clean());
  const auto entries = fs.List("db");
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.name.ends_with(".blob")) continue;
    std::string bytes = *ReadFileToString(fs, "db/" + entry.name, 1 << 20);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    WriteFile(fs, "db/" + entry.name, bytes);
  }
  const auto damaged = VerifyDatabase(fs, "db", nullptr);
  REQUIRE(damaged.ok());
  CHECK_FALSE(damaged->clean());
  // The table's entry that leads there is named, too.
  const auto blob = std::find_if(damaged->findings.begin(), damaged->findings.end(),
                                 [](const Finding& finding) { return finding.layer == "blob"; });
  REQUIRE(blob != damaged->findings.end());
  CHECK(blob->offset.has_value());
}

TEST_CASE("VerifyDatabase: blob files that cannot be opened are not damaged") {
  UnreadableFs fs;
  fs.Refuse(".blob");
  CopyDatabase("/db/rocksdb-7.8.3/blob", fs);
  const auto report = VerifyDatabase(fs, "db", nullptr);
  REQUIRE(report.ok());
  CHECK_GT(report->findings.size(), 1);
  CHECK(report->worst() == Finding::Severity::kUnreadable);
  // Each file once, and once for each table that leads there.
  CHECK_LT(report->findings.size(), 20);
}

// Somebody writes to the database: he lets go of all tables and blob files there are as one of the
// latter is about to be opened for the first time.
class BlobsLetGo final : public WatchedFs {
 public:
  explicit BlobsLetGo(bool tables_are_readable) : tables_are_readable_(tables_are_readable) {
    CopyDatabase("/db/rocksdb-7.8.3/blob", base());
    Options options;
    options.env.file_system = &base();
    auto opened = DB::Open(options, "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    writer_ = *std::move(opened);
  }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (!gone_ && !tables_are_readable_ && path.ends_with(".sst")) {
      return Status::IoError(path + ": open: Permission denied");
    }
    if (!gone_ && path.ends_with(".blob")) {
      gone_ = true;
      WriteBatch batch;
      batch.DeleteRange("", "\xff\xff");
      REQUIRE(writer_->Write({}, std::move(batch)).ok());
      REQUIRE(writer_->Put({}, "later", "in a table").ok());
      REQUIRE(writer_->CompactRange({.force_bottommost = true}, {}, {}).ok());
      REQUIRE_FALSE(base().Exists(path));
    }
    return WatchedFs::OpenForRead(path, direct);
  }
  bool gone() const { return gone_; }

 private:
  const bool tables_are_readable_;
  std::unique_ptr<DB> writer_;
  bool gone_ = false;
};

TEST_CASE("VerifyDatabase: beside a writer no blob file is missing that nothing needs any more") {
  // One is missing to a table's value, or to the list of them.
  for (const bool tables_are_readable : {true, false}) {
    CAPTURE(tables_are_readable);
    BlobsLetGo fs(tables_are_readable);
    const auto report = VerifyDatabase(fs, "db", nullptr);
    REQUIRE(report.ok());
    CHECK(fs.gone());
    for (const Finding& finding : report->findings) {
      CAPTURE(finding.file);
      CAPTURE(finding.what);
      CHECK(finding.severity ==
            (tables_are_readable ? Finding::Severity::kWarning : Finding::Severity::kUnreadable));
    }
    const auto after = VerifyDatabase(fs, "db", nullptr);
    REQUIRE(after.ok());
    CHECK(after->entries == 1);
    CHECK(report->entries >= after->entries);  // The new table was read, too.
  }
}

TEST_CASE("VerifyDatabase: a flipped bit in CURRENT or the MANIFEST is found") {
  const auto fs_owner = NewMemoryFileSystem();
  FileSystem& fs = *fs_owner;
  CopyDatabase("/db/rocksdb-7.8.3/multi_cf", fs);
  const auto entries = fs.List("db");
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name != "CURRENT" && !entry.name.starts_with("MANIFEST-")) continue;
    CAPTURE(entry.name);
    const std::string good = *ReadFileToString(fs, "db/" + entry.name, 1 << 20);
    for (size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x10);
      WriteFile(fs, "db/" + entry.name, bad);
      const auto report = VerifyDatabase(fs, "db", nullptr);
      REQUIRE(report.ok());
      CAPTURE(at);
      // A wrong length that ends the file early looks like a write that was cut short, unless
      // whole records follow: then it is an error, else a warning.
      CHECK_FALSE(report->findings.empty());
      if (at + 600 < good.size()) CHECK_FALSE(report->clean());
    }
    WriteFile(fs, "db/" + entry.name, good);
  }
}

}  // namespace
}  // namespace varve
