// SPDX-License-Identifier: Apache-2.0
#include "core/engine/files/file_gc.h"

#include "tests/unit/engine/engine_parts.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unit/version/version_fixture.h"

namespace varve {
namespace {

using Names = std::vector<std::string>;

struct Fixture : ContextFixture {
  void Make(const std::string& name) { WriteFile(fs, "db/" + name, "bytes"); }
  FileGc gc{context};
};

TEST_CASE("FileGc: a table goes with its last user, and not before") {
  Fixture t;
  t.Make("000007.sst");
  auto table = std::make_shared<FileMetadata>(MakeFile(7, "a", "b"));
  {
    MutexLock lock(t.context.mutex());
    t.gc.NoteObsolete(table);
  }
  t.gc.Collect();
  CHECK(t.Exists("000007.sst"));
  const auto other_user = table;
  table.reset();
  t.gc.Collect();
  CHECK(t.Exists("000007.sst"));
}

TEST_CASE("FileGc: once its last user is gone, the next collection deletes it; also an .ldb") {
  for (const char* const name : {"000007.sst", "000007.ldb"}) {
    Fixture t;
    t.Make(name);
    t.Make("000008.sst");
    auto table = std::make_shared<FileMetadata>(MakeFile(7, "a", "b"));
    {
      MutexLock lock(t.context.mutex());
      t.gc.NoteObsolete(table);
    }
    table.reset();
    CHECK(t.Exists(name));
    t.gc.Collect();
    CHECK(t.Files() == Names{"000008.sst"});
  }
}

TEST_CASE("FileGc: a blob file goes with the last Version that uses it") {
  Fixture t;
  t.Make("000007.blob");
  BlobFileMetadata blob{.number = 7, .use = std::make_shared<const BlobFileUse>()};
  {
    MutexLock lock(t.context.mutex());
    t.gc.NoteObsoleteBlob(blob);
  }
  t.gc.Collect();
  CHECK(t.Exists("000007.blob"));
  blob.use.reset();
  t.gc.Collect();
  CHECK_FALSE(t.Exists("000007.blob"));
}

TEST_CASE("FileGc: nothing is deleted while anybody holds, and all of it when the last lets go") {
  Fixture t;
  t.Make("000006.log");
  t.Make("MANIFEST-000004");
  t.Make("000007.sst");
  t.gc.Hold();
  t.gc.Hold();
  {
    MutexLock lock(t.context.mutex());
    t.gc.NoteObsoleteWal(6);
    t.gc.NoteObsoleteManifest(4);
    t.gc.NoteObsolete(std::make_shared<FileMetadata>(MakeFile(7, "a", "b")));
  }
  t.gc.Collect();
  t.gc.Release();
  CHECK_EQ(t.Files().size(), 3);
  t.gc.Release();
  CHECK(t.Files().empty());
}

TEST_CASE("FileGc: a file that cannot be deleted is nobody's error") {
  Fixture t;
  t.Make("000006.log");
  {
    MutexLock lock(t.context.mutex());
    t.gc.NoteObsoleteWal(6);
  }
  t.fs.set_judge([](const std::string&) { return Status::IoError("read-only"); });
  t.gc.Collect();
  CHECK(t.Exists("000006.log"));  // The next opening sweeps it.
}

std::string Joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

// Tables 10 (level 0) and 11 (level 6), blob file 12; logs from 20 on are needed.
DatabaseState StateToKeep(TableCache* tables) {
  VersionEdit edit = AddFiles(0, {MakeFile(10, "a", "b", 5, 5)});
  edit.new_files[0].file.oldest_blob_file = 12;
  edit.new_files.push_back({6, MakeFile(11, "a", "b")});
  edit.blob_additions.push_back(
      {.number = 12, .blobs = 1, .bytes = 100, .checksum_method = "", .checksum_value = ""});
  DatabaseState state;
  state.families.Add({.id = 0,
                      .name = "default",
                      .comparator_name = "",
                      .comparator = BytewiseComparator(),
                      .log_number = 20,
                      .full_history_ts_low = {},
                      .persist_user_timestamps = {},
                      .version = MakeVersion(edit, *BytewiseComparator(), 7, tables)});
  return state;
}

TEST_CASE("FileGc: a sweep leaves what the state needs, and what is no file of a database") {
  Fixture t;
  const Names kept = {
      "000010.sst",      "000011.ldb",     "000012.blob",    "000020.log", "000021.log",
      "CURRENT",         "IDENTITY",       "LOCK",           "LOG",        "MANIFEST-000030",
      "MANIFEST-000031", "OPTIONS-000008", "OPTIONS-000009", "notes.txt",  "photo.sst"};
  const Names swept = {"000009.sst",     "000012.sst",       "000010.blob",
                       "000019.log",     "000007.dbtmp",     "MANIFEST-000029",
                       "OPTIONS-000007", "000013.sst.trash", "anything.trash"};
  for (const Names* names : {&kept, &swept}) {
    for (const std::string& name : *names) t.Make(name);
  }
  REQUIRE(t.fs.CreateDirectory("db/000002.sst").ok());  // A directory, whatever its name.
  const DatabaseState state = StateToKeep(t.context.tables.get());
  t.gc.Sweep(state, /*manifest=*/30, *t.fs.List("db"));
  Names expected = kept;
  expected.push_back("000002.sst");
  std::sort(expected.begin(), expected.end());
  CHECK_EQ(Joined(t.Files()), Joined(expected));
}

TEST_CASE("FileGc: a sweep leaves LevelDB's previous log, and judges by the listing alone") {
  Fixture t;
  DatabaseState state = StateToKeep(t.context.tables.get());
  state.counters.prev_log_number = 17;
  t.Make("000017.log");
  t.Make("000018.log");
  const std::vector<DirectoryEntry> before = *t.fs.List("db");
  t.Make("000099.sst");  // A job's, by now.
  t.gc.Sweep(state, 30, before);
  CHECK(t.Files() == Names{"000017.log", "000099.sst"});
}

}  // namespace
}  // namespace varve
