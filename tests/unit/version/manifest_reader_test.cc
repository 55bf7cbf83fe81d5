// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_reader.h"

#include <doctest/doctest.h>

#include "core/format/file_name.h"
#include "core/fs/memory_fs.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unit/version/version_fixture.h"
#include "varve/environment.h"

namespace varve {
namespace {

const std::string kFixtures = VARVE_FIXTURES;
const std::string kSnapshots = kFixtures + "/../snapshot/manifest";

std::string ReadAll(const std::string& path) {
  Result<std::string> bytes =
      ReadFileToString(*NativeEnvironment().file_system, path, uint64_t{1} << 24);
  REQUIRE_MESSAGE(bytes.ok(), bytes.status().ToString());
  return *std::move(bytes);
}

// What the snapshots show of a directory; they were made with an independent decoder.
std::string Describe(const std::string& maker, const std::string& name) {
  const std::string directory = kFixtures + "/db/" + maker + "/" + name;
  const Result<RecoveredManifest> manifest =
      ReadManifest(*NativeEnvironment().file_system, directory, Options{}, nullptr);
  if (!manifest.ok()) {
    CHECK_EQ(manifest.status().code(), Code::kCorruption);
    return "corrupt\n";
  }
  const bool leveldb = maker.starts_with("leveldb");
  return "edits " + std::to_string(manifest->edits) + "  " + StateText(manifest->state, !leveldb);
}

TEST_CASE("ReadManifest: the databases of RocksDB and LevelDB as another decoder sees them") {
  FileSystem& fs = *NativeEnvironment().file_system;
  int compared = 0;
  const auto makers = fs.List(kFixtures + "/db");
  REQUIRE(makers.ok());
  for (const DirectoryEntry& maker : *makers) {
    const auto names = fs.List(kFixtures + "/db/" + maker.name);
    if (!names.ok()) continue;
    for (const DirectoryEntry& name : *names) {
      const std::string snapshot = kSnapshots + "/" + maker.name + "-" + name.name + ".txt";
      if (!fs.Exists(snapshot)) continue;
      CAPTURE(maker.name);
      CAPTURE(name.name);
      CHECK_EQ(Describe(maker.name, name.name), ReadAll(snapshot));
      compared++;
    }
  }
  CHECK_GE(compared, 47);
}

TEST_CASE("ReadCurrent: anything but exactly a name and a newline is corruption") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  CHECK_EQ(ReadCurrent(*fs, "db").status().code(), Code::kNotFound);
  WriteFile(*fs, "db/MANIFEST-000005", "");
  WriteFile(*fs, "db/CURRENT", "MANIFEST-000005\n");
  const Result<FileNumber> number = ReadCurrent(*fs, "db");
  REQUIRE(number.ok());
  CHECK_EQ(*number, 5);
  for (const char* wrong : {"MANIFEST-000005", "", "\n", "MANIFEST-000005\n\n", "MANIFEST-\n",
                            "000005.sst\n", "MANIFEST-000006\n", "MANIFEST-000005\r\n"}) {
    CAPTURE(wrong);
    WriteFile(*fs, "db/CURRENT", wrong);
    CHECK_EQ(ReadCurrent(*fs, "db").status().code(), Code::kCorruption);
  }
}

TEST_CASE("ReadManifest: cut anywhere, the last whole record stands") {
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(WithCounters(AddFiles(0, {MakeFile(4, "a", "c", 1, 5)}), 10));
  image.Append(WithCounters(AddFiles(0, {MakeFile(5, "a", "c", 6, 9)}), 20));
  for (uint64_t size = 0; size <= image.bytes().size(); size++) {
    CAPTURE(size);
    const Result<RecoveredManifest> read = image.Read(image.bytes().substr(0, size));
    const size_t whole = image.RecordsWithin(size);
    REQUIRE_EQ(read.ok(), whole >= 1);
    if (whole == 0) continue;
    CHECK_EQ(read->edits, whole);
    CHECK_EQ(read->state.families.Find(0u)->version->TotalFiles(), whole - 1);
    CHECK_EQ(read->torn_bytes, size - (whole == 0 ? 0 : image.end_of(whole - 1)));
  }
}

// RocksDB's snapshot of a MANIFEST that is rolled over has neither counter; the edit that comes
// next has both, whatever it is about.
TEST_CASE("ReadManifest: the edit that drops a family may be the one that has the counters") {
  ManifestImage image;
  VersionEdit log;
  log.log_number = 5;
  image.Append(log);
  VersionEdit add;
  add.family = 1;
  add.add_family = "dropped";
  image.Append(add);
  CHECK_EQ(image.Read().status().code(), Code::kCorruption);
  VersionEdit drop;
  drop.family = 1;
  drop.drop_family = true;
  drop.next_file_number = 12;
  drop.last_sequence = 7;
  image.Append(drop);
  const Result<RecoveredManifest> read = image.Read();
  REQUIRE_MESSAGE(read.ok(), read.status().ToString());
  CHECK_EQ(read->state.counters.next_file_number, 12);
  CHECK_EQ(read->state.counters.last_sequence, 7);
}

TEST_CASE("ReadManifest: a flipped bit is corruption or an unfinished tail, never another state") {
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(WithCounters(AddFiles(0, {MakeFile(4, "a", "c", 1, 5)}), 10));
  image.Append(WithCounters(AddFiles(0, {MakeFile(5, "a", "c", 6, 9)}), 20));
  for (size_t at = 0; at < image.bytes().size() * 8; at++) {
    CAPTURE(at);
    std::string damaged = image.bytes();
    damaged[at / 8] = static_cast<char>(damaged[at / 8] ^ (1 << (at % 8)));
    const Result<RecoveredManifest> read = image.Read(damaged);
    if (!read.ok()) {
      CHECK_EQ(read.status().code(), Code::kCorruption);
      CHECK_NE(read.status().message().find("MANIFEST-000009"), std::string_view::npos);
    } else {
      CHECK_GT(read->torn_bytes, 0);      // A length that now runs past the end:
      CHECK_GE(at / 8, image.end_of(1));  // of the last record, or those behind it would show.
    }
  }
}

TEST_CASE("ReadManifest: the three counters must all be there") {
  for (int missing = 0; missing < 3; missing++) {
    VersionEdit edit = Counters(9, 10, 0);
    if (missing == 0) edit.log_number.reset();
    if (missing == 1) edit.next_file_number.reset();
    if (missing == 2) edit.last_sequence.reset();
    ManifestImage image;
    image.Append(edit);
    CHECK_EQ(image.Read().status().code(), Code::kCorruption);
  }
}

TEST_CASE(
    "ReadManifest: a table above LastSequence is corruption, above NextFileNumber it is not") {
  ManifestImage image;
  image.Append(Counters(9, 10, 4));
  image.Append(AddFiles(0, {MakeFile(40, "a", "c", 1, 4)}));
  const Result<RecoveredManifest> read = image.Read();
  REQUIRE_MESSAGE(read.ok(), read.status().ToString());
  CHECK_EQ(read->state.counters.next_file_number, 41);

  image.Append(AddFiles(0, {MakeFile(41, "a", "c", 5, 6)}));
  CHECK_NE(image.Read().status().message().find("table 41"), std::string_view::npos);
}

// Reads a MANIFEST that ends in `edit`: kCorruption, at that edit, with these words in the message.
void ExpectRefused(const VersionEdit& edit, const std::string& words) {
  CAPTURE(words);
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(edit);
  const Status read = image.Read().status();
  CHECK_EQ(read.code(), Code::kCorruption);
  const std::string where = "MANIFEST-000009@" + std::to_string(image.end_of(0)) + ": ";
  CHECK_MESSAGE(read.message().find(where) != std::string_view::npos, read.ToString());
  CHECK_MESSAGE(read.message().find(words) != std::string_view::npos, read.ToString());
}

TEST_CASE("ReadManifest: a log number beyond NextFileNumber is corruption") {
  VersionEdit keep;
  keep.min_log_number_to_keep = 11;
  ExpectRefused(keep, "MinLogNumberToKeep is 11, beyond the next file number, 10");
  ExpectRefused(Counters(11, 10, 0), "default is 11, beyond the next file number, 10");
  // Up to it nothing is hidden: the next log has that number.
  keep.min_log_number_to_keep = 10;
  for (const VersionEdit& fine : {keep, Counters(10, 10, 0), Counters(11, 12, 0)}) {
    ManifestImage image;
    image.Append(Counters(9, 10, 0));
    image.Append(fine);
    const Status read = image.Read().status();
    CHECK_MESSAGE(read.ok(), read.ToString());
  }
}

TEST_CASE("ReadManifest: numbers that cannot be counted on from are corruption") {
  constexpr uint64_t kTooLarge = uint64_t{1} << 62;
  VersionEdit edit;
  edit.next_file_number = kTooLarge;
  ExpectRefused(edit, "NextFileNumber is 4611686018427387904");
  edit.next_file_number = ~uint64_t{0};
  ExpectRefused(edit, "NextFileNumber is 18446744073709551615");
  edit = Counters(kTooLarge, 10, 0);
  ExpectRefused(edit, "LogNumber is");
  edit = {};
  edit.min_log_number_to_keep = ~uint64_t{0};
  ExpectRefused(edit, "MinLogNumberToKeep is");
  edit = {};
  edit.prev_log_number = kTooLarge;
  ExpectRefused(edit, "PrevLogNumber is");
  edit = AddFiles(0, {MakeFile(kTooLarge, "a", "c", 0, 0)});
  ExpectRefused(edit, "number of a table is");
  edit = AddFiles(0, {MakeFile(4, "a", "c", 0, 0)});
  edit.new_files.front().file.epoch = ~uint64_t{0};
  ExpectRefused(edit, "epoch of a table is");
  edit = {};
  edit.blob_additions.emplace_back().number = kTooLarge;
  ExpectRefused(edit, "number of a blob file is");

  VersionEdit fine;
  fine.next_file_number = kTooLarge - 1;
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(fine);
  CHECK_EQ(image.Read()->state.counters.next_file_number, kTooLarge - 1);
}

}  // namespace
}  // namespace varve
