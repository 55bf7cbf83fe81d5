// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_writer.h"

#include <doctest/doctest.h>

#include <memory>
#include <utility>

#include "core/fs/memory_fs.h"
#include "core/version/manifest_reader.h"
#include "tests/failing_fs.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unit/version/version_fixture.h"
#include "varve/environment.h"

namespace varve {
namespace {

FamilyState Family(ColumnFamilyId id, std::string name, const VersionEdit& files) {
  FamilyState family;
  family.id = id;
  family.name = std::move(name);
  family.comparator = BytewiseComparator();
  family.comparator_name = std::string(family.comparator->name());
  family.log_number = 11 + id;
  family.version = MakeVersion(files, *BytewiseComparator());
  return family;
}

DatabaseState SmallState() {
  DatabaseState state;
  state.counters.db_id = "an-id";
  state.counters.next_file_number = 30;
  state.counters.last_sequence = 99;
  state.counters.min_log_number_to_keep = 7;
  state.counters.max_family = 5;
  FileDescription blobs = MakeFile(12, "a", "f", 3, 9);
  blobs.oldest_blob_file = 10;
  VersionEdit files = AddFiles(0, {blobs, MakeFile(14, "b", "z", 10, 12)});
  files.new_files.push_back({4, MakeFile(8, "a", "m", 0, 0)});
  files.blob_additions.push_back({10, 4, 400, "method", "sum"});
  files.blob_garbage.push_back({10, 1, 100});
  state.families.Add(Family(0, "default", files));
  state.families.Add(Family(3, "b\xC3\xA9ta", AddFiles(1, {MakeFile(15, "k", "l")})));
  return state;
}

// The state that recovery finds in "db".
std::string Recovered(FileSystem& fs) {
  const Result<RecoveredManifest> read = ReadManifest(fs, "db", Options{}, nullptr);
  return read.ok() ? StateText(read->state) : read.status().ToString();
}

std::unique_ptr<FileSystem> EmptyDirectory() {
  auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  return fs;
}

VersionEdit Flush(FileNumber number, Sequence first, Sequence last) {
  VersionEdit edit = AddFiles(0, {MakeFile(number, "a", "z", first, last)});
  edit.last_sequence = last;
  return edit;
}

TEST_CASE("ManifestWriter: a snapshot is the state it was made of") {
  const auto fs = EmptyDirectory();
  const DatabaseState state = SmallState();
  REQUIRE(ManifestWriter::Create(*fs, "db", 20, state, {}).ok());
  CHECK_EQ(Recovered(*fs), StateText(state));
  const Result<RecoveredManifest> read = ReadManifest(*fs, "db", Options{}, nullptr);
  REQUIRE(read.ok());
  CHECK_EQ(read->number, 20);
  const BlobFileMetadata& blob = read->state.families.Find(0u)->version->blob_files()[0];
  CHECK_EQ(blob.checksum_method, "method");
  CHECK_EQ(blob.checksum_value, "sum");
}

TEST_CASE("ManifestWriter: databases of RocksDB and LevelDB survive a new MANIFEST") {
  FileSystem& fixtures = *NativeEnvironment().file_system;
  for (const char* name : {"rocksdb-7.8.3/multi_cf", "rocksdb-7.8.3/blob", "rocksdb-11.9/dbid",
                           "rocksdb-7.8.3/revcmp", "leveldb-1.23/leveldb_l0",
                           "rocksdb-7.8.3/track_wal", "rocksdb-7.8.3/udt", "hand/hand_atomic"}) {
    CAPTURE(name);
    const Result<RecoveredManifest> before =
        ReadManifest(fixtures, std::string(VARVE_FIXTURES) + "/db/" + name, Options{}, nullptr);
    REQUIRE_MESSAGE(before.ok(), before.status().ToString());
    DatabaseState state = before->state;
    const FileNumber number = state.counters.next_file_number++;
    const auto fs = EmptyDirectory();
    const auto writer = ManifestWriter::Create(*fs, "db", number, state, {});
    REQUIRE_MESSAGE(writer.ok(), writer.status().ToString());
    // A MANIFEST of ours names the highest family even where theirs did not.
    state.counters.max_family = state.HighestFamilyId();
    CHECK_EQ(Recovered(*fs), StateText(state));
  }
}

TEST_CASE("ManifestWriter: edits follow the snapshot and each other") {
  const auto fs = EmptyDirectory();
  DatabaseState state = SmallState();
  const VersionEdit pending = Flush(21, 100, 105);
  auto writer = ManifestWriter::Create(*fs, "db", 20, state, {&pending, 1});
  REQUIRE(writer.ok());
  const VersionEdit next = Flush(22, 106, 110);
  REQUIRE((*writer)->Append({&next, 1}).ok());
  const Result<RecoveredManifest> read = ReadManifest(*fs, "db", Options{}, nullptr);
  REQUIRE_MESSAGE(read.ok(), read.status().ToString());
  CHECK_EQ(read->state.families.Find(0u)->version->files(0).size(), 4);
  CHECK_EQ(read->state.counters.last_sequence, 110);
}

TEST_CASE("ManifestWriter: several edits are one atomic group") {
  const auto fs = EmptyDirectory();
  auto writer = ManifestWriter::Create(*fs, "db", 20, SmallState(), {});
  REQUIRE(writer.ok());
  const uint64_t before = (*writer)->size();
  VersionEdit edits[] = {Flush(21, 100, 105), Flush(22, 106, 110)};
  edits[1].family = 3;
  REQUIRE((*writer)->Append(edits).ok());
  const Result<std::string> bytes = ReadFileToString(*fs, "db/MANIFEST-000020", 1 << 20);
  REQUIRE(bytes.ok());
  for (uint64_t size = before; size <= bytes->size(); size++) {
    CAPTURE(size);
    WriteFile(*fs, "db/MANIFEST-000020", bytes->substr(0, size));
    const Result<RecoveredManifest> read = ReadManifest(*fs, "db", Options{}, nullptr);
    REQUIRE(read.ok());
    const bool whole = size == bytes->size();
    CHECK_EQ(read->state.families.Find(0u)->version->TotalFiles(), whole ? 4 : 3);
    CHECK_EQ(read->state.families.Find(3u)->version->TotalFiles(), whole ? 2 : 1);
  }
}

TEST_CASE("ManifestWriter: a state that breaks a rule is not written") {
  const auto fs = EmptyDirectory();
  DatabaseState low_sequence = SmallState();
  low_sequence.counters.last_sequence = 11;
  CHECK_EQ(ManifestWriter::Create(*fs, "db", 20, low_sequence, {}).status().code(),
           Code::kCorruption);
  DatabaseState twice = SmallState();
  twice.families.Add(Family(4, "other", AddFiles(1, {MakeFile(15, "k", "l")})));
  CHECK_EQ(ManifestWriter::Create(*fs, "db", 20, twice, {}).status().code(), Code::kCorruption);
  CHECK_FALSE(fs->Exists("db/MANIFEST-000020"));
  CHECK_FALSE(fs->Exists("db/CURRENT"));
}

// Rules S4 and S5: each step is on the disk before the next one relies on it.
TEST_CASE("ManifestWriter: everything is synced in the order that survives a power cut") {
  FailingFs fs(NewMemoryFileSystem());
  REQUIRE(fs.CreateDirectory("db").ok());
  auto writer = ManifestWriter::Create(fs, "db", 20, SmallState(), {});
  REQUIRE(writer.ok());
  CHECK_EQ(fs.TakeChanges(),
           "create directory db\n"
           "create db/MANIFEST-000020\n"
           "append db/MANIFEST-000020\n"
           "sync db/MANIFEST-000020\n"
           "sync directory db\n"
           "create db/000020.dbtmp\n"
           "append db/000020.dbtmp\n"
           "sync db/000020.dbtmp\n"
           "rename db/000020.dbtmp\n"
           "sync directory db\n");
  const VersionEdit edit = Flush(21, 100, 105);
  REQUIRE((*writer)->Append({&edit, 1}).ok());
  CHECK_EQ(fs.TakeChanges(), "append db/MANIFEST-000020\nsync db/MANIFEST-000020\n");
}

TEST_CASE("ManifestWriter: whichever call fails, recovery finds the old state or the new") {
  const VersionEdit edit = Flush(21, 100, 105);
  for (int fail_at = 0;; fail_at++) {
    CAPTURE(fail_at);
    FailingFs fs(NewMemoryFileSystem());
    REQUIRE(fs.CreateDirectory("db").ok());
    REQUIRE(ManifestWriter::Create(fs, "db", 19, SmallState(), {}).ok());
    const std::string before = Recovered(fs);
    fs.FailFrom(fail_at);
    auto writer = ManifestWriter::Create(fs, "db", 20, SmallState(), {&edit, 1});
    const bool injected = fs.failed();
    fs.FailFrom(FailingFs::kNever);
    CHECK_EQ(writer.ok(), !injected);
    const std::string after = Recovered(fs);
    const bool is_new = after.find("L0 21") != std::string::npos;
    CHECK((is_new || after == before));
    if (writer.ok()) CHECK(is_new);
    if (!injected) break;
    REQUIRE_LT(fail_at, 40);
  }
}

TEST_CASE("ManifestWriter: after a failed append or sync nothing is appended any more") {
  for (int fail_at = 0; fail_at < 2; fail_at++) {
    CAPTURE(fail_at);
    FailingFs fs(NewMemoryFileSystem());
    REQUIRE(fs.CreateDirectory("db").ok());
    auto writer = ManifestWriter::Create(fs, "db", 20, SmallState(), {});
    REQUIRE(writer.ok());
    fs.FailFrom(fail_at);
    const VersionEdit edit = Flush(21, 100, 105);
    CHECK_FALSE((*writer)->Append({&edit, 1}).ok());
    fs.FailFrom(FailingFs::kNever);
    CHECK((*writer)->failed());
    CHECK((*writer)->NeedsRollover(uint64_t{1} << 30));
    const uint64_t size = (*writer)->size();
    CHECK_FALSE((*writer)->Append({&edit, 1}).ok());
    CHECK_EQ((*writer)->size(), size);
    CHECK_EQ(ReadManifest(fs, "db", Options{}, nullptr)->state.families.size(), 2);
  }
}

TEST_CASE("ManifestWriter: rolls over when it outgrew its limit and its snapshot") {
  const auto fs = EmptyDirectory();
  auto writer = ManifestWriter::Create(*fs, "db", 20, SmallState(), {});
  REQUIRE(writer.ok());
  CHECK_FALSE((*writer)->NeedsRollover(1));  // All snapshot: a new one would be no smaller.
  const uint64_t snapshot = (*writer)->size();
  FileNumber number = 21;
  while ((*writer)->size() < 3 * snapshot) {
    const VersionEdit edit = Flush(number, 100 + number, 100 + number);
    REQUIRE((*writer)->Append({&edit, 1}).ok());
    number++;
  }
  CHECK((*writer)->NeedsRollover(1));
  CHECK_FALSE((*writer)->NeedsRollover(uint64_t{1} << 30));
}

}  // namespace
}  // namespace varve
