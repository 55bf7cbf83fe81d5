// SPDX-License-Identifier: Apache-2.0
#include "core/repair/database_repair.h"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/internal_key.h"
#include "core/format/manifest/version_edit.h"
#include "core/format/value/blob_record.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/verify/verify.h"
#include "core/table/write/table_builder.h"
#include "core/wal/log_writer.h"
#include "tests/orders.h"
#include "tests/test_files.h"
#include "tests/unreadable_fs.h"
#include "varve/db.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

void CopyBytes(FileSystem& fs, const std::string& from, const std::string& to,
               const std::function<void(std::string* bytes)>& damage) {
  Result<std::string> bytes = ReadFileToString(fs, from, 1 << 20);
  REQUIRE(bytes.ok());
  damage(&*bytes);
  const auto file = fs.Create(to, /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(*bytes).ok());
}

std::string Get(DB& db, const std::string& key, ColumnFamilyId family = 0) {
  const auto value = db.Get({}, key, family);
  if (!value.ok()) return value.status().ToString();
  return value->has_value() ? (**value).ToString() : "(none)";
}

TEST_CASE("RepairDatabase: a MANIFEST that cannot be read is not taken for a damaged one") {
  UnreadableFs fs;
  Options options;
  options.create_if_missing = true;
  options.env = NativeEnvironment();
  options.env.file_system = &fs;
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    REQUIRE((*db)->Put({}, "key", "1").ok());
  }
  fs.Refuse("/MANIFEST-");
  const auto repaired = RepairDatabase(options.env, "db", "repaired", {});
  CHECK(repaired.status().code() == Code::kIoError);
}

void CopyFixture(const std::string& fixture, FileSystem& to) {
  CopyFiles(*NativeEnvironment().file_system, fixture, to, "db");
}

