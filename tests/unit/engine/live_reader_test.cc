// SPDX-License-Identifier: Apache-2.0
// Opening a database for reading while somebody else writes it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/version/manifest_reader.h"
#include "core/version/manifest_writer.h"
#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

// Somebody may hold the lock, and the first listings may come too late for a table.
class LiveFs final : public WatchedFs {
 public:
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    auto entries = WatchedFs::List(directory);
    tables_are_gone = listings_without_tables > 0;
    if (entries.ok() && tables_are_gone) {
      --listings_without_tables;
      std::erase_if(*entries, [](const DirectoryEntry& e) { return e.name.ends_with(".sst"); });
    }
    return entries;
  }
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (tables_are_gone && path.ends_with(".sst")) return Status::NotFound(path);
    return WatchedFs::OpenForRead(path, direct);
  }
  bool IsLocked(const std::string&) override { return live && looks_before_live-- <= 0; }

  int listings_without_tables = 0;
  int looks_before_live = 0;     // The writer starts then.
  bool tables_are_gone = false;  // Since the last listing.
  bool live = false;
};

TEST_CASE("Reading a live database: a table that is deleted during the opening is not damage") {
  LiveFs fs;
  Options options = OptionsOn(&fs);
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    REQUIRE((*db)->Put({}, "key", "value").ok());
    REQUIRE((*db)->Flush().ok());
  }
  const auto code_of = [&](bool live, int listings) {
    fs.live = live;
    fs.listings_without_tables = listings;
    const auto db = DB::OpenReadOnly(options, "db");
    return db.ok() ? Code::kOk : db.status().code();
  };
  CHECK_EQ(code_of(true, 0), Code::kOk);
  CHECK_EQ(code_of(true, 3), Code::kOk);
  CHECK_EQ(code_of(true, std::numeric_limits<int>::max()), Code::kCorruption);
  CHECK_EQ(code_of(false, 3), Code::kCorruption);
}

TEST_CASE("Reading a live database: tables that the writer removes are kept open, all of them") {
  LiveFs fs;
  Options options = OptionsOn(&fs);
  options.block_cache_bytes = 0;
  options.max_open_files = 1;
  options.family.disable_auto_compactions = true;
  auto writer = DB::Open(options, "db");
  REQUIRE(writer.ok());
  for (const char* key : {"a", "b", "c"}) {
    REQUIRE((*writer)->Put({}, key, "value").ok());
    REQUIRE((*writer)->Put({}, "d", key).ok());  // They overlap: no trivial move.
    REQUIRE((*writer)->Flush().ok());
  }
  fs.live = true;
  SUBCASE("of one that was there") {}
  SUBCASE("of one that has started when the files were read") { fs.looks_before_live = 1; }
  auto reader = DB::OpenReadOnly(options, "db");
  REQUIRE(reader.ok());
  CHECK(fs.looks_before_live < 0);
  REQUIRE((*writer)->CompactRange({}, {}, {}).ok());
  for (const char* key : {"a", "b", "c"}) {
    const auto value = (*reader)->Get({}, key);
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    CHECK(value->has_value());
  }
}

// Whenever a reader has opened a table, the writer replaces the next one.
class ReplacingFs final : public WatchedFs {
 public:
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    auto file = WatchedFs::OpenForRead(path, direct);
    if (!file.ok() || !path.ends_with(".sst") || replace_next == nullptr || replacing) return file;
    opened.insert(path);
    replacing = true;
    replace_next(static_cast<int>(opened.size()));
    replacing = false;
    return file;
  }
  bool IsLocked(const std::string&) override { return true; }

  std::function<void(int opened)> replace_next;
  std::set<std::string> opened;  // By the reader.
  bool replacing = false;
};

