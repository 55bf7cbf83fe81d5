// SPDX-License-Identifier: Apache-2.0
// A read-only opening of long WALs: bounded memory, every version there, nothing in the directory.
#include "core/engine/open/spill.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>

#include "core/fs/memory_fs.h"
#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

// Has temporary files, in a memory of their own.
class RoomyFs final : public WatchedFs {
 public:
  Result<ScratchFile> CreateScratch() override {
    if (!scratch_works) return Status::NoSpace("no room for temporary files");
    const std::string path = "scratch" + std::to_string(scratch_files++);
    auto writer = scratch_->Create(path, false);
    auto reader = scratch_->OpenForRead(path, false);
    return ScratchFile{.writer = *std::move(writer), .reader = *std::move(reader)};
  }
  int scratch_files = 0;
  bool scratch_works = true;

 private:
  std::unique_ptr<FileSystem> scratch_ = NewMemoryFileSystem();
};

constexpr int kKeys = 1000;
constexpr int kRounds = 100;
constexpr size_t kValueBytes = 1000;

std::string Key(int i) { return std::to_string(10000 + i); }
std::string ValueOf(int key, int round) {
  std::string value = std::to_string(key) + "/" + std::to_string(round) + "/";
  value.resize(kValueBytes, 'v');
  return value;
}

// 100 MB of WAL: each key again and again, one deleted, a range deleted.
struct Fixture {
  Fixture() {
    options.create_if_missing = true;
    options.env = NativeEnvironment();
    options.env.file_system = &fs;
    options.family.write_buffer_size = uint64_t{1} << 30;
    auto opened = DB::Open(options, "db");
    REQUIRE(opened.ok());
    writer = *std::move(opened);
    other = *writer->CreateColumnFamily("other", {});
    for (int round = 0; round < kRounds; ++round) {
      WriteBatch batch;
      for (int key = 0; key < kKeys; ++key) {
        batch.Put(Key(key), ValueOf(key, round), key % 2 == 0 ? 0 : other);
      }
      REQUIRE(writer->Write({}, batch).ok());
      if (round == 0) first_round = writer->Stats().last_sequence;
    }
    WriteBatch last;
    last.Delete(Key(0), 0);
    last.DeleteRange(Key(100), Key(200), 0);
    REQUIRE(writer->Write({}, last).ok());
    fs.log().clear();
  }

  RoomyFs fs;
  Options options;
  std::unique_ptr<DB> writer;
  ColumnFamilyId other = 0;
  Sequence first_round = 0;
};

std::map<std::string, std::string> Scan(DB& db, ColumnFamilyId family, const Snapshot* snapshot) {
  std::map<std::string, std::string> records;
  auto it = db.NewIterator({.snapshot = snapshot}, family);
  REQUIRE(it.ok());
  for (it->SeekToFirst(); it->Valid(); it->Next()) records.emplace(it->key(), it->value());
  REQUIRE(it->status().ok());
  return records;
}

TEST_CASE("Spill: a read-only opening takes bounded memory and answers like the writer") {
  Fixture t;
  auto reader = DB::OpenReadOnly(t.options, "db");
  REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
  CHECK(t.fs.log().empty());  // Nothing was written into the directory.
  CHECK(t.fs.scratch_files > 2);
  CHECK((*reader)->Stats().memtable_bytes < kUnspilledBytesMax + (4 << 20));
  CHECK((*reader)->Stats().last_sequence == t.writer->Stats().last_sequence);
  for (const ColumnFamilyId family : {ColumnFamilyId{0}, t.other}) {
    CAPTURE(family);
    CHECK(Scan(**reader, family, nullptr) == Scan(*t.writer, family, nullptr));
    // The past is there as well: a spill drops no version.
    const auto past = (*reader)->GetSnapshotAt(t.first_round);
    REQUIRE(past.ok());
    const auto records = Scan(**reader, family, &*past);
    CHECK(records.size() == kKeys / 2);
    for (int key = static_cast<int>(family != 0); key < kKeys; key += 2) {
      const auto found = records.find(Key(key));
      REQUIRE(found != records.end());
      REQUIRE(found->second == ValueOf(key, 0));
      const auto value = (*reader)->Get({.snapshot = &*past}, Key(key), family);
      REQUIRE(value.ok());
      REQUIRE(value->has_value());
      REQUIRE((*value)->view() == ValueOf(key, 0));
    }
  }
  CHECK_FALSE((*reader)->Get({}, Key(0))->has_value());
  CHECK_FALSE((*reader)->Get({}, Key(150))->has_value());
  CHECK(t.fs.log().empty());
}

// Of the numbers that temporary tables got, the writer gives the same to its own.
TEST_CASE("Spill: a reader catches up with tables that have the numbers of its temporary ones") {
  Fixture t;
  auto reader = DB::OpenReadOnly(t.options, "db");
  REQUIRE(reader.ok());
  auto before = (*reader)->NewIterator({});
  REQUIRE(before.ok());
  REQUIRE(t.writer->Put({}, Key(1000), "new").ok());
  REQUIRE(t.writer->Put({}, Key(1001), "new", t.other).ok());
  REQUIRE(t.writer->FlushAll().ok());
  const Status caught_up = (*reader)->CatchUp();
  REQUIRE_MESSAGE(caught_up.ok(), caught_up.ToString());
  for (const ColumnFamilyId family : {ColumnFamilyId{0}, t.other}) {
    CAPTURE(family);
    CHECK(Scan(**reader, family, nullptr) == Scan(*t.writer, family, nullptr));
  }
  std::map<std::string, std::string> records;
  for (before->SeekToFirst(); before->Valid(); before->Next()) {
    records.emplace(before->key(), before->value());
  }
  REQUIRE_MESSAGE(before->status().ok(), before->status().ToString());
  records.emplace(Key(1000), "new");
  CHECK(records == Scan(*t.writer, 0, nullptr));
}

TEST_CASE("Spill: without space for it the opening fails with that error") {
  Fixture t;
  t.fs.scratch_works = false;
  const auto reader = DB::OpenReadOnly(t.options, "db");
  REQUIRE_FALSE(reader.ok());
  CHECK(reader.status().code() == Code::kNoSpace);
  CHECK(t.fs.log().empty());
}

}  // namespace
}  // namespace varve