// Whether the values are sound is unknown, so none of them and no file with values is dropped.
TEST_CASE("RepairDatabase: a blob file that cannot be opened is not taken for a damaged one") {
  UnreadableFs fs;
  fs.Refuse(".blob");
  CopyFixture(std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/blob", fs);
  Environment env = NativeEnvironment();
  env.file_system = &fs;
  const auto refused = [&] {
    for (const bool dry_run : {true, false}) {
      const auto repaired = RepairDatabase(env, "db", "repaired", {.dry_run = dry_run});
      CHECK_MESSAGE(repaired.status().code() == Code::kIoError, repaired.status().ToString());
      CHECK(repaired.status().message().find(".blob") != std::string_view::npos);
    }
  };
  SUBCASE("the MANIFEST names it") { refused(); }
  SUBCASE("its MANIFEST is lost") {
    REQUIRE(fs.Remove("db/CURRENT").ok());
    refused();
  }
}

TEST_CASE("RepairDatabase: without a MANIFEST, the sound values of a damaged blob file are kept") {
  const auto fs = NewMemoryFileSystem();
  CopyFixture(std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/blob", *fs);
  REQUIRE(fs->Remove("db/MANIFEST-000005").ok());
  Environment env = NativeEnvironment();
  env.file_system = fs.get();
  const auto sound = RepairDatabase(env, "db", "sound", {});
  REQUIRE(sound.ok());
  REQUIRE_FALSE(sound->blobs.empty());
  const std::string blob = sound->blobs.back();
  REQUIRE(fs->CreateDirectory("damaged").ok());
  const auto entries = fs->List("db");
  REQUIRE(entries.ok());
  for (const DirectoryEntry& entry : *entries) {
    CopyBytes(*fs, "db/" + entry.name, "damaged/" + entry.name, [&](std::string* bytes) {
      // Of the last value: the footer is behind it.
      if (entry.name == blob) (*bytes)[bytes->size() - kBlobFileFooterSize - 1] ^= 1;
    });
  }
  const auto repaired = RepairDatabase(env, "damaged", "repaired", {});
  REQUIRE_MESSAGE(repaired.ok(), repaired.status().ToString());
  CHECK(repaired->blobs == sound->blobs);
  CHECK(repaired->entries == sound->entries - 1);
  Options options;
  options.env = env;
  const auto db = DB::Open(options, "repaired");
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  auto it = (*db)->NewIterator({});
  REQUIRE(it.ok());
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
  }
  CHECK_MESSAGE(it->status().ok(), it->status().ToString());
}

// One family of two was flushed, so that the log that both share is still there.
TEST_CASE("RepairDatabase: without a whole MANIFEST, flushed logs are not replayed again") {
  bool properties_damaged = false;
  SUBCASE("of intact tables") {}
  SUBCASE("of tables that lost what can be made again") { properties_damaged = true; }
  const auto fs = NewMemoryFileSystem();
  Options options;
  options.create_if_missing = true;
  options.env = NativeEnvironment();
  options.env.file_system = fs.get();
  options.family.merge_operator = MergeOperatorByName("stringappend");
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    const auto other = (*db)->CreateColumnFamily("other", options.family);
    REQUIRE(other.ok());
    REQUIRE((*db)->Merge({}, "key", "a").ok());
    WriteBatch batch;
    batch.Put("key", "unflushed", *other);
    REQUIRE((*db)->Write({}, std::move(batch)).ok());
    REQUIRE((*db)->Merge({}, "key", "b").ok());
    REQUIRE((*db)->Flush().ok());
    REQUIRE((*db)->Merge({}, "key", "c").ok());
    // The process dies, and the last edit of the MANIFEST is damaged.
    const auto entries = fs->List("db");
    REQUIRE(entries.ok());
    REQUIRE(fs->CreateDirectory("damaged").ok());
    for (const DirectoryEntry& entry : *entries) {
      CopyBytes(*fs, "db/" + entry.name, "damaged/" + entry.name, [&](std::string* bytes) {
        if (entry.name.starts_with("MANIFEST")) (*bytes)[bytes->size() - 3] ^= 1;
        if (properties_damaged && entry.name.ends_with(".sst")) {
          (*bytes)[bytes->find("rocksdb.")] ^= 1;
        }
      });
    }
  }
  const auto repaired = RepairDatabase(options.env, "damaged", "repaired", {});
  REQUIRE_MESSAGE(repaired.ok(), repaired.status().ToString());
  CHECK_FALSE(repaired->manifest_whole);
  CHECK(repaired->tables.at(0).bill.has_value() == properties_damaged);
  auto db = DB::Open(options, "repaired");
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  const auto other = (*db)->FindFamily("other");
  REQUIRE(other.has_value());
  CHECK_EQ(Get(**db, "key"), "a,b,c");
  CHECK_EQ(Get(**db, "key", *other), "unflushed");
  const Status compacted = (*db)->CompactRange({}, std::nullopt, std::nullopt);
  CHECK_MESSAGE(compacted.ok(), compacted.ToString());
  CHECK_EQ(Get(**db, "key"), "a,b,c");
}

// A table of two range deletions and what a MANIFEST says of it: bounds between the two.
VersionEdit::NewFile TableWithBoundsOnly(FileSystem& fs, FileNumber number, Sequence first,
                                         Sequence second) {
  auto file = fs.Create("db/" + TableFileName(number), /*direct=*/false);
  REQUIRE(file.ok());
  TableBuilder builder(TableOptions(), *BytewiseComparator(), TableOrigin(), file->get());
  REQUIRE(builder.AddRangeTombstone("a", "b", first).ok());
  REQUIRE(builder.AddRangeTombstone("y", "z", second).ok());
  REQUIRE(builder.Finish().ok());
  FileDescription said;
  said.number = said.epoch = number;
  said.size = (*file)->size();
  said.smallest = EncodeInternalKey({"m", second, ValueType::kRangeDeletion});
  said.largest = EncodeInternalKey({"n", kMaxSequence, ValueType::kRangeDeletion});
  said.smallest_sequence = first;
  said.largest_sequence = second;
  return {0, said};
}