TEST_CASE("Reading a live database: tables that go one after the other while they are opened") {
  constexpr int kTables = 60;
  ReplacingFs fs;
  Options options = OptionsOn(&fs);
  options.family.disable_auto_compactions = true;
  options.family.target_file_size_base = 512;
  options.family.table.compression = CompressionType::kNone;
  auto writer = DB::Open(options, "db");
  REQUIRE(writer.ok());
  const auto key_of = [](int i) { return std::to_string(100 + i); };
  const std::string value(1000, 'v');  // Each has its table.
  for (int i = 0; i < kTables; ++i) {
    REQUIRE((*writer)->Put({}, key_of(i), value).ok());
    REQUIRE((*writer)->Flush().ok());
  }
  REQUIRE((*writer)->CompactRange({.force_bottommost = true}, {}, {}).ok());
  fs.replace_next = [&](int opened) {
    if (opened == kTables) return;
    const std::string key = key_of(opened);
    REQUIRE((*writer)->CompactRange({.force_bottommost = true}, key, key).ok());
  };
  auto reader = DB::OpenReadOnly(options, "db");
  REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
  // Each table twice at most: as it was, and as the writer replaced it.
  CHECK(fs.opened.size() <= 2 * kTables);
  for (int i = 0; i < kTables; ++i) CHECK((*reader)->Get({}, key_of(i))->has_value());
}

// A database of RocksDB's with values in blob files, and their names.
std::vector<std::string> CopyWithBlobs(FileSystem& fs) {
  REQUIRE(fs.CreateDirectory("db").ok());
  std::vector<std::string> blob_files;
  const std::string fixture = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/blob";
  for (const auto& entry : std::filesystem::directory_iterator(fixture)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = "db/" + entry.path().filename().string();
    std::ifstream in(entry.path(), std::ios::binary);
    auto file = fs.Create(path, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(std::string(std::istreambuf_iterator<char>(in), {})).ok());
    if (path.ends_with(".blob")) blob_files.push_back(path);
  }
  REQUIRE_GT(blob_files.size(), 1);
  return blob_files;
}

TEST_CASE("Reading: a missing blob file is damage for reads of its values") {
  LiveFs fs;
  const std::vector<std::string> blob_files = CopyWithBlobs(fs);
  for (const std::string& blob_file : blob_files) REQUIRE(fs.Remove(blob_file).ok());
  Options options;
  options.env.file_system = &fs;
  const auto reader = DB::OpenReadOnly(options, "db");
  REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
  auto it = (*reader)->NewIterator({});
  REQUIRE(it.ok());
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
  }
  CHECK(it->status().code() == Code::kCorruption);
}

// A blob file is needed as long as a table, or whoever reads one, may refer to it.
TEST_CASE("Blob files are deleted with the last Version that has them, not at the next opening") {
  LiveFs fs;
  const std::vector<std::string> blob_files = CopyWithBlobs(fs);
  const auto left = [&] {
    return std::count_if(blob_files.begin(), blob_files.end(),
                         [&](const std::string& path) { return fs.Exists(path); });
  };
  Options options;
  options.env.file_system = &fs;
  auto opened = DB::Open(options, "db");
  REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
  DB& db = **opened;
  const auto before = left();
  REQUIRE_GT(before, 0);
  {
    auto it = db.NewIterator({});
    REQUIRE(it.ok());
    it->SeekToFirst();
    REQUIRE(it->Valid());
    WriteBatch batch;
    batch.DeleteRange("", std::string(100, '\xff'));
    REQUIRE(db.Write({}, std::move(batch)).ok());
    REQUIRE(db.CompactRange({.force_bottommost = true}, {}, {}).ok());
    CHECK_EQ(left(), before);
    int records = 0;
    for (; it->Valid(); it->Next()) ++records;
    CHECK_MESSAGE(it->status().ok(), it->status().ToString());
    CHECK_GT(records, 1);
  }
  REQUIRE(db.Put({}, "key", "value").ok());
  REQUIRE(db.Flush().ok());
  REQUIRE(db.WaitForBackgroundWork().ok());  // A compaction holds on to what it reads.
  CHECK_EQ(left(), 0);
  CHECK((*db.Get({}, "key")).has_value());
}

// Deletes all that there is, so that no table refers to a blob file any more.
void CompactAllAway(FileSystem& fs) {
  Options options;
  options.env.file_system = &fs;
  auto db = DB::Open(options, "db");
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  WriteBatch batch;
  batch.DeleteRange("", std::string(100, '\xff'));
  REQUIRE((*db)->Write({}, std::move(batch)).ok());
  REQUIRE((*db)->CompactRange({.force_bottommost = true}, {}, {}).ok());
}

// The edits of the live MANIFEST.
std::vector<VersionEdit> EditsOf(FileSystem& fs) {
  const auto manifest = ReadCurrent(fs, "db");
  REQUIRE(manifest.ok());
  auto scanner = ManifestScanner::Open(fs, JoinPath("db", ManifestFileName(*manifest)));
  REQUIRE(scanner.ok());
  std::vector<VersionEdit> edits;
  for (;;) {
    const auto record = (*scanner)->Next();
    REQUIRE(record.ok());
    if (!record->has_value()) return edits;
    edits.push_back((*record)->edit);
  }
}

// RocksDB needs to be told: without it, a file to which no table refers is needed as long as no
// table refers to any other blob file, and its checkpoints and backups fail for lack of the file.
TEST_CASE("Blob files that are deleted are all garbage in the MANIFEST") {
  WatchedFs fs;
  CopyWithBlobs(fs);
  CompactAllAway(fs);
  std::map<FileNumber, std::pair<uint64_t, uint64_t>> left;
  size_t files = 0;
  for (const VersionEdit& edit : EditsOf(fs)) {
    for (const BlobFileAddition& added : edit.blob_additions) {
      left[added.number] = {added.blobs, added.bytes};
      ++files;
    }
    for (const BlobFileGarbage& garbage : edit.blob_garbage) {
      left[garbage.number].first -= garbage.blobs;
      left[garbage.number].second -= garbage.bytes;
    }
  }
  CHECK_GT(files, 0);
  for (const auto& [number, rest] : left) {
    CAPTURE(number);
    CHECK_EQ(rest.first, 0);
    CHECK_EQ(rest.second, 0);
  }
}

TEST_CASE("Blob files that are deleted are not said to be garbage if the MANIFEST has it already") {
  WatchedFs fs;
  CopyWithBlobs(fs);
  auto manifest = ReadManifest(fs, "db", Options(), /*tables=*/nullptr);
  REQUIRE(manifest.ok());
  const auto& blobs = manifest->state.families.all().front().version->blob_files();
  REQUIRE_FALSE(blobs.empty());
  const BlobFileMetadata blob = blobs.front();
  VersionEdit edit;
  edit.blob_garbage = {
      {blob.number, blob.blobs - blob.garbage_blobs, blob.bytes - blob.garbage_bytes}};
  const FileNumber number = manifest->state.counters.next_file_number++;
  REQUIRE(ManifestWriter::Create(fs, "db", number, manifest->state, {&edit, 1}).ok());
  CompactAllAway(fs);
  size_t said = 0;
  for (const VersionEdit& later : EditsOf(fs)) {
    for (const BlobFileGarbage& garbage : later.blob_garbage) {
      CHECK_GT(garbage.blobs, 0);
      said += garbage.number == blob.number;
    }
  }
  CHECK_EQ(said, 1);  // When the MANIFEST was written anew.
}