// As a table with right checksums may be, whoever made it.
TEST_CASE("RepairDatabase: an ingested table has one sequence, whatever its entries say") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  {
    auto file = fs->Create("db/" + TableFileName(5), /*direct=*/false);
    REQUIRE(file.ok());
    TableOrigin origin;
    origin.for_ingestion = true;
    TableBuilder builder(TableOptions(), *BytewiseComparator(), origin, file->get());
    REQUIRE(builder.Add({"a", 0, ValueType::kValue}, "1").ok());
    REQUIRE(builder.Add({"b", 7, ValueType::kValue}, "2").ok());
    REQUIRE(builder.Finish().ok());
  }
  Environment env = NativeEnvironment();
  env.file_system = fs.get();
  const auto repaired = RepairDatabase(env, "db", "repaired", {});
  REQUIRE_MESSAGE(repaired.ok(), repaired.status().ToString());
  CHECK(repaired->last_sequence == 1);
  const auto report = VerifyDatabase(*fs, "repaired", nullptr);
  REQUIRE(report.ok());
  for (const Finding& finding : report->findings) CHECK_MESSAGE(false, finding.what);
}

// Their sequences interleave, so that they are merged; what the MANIFEST says ends before its
// damage.
TEST_CASE("RepairDatabase: tables merged of which their bounds leave nothing") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  VersionEdit edit;
  edit.comparator = BytewiseComparator()->name();
  edit.log_number = edit.prev_log_number = 0;
  edit.next_file_number = 9;
  edit.last_sequence = 4;
  edit.new_files = {TableWithBoundsOnly(*fs, 7, 1, 3), TableWithBoundsOnly(*fs, 8, 2, 4)};
  std::string record;
  EncodeVersionEdit(edit, &record);
  auto manifest = fs->Create("db/" + ManifestFileName(5), /*direct=*/false);
  REQUIRE(manifest.ok());
  LogWriter log(*std::move(manifest));
  REQUIRE(log.Append(record).ok());
  REQUIRE(log.Append("no edit").ok());
  const auto current = fs->Create("db/CURRENT", /*direct=*/false);
  REQUIRE(current.ok());
  REQUIRE((*current)->Append(ManifestFileName(5) + "\n").ok());

  Environment env = NativeEnvironment();
  env.file_system = fs.get();
  const auto repaired = RepairDatabase(env, "db", "repaired", {});
  REQUIRE_MESSAGE(repaired.ok(), repaired.status().ToString());
  CHECK_FALSE(repaired->manifest_whole);
  Options options;
  options.env = env;
  auto db = DB::Open(options, "repaired");
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  CHECK_EQ(Get(**db, "m"), "(none)");
}

// Of a program's own: who repairs has to bring it.
TEST_CASE("RepairDatabase: an order that is not built in, with a MANIFEST and without") {
  static const ByLength order;
  for (const bool manifest : {true, false}) {
    CAPTURE(manifest);
    const auto fs = NewMemoryFileSystem();
    Options options;
    options.create_if_missing = true;
    options.env = NativeEnvironment();
    options.env.file_system = fs.get();
    options.family.comparator = &order;
    {
      auto db = DB::Open(options, "db");
      REQUIRE(db.ok());
      for (const char* key : {"9", "10", "100"}) REQUIRE((*db)->Put({}, key, key).ok());
      REQUIRE((*db)->Flush().ok());
      REQUIRE((*db)->Put({}, "11", "11").ok());
    }
    const auto entries = fs->List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      const bool names = entry.name.starts_with("MANIFEST") || entry.name == "CURRENT";
      if (!manifest && names) REQUIRE(fs->Remove("db/" + entry.name).ok());
    }
    const auto refused = RepairDatabase(options.env, "db", "refused", {});
    CHECK(refused.status().code() == Code::kNotSupported);
    const auto repaired = RepairDatabase(options.env, "db", "repaired", {.comparator = &order});
    REQUIRE_MESSAGE(repaired.ok(), repaired.status().ToString());
    auto db = DB::Open(options, "repaired");
    REQUIRE_MESSAGE(db.ok(), db.status().ToString());
    std::string keys;
    auto it = (*db)->NewIterator({});
    REQUIRE(it.ok());
    for (it->SeekToFirst(); it->Valid(); it->Next()) keys += std::string(it->key()) + " ";
    CHECK(keys == "9 10 11 100 ");
  }
}

}  // namespace
}  // namespace varve