TEST_CASE("Reading a live database: an unfinished record of the writer is not a loss") {
  for (const std::string kind : {"MANIFEST-", ".log"}) {
    CAPTURE(kind);
    LiveFs fs;
    const Options options = OptionsOn(&fs);
    {
      auto db = DB::Open(options, "db");
      REQUIRE(db.ok());
      REQUIRE((*db)->Put({}, "first", "1").ok());
      REQUIRE((*db)->CreateColumnFamily("f", {}).ok());
      REQUIRE((*db)->Put({}, "second", "2").ok());
    }
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.find(kind) == std::string::npos) continue;
      REQUIRE(fs.Truncate("db/" + entry.name, entry.size - 3).ok());
    }
    for (const bool live : {true, false}) {
      fs.live = live;
      RecoveryReport report;
      const auto reader = DB::OpenReadOnly(options, "db", &report);
      REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
      CHECK((*(*reader)->Get({}, "first")).has_value());
      CHECK_EQ(report.losses.empty(), live);
    }
  }
}

// Changes the byte `at(size)` of the database's log.
void FlipInLog(FileSystem& fs, size_t (*at)(size_t size)) {
  const auto entries = fs.List("db");
  REQUIRE(entries.ok());
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.name.ends_with(".log")) continue;
    auto bytes = ReadFileToString(fs, "db/" + entry.name, 1 << 20);
    REQUIRE(bytes.ok());
    (*bytes)[at(bytes->size())] ^= 1;
    auto file = fs.Create("db/" + entry.name, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(*bytes).ok());
  }
}

TEST_CASE("Reading a live database: damage in front of whole records is a loss all the same") {
  LiveFs fs;
  const Options options = OptionsOn(&fs);
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    for (const char* key : {"first", "second", "third"}) REQUIRE((*db)->Put({}, key, "1").ok());
  }
  FlipInLog(fs, [](size_t size) { return size / 2; });
  for (const bool live : {true, false}) {
    fs.live = live;
    RecoveryReport report;
    const auto reader = DB::OpenReadOnly(options, "db", &report);
    REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
    CHECK(report.damaged());
  }
}

TEST_CASE("Reading a live database: a last record that is whole but damaged is a loss") {
  LiveFs fs;
  const Options options = OptionsOn(&fs);
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    for (const char* key : {"first", "second"}) REQUIRE((*db)->Put({}, key, "1").ok());
  }
  FlipInLog(fs, [](size_t size) { return size - 1; });
  for (const bool live : {true, false}) {
    fs.live = live;
    RecoveryReport report;
    const auto reader = DB::OpenReadOnly(options, "db", &report);
    REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
    CHECK_EQ(report.losses.size(), 1);
  }
}

// A writer of RocksDB's removes blob files when nothing is left in them.
TEST_CASE("Reading a live database: blob files that the writer removes are kept open, too") {
  LiveFs fs;
  const std::vector<std::string> blob_files = CopyWithBlobs(fs);
  Options options;
  options.env.file_system = &fs;
  fs.live = true;
  auto reader = DB::OpenReadOnly(options, "db");
  REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
  for (const std::string& path : blob_files) REQUIRE(fs.Remove(path).ok());
  auto it = (*reader)->NewIterator({});
  REQUIRE(it.ok());
  int records = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++records;
  CHECK_MESSAGE(it->status().ok(), it->status().ToString());
  CHECK_GT(records, 1);
}

TEST_CASE("Reading a live database: what the MANIFEST names for good and is missing is damage") {
  LiveFs fs;
  const std::vector<std::string> blob_files = CopyWithBlobs(fs);
  REQUIRE(fs.Remove(blob_files.back()).ok());
  Options options;
  options.env.file_system = &fs;
  fs.live = true;
  CHECK_EQ(DB::OpenReadOnly(options, "db").status().code(), Code::kCorruption);
}

// What the reader does is interrupted, once, by what the writer does.
class InterruptedFs final : public WatchedFs {
 public:
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    if (std::function<void()> interrupt = std::exchange(before_list, nullptr)) interrupt();
    auto entries = WatchedFs::List(directory);
    if (std::function<void()> interrupt = std::exchange(after_list, nullptr)) interrupt();
    return entries;
  }
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    auto file = WatchedFs::OpenForRead(path, direct);
    if (path.find("MANIFEST") == std::string::npos) return file;
    if (std::function<void()> interrupt = std::exchange(after_manifest, nullptr)) interrupt();
    return file;
  }
  bool IsLocked(const std::string&) override { return true; }

  std::function<void()> before_list, after_list, after_manifest;
};

TEST_CASE("Reading a live database: whatever the writer does meanwhile, nothing is missing") {
  using Interrupt = std::function<void()> InterruptedFs::*;
  for (const Interrupt moment :
       {&InterruptedFs::before_list, &InterruptedFs::after_list, &InterruptedFs::after_manifest}) {
    for (const uint64_t manifest_bytes : {uint64_t{1}, uint64_t{1} << 30}) {  // 1: always rolls.
      for (const bool other_family : {false, true}) {
        CAPTURE(manifest_bytes);
        CAPTURE(other_family);
        InterruptedFs fs;
        Options options = OptionsOn(&fs);
        options.max_manifest_file_size = manifest_bytes;
        auto writer = DB::Open(options, "db");
        REQUIRE(writer.ok());
        const auto other = (*writer)->CreateColumnFamily("other", {});
        REQUIRE(other.ok());
        REQUIRE((*writer)->Put({}, "first", "1").ok());
        WriteBatch batch;
        batch.Put("first", "1", *other);
        REQUIRE((*writer)->Write({}, batch).ok());
        // The flush passes the WAL, and deletes it; the next one holds what comes after.
        fs.*moment = [&] {
          REQUIRE((*writer)->Flush({}, 0).ok());
          if (other_family) REQUIRE((*writer)->Flush({}, *other).ok());
          REQUIRE((*writer)->Put({}, "second", "2").ok());
          REQUIRE((*writer)->Flush({}, 0).ok());
        };
        auto reader = DB::OpenReadOnly(options, "db");
        REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
        CHECK((*reader)->recovery().losses.empty());
        CHECK((*reader)->Get({}, "first")->has_value());
        CHECK((*reader)->Get({}, "first", *other)->has_value());
      }
    }
  }
}

TEST_CASE("Reading a live database: no later write without the family or edit before it") {
  InterruptedFs fs;
  Options options = OptionsOn(&fs);
  auto writer = DB::Open(options, "db");
  REQUIRE(writer.ok());
  // A family that the MANIFEST does not know yet, and its write, which the log has.
  fs.before_list = [&] {
    const auto family = (*writer)->CreateColumnFamily("new", {});
    REQUIRE(family.ok());
    WriteBatch batch;
    batch.Put("in the family", "1", *family);
    REQUIRE((*writer)->Write({}, batch).ok());
    REQUIRE((*writer)->Put({}, "after it", "2").ok());
  };
  auto reader = DB::OpenReadOnly(options, "db");
  REQUIRE(reader.ok());
  REQUIRE((*reader)->Get({}, "after it")->has_value());
  const auto family = (*reader)->FindFamily("new");
  REQUIRE(family.has_value());
  CHECK((*reader)->Get({}, "in the family", *family)->has_value());
}

TEST_CASE("Reading a live database: one that never stands still is busy, not read wrongly") {
  class RestlessFs final : public WatchedFs {
   public:
    Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
      auto entries = WatchedFs::List(directory);
      if (change && !changing) {
        changing = true;
        change();
        changing = false;
      }
      return entries;
    }
    std::function<void()> change;
    bool changing = false;
  };
  RestlessFs fs;
  Options options = OptionsOn(&fs);
  auto writer = DB::Open(options, "db");
  REQUIRE(writer.ok());
  fs.change = [&] {
    REQUIRE((*writer)->Put({}, "k", "v").ok());
    REQUIRE((*writer)->Flush().ok());
  };
  const auto reader = DB::OpenReadOnly(options, "db");
  REQUIRE_FALSE(reader.ok());
  CHECK(reader.status().code() == Code::kBusy);
}

}  // namespace
}  // namespace varve
