// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/import.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "tests/unit/engine/inline_db.h"
#include "varve/db.h"

namespace varve {
namespace {

using Records = std::map<std::string, std::string>;

std::string KeyOf(int i) { return "k" + std::to_string(1000 + i); }

// A database in memory with the family "from": tables on several levels that a range deletion
// spans, newer ones above them, and a memtable.
class Fixture : public InlineDb {
 public:
  Fixture() {
    options.create_if_missing = true;
    options.family.target_file_size_base = 4096;
    options.family.table.compression = CompressionType::kNone;
    Open();
    from = Create("from");
  }
  ColumnFamilyId Create(const std::string& name) {
    const auto id = db->CreateColumnFamily(name, options.family);
    REQUIRE_MESSAGE(id.ok(), id.status().ToString());
    return *id;
  }
  void Put(int i, const std::string& value) {
    REQUIRE(db->Put({}, KeyOf(i), value, from).ok());
    model[KeyOf(i)] = value;
  }
  void Fill() {
    for (int i = 0; i < 200; ++i) Put(i, std::string(100, 'a'));
    REQUIRE(db->CompactRange({}, {}, {}, from).ok());
    const Snapshot snapshot = db->GetSnapshot();  // Keeps the range deletion.
    WriteBatch batch;
    batch.DeleteRange(KeyOf(20), KeyOf(160), from);
    REQUIRE(db->Write({}, std::move(batch)).ok());
    model.erase(model.lower_bound(KeyOf(20)), model.lower_bound(KeyOf(160)));
    for (int i = 100; i < 110; ++i) Put(i, "b");
    REQUIRE(db->CompactRange({}, {}, {}, from).ok());
    for (int i = 0; i < 200; i += 7) Put(i, "c");
    REQUIRE(db->Flush({}, from).ok());
    for (int i = 0; i < 200; i += 11) Put(i, "d");
    REQUIRE(db->Flush({}, from).ok());
    for (int i = 0; i < 200; i += 13) Put(i, "e");
  }
  ExportedFamily Export(const std::string& path = "out") {
    auto exported = db->ExportColumnFamily(path, from);
    REQUIRE_MESSAGE(exported.ok(), exported.status().ToString());
    return *std::move(exported);
  }
  Result<ColumnFamilyId> Import(const ExportedFamily& exported, const std::string& name = "to",
                                bool move = false) {
    return db->ImportColumnFamily({name, options.family}, {.move_files = move}, exported);
  }
  Records Scan(ColumnFamilyId family) {
    Records records;
    auto it = db->NewIterator({}, family);
    REQUIRE(it.ok());
    for (it->SeekToFirst(); it->Valid(); it->Next()) records.emplace(it->key(), it->value());
    REQUIRE(it->status().ok());
    for (int i = 0; i < 200; ++i) {  // Gets go another way.
      const auto value = db->Get({}, KeyOf(i), family);
      REQUIRE(value.ok());
      const auto found = records.find(KeyOf(i));
      CHECK(value->has_value() == (found != records.end()));
      if (value->has_value()) CHECK((**value).ToString() == found->second);
    }
    return records;
  }
  // Import() fails so, and everything is as before.
  void Refused(const ExportedFamily& exported, Code code, const std::string& name = "to") {
    const size_t tables = CountFiles(".sst");
    const size_t families = db->Families().size();
    const auto imported = Import(exported, name, /*move=*/true);
    CHECK_MESSAGE(imported.status().code() == code, imported.status().ToString());
    CHECK(CountFiles(".sst") == tables);
    CHECK(db->Families().size() == families);
    CHECK(Scan(from) == model);
    REQUIRE(db->Put({}, "writes go on", "").ok());
  }
  void Damage(const std::string& path, uint64_t keep, char at_end) {
    auto read = fs.OpenForRead(path, /*direct=*/false);
    REQUIRE(read.ok());
    std::string bytes(keep, '\0');
    const auto got = (*read)->Read(0, keep, bytes.data());
    REQUIRE(got.ok());
    bytes.assign(*got);
    bytes[keep / 3] ^= at_end;
    REQUIRE(fs.Remove(path).ok());
    auto file = fs.Create(path, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
    REQUIRE((*file)->Sync().ok());
  }
  size_t CountIn(const std::string& directory) {
    const auto entries = fs.List(directory);
    return entries.ok() ? entries->size() : 0;
  }

  ColumnFamilyId from = 0;
  Records model;
};

int LevelsOf(const ExportedFamily& exported) {
  std::vector<int> levels;
  for (const ExportedTable& table : exported.tables) levels.push_back(table.file.level);
  std::sort(levels.begin(), levels.end());
  return static_cast<int>(std::unique(levels.begin(), levels.end()) - levels.begin());
}

TEST_CASE("Import: what was exported is there, here and in another database, and over openings") {
  Fixture t;
  t.Fill();
  const ExportedFamily exported = t.Export();
  CHECK(LevelsOf(exported) >= 2);
  CHECK(t.CountIn("out") == exported.tables.size());  // No lock file, nothing else.
  const auto copy = t.Import(exported);
  REQUIRE_MESSAGE(copy.ok(), copy.status().ToString());
  CHECK(t.Scan(*copy) == t.model);
  CHECK(t.db->Levels(*copy)[0].files == 3);

  Fixture other;  // A younger one: its sequence numbers jump.
  for (const ExportedTable& table : exported.tables) {
    REQUIRE(other.fs.CreateDirectory("out").ok());
    auto read = t.fs.OpenForRead(table.path, /*direct=*/false);
    REQUIRE(read.ok());
    std::string bytes(table.file.size, '\0');
    const auto got = (*read)->Read(0, bytes.size(), bytes.data());
    REQUIRE(got.ok());
    auto file = other.fs.Create(table.path, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(*got).ok());
    REQUIRE((*file)->Sync().ok());
  }
  REQUIRE(other.db->Put({}, "before", "1").ok());
  const auto moved = other.Import(exported, "to", /*move=*/true);
  REQUIRE_MESSAGE(moved.ok(), moved.status().ToString());
  CHECK(other.CountIn("out") == 0);
  CHECK(other.Scan(*moved) == t.model);
  REQUIRE(other.db->Put({}, "after", "2").ok());
  REQUIRE(other.db->Put({}, KeyOf(0), "newer", *moved).ok());
  t.model[KeyOf(0)] = "newer";
  other.Open();
  const auto id = other.db->FindFamily("to");
  REQUIRE(id.has_value());
  CHECK(other.Scan(*id) == t.model);
  REQUIRE(other.db->CompactRange({}, {}, {}, *id).ok());
  CHECK(other.Scan(*id) == t.model);
}

TEST_CASE("Import: without keys in the description, the range deletions of a table count whole") {
  Fixture t;
  for (int i = 0; i < 10; ++i) t.Put(i, "a");
  WriteBatch batch;
  batch.DeleteRange(KeyOf(3), KeyOf(300), t.from);
  REQUIRE(t.db->Write({}, std::move(batch)).ok());
  t.model.erase(t.model.lower_bound(KeyOf(3)), t.model.end());
  ExportedFamily exported = t.Export();
  REQUIRE(exported.tables.size() == 1);
  LiveFile& file = exported.tables[0].file;
  const LiveFile before = file;
  file.smallest_key = file.largest_key = "";
  file.size = 0;
  const auto id = t.Import(exported);
  REQUIRE_MESSAGE(id.ok(), id.status().ToString());
  CHECK(t.Scan(*id) == t.model);
  const auto files = t.db->LiveFiles(*id);
  REQUIRE(files.ok());
  CHECK((*files)[0].smallest_key == before.smallest_key);
  CHECK((*files)[0].largest_key == KeyOf(300));
  CHECK((*files)[0].largest_sequence == before.largest_sequence);
}

TEST_CASE("Import: what is damaged or does not fit together is refused, and leaves nothing") {
  Fixture t;
  t.Fill();
  const ExportedFamily good = t.Export();
  const auto with = [&](const std::function<void(ExportedFamily&)>& change) {
    ExportedFamily changed = good;
    change(changed);
    return changed;
  };
  const auto last = [](ExportedFamily& e) -> ExportedTable& { return e.tables.back(); };
  t.Refused(with([](auto& e) { e.tables.clear(); }), Code::kInvalidArgument);
  t.Refused(with([](auto& e) { e.comparator = "other"; }), Code::kInvalidArgument);
  t.Refused(good, Code::kInvalidArgument, "from");
  t.Refused(good, Code::kInvalidArgument, "default");
  t.Refused(good, Code::kInvalidArgument, "");
  t.Refused(with([&](auto& e) { last(e).file.level = -1; }), Code::kInvalidArgument);
  t.Refused(with([&](auto& e) { last(e).file.level = 7; }), Code::kInvalidArgument);
  t.Refused(with([&](auto& e) { last(e).file.size += 1; }), Code::kCorruption);
  t.Refused(with([&](auto& e) { last(e).path += "x"; }), Code::kNotFound);
  // Its entries go beyond what is said of it.
  t.Refused(with([&](auto& e) { last(e).file.largest_key = last(e).file.smallest_key; }),
            Code::kCorruption);
  // One table twice on a level; all tables on one level.
  t.Refused(with([&](auto& e) { e.tables.push_back(last(e)); }), Code::kCorruption);
  t.Refused(with([&](auto& e) {
              for (ExportedTable& table : e.tables) table.file.level = 3;
            }),
            Code::kCorruption);
  t.Refused(with([&](auto& e) { last(e).file.largest_sequence = kMaxSequence; }),
            Code::kNotSupported);
  t.Refused(with([&](auto& e) { last(e).file.largest_sequence = ~uint64_t{0}; }),
            Code::kNotSupported);
  // A table of the database itself.
  t.Refused(with([&](auto& e) {
              last(e).path = "db/" + last(e).path.substr(last(e).path.rfind('/') + 1);
            }),
            Code::kInvalidArgument);
  const std::string& path = good.tables.back().path;
  const uint64_t size = good.tables.back().file.size;
  t.Damage(path, size, 1);
  t.Refused(good, Code::kCorruption);
  t.Damage(path, size, 1);  // As it was.
  t.Damage(path, size / 2, 0);
  t.Refused(good, Code::kCorruption);
  t.Refused(with([&](auto& e) { last(e).file.size = 0; }), Code::kCorruption);
}

TEST_CASE(
    "Import: a full disk leaves nothing, a failed MANIFEST closes writes and keeps the tables") {
  for (const char* const failing : {"create 0", "append MANIFEST", "sync MANIFEST"}) {
    Fixture t;
    t.Fill();
    const ExportedFamily exported = t.Export();
    const size_t tables = t.CountFiles(".sst");
    const std::string_view word = failing;
    const bool manifest = word.find("MANIFEST") != std::string_view::npos;
    t.fs.set_judge([&](const std::string& event) {
      const bool hit = event.starts_with(word) && (manifest || event.ends_with(".sst"));
      return hit ? Status::NoSpace("full") : Status::Ok();
    });
    CHECK(t.Import(exported).status().code() == Code::kNoSpace);
    t.fs.set_judge(nullptr);
    CHECK(t.CountFiles(".sst") == tables + (manifest ? exported.tables.size() : 0));
    CHECK(t.db->Put({}, "k", "v").ok() == !manifest);
    t.Open();
    const auto from = t.db->FindFamily("from");
    REQUIRE(from.has_value());
    CHECK(t.Scan(*from) == t.model);
  }
}

TEST_CASE("Import: of a MANIFEST that ends within the import, the family is there, and empty") {
  Fixture t;
  t.Fill();
  const ExportedFamily exported = t.Export();
  REQUIRE(t.Import(exported).ok());
  std::string manifest;
  const auto entries = t.fs.List("db");
  REQUIRE(entries.ok());
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name.starts_with("MANIFEST")) manifest = "db/" + entry.name;
  }
  const auto size = t.fs.FileSize(manifest);
  REQUIRE(size.ok());
  t.db.reset();
  REQUIRE(t.fs.Truncate(manifest, *size - 1).ok());
  t.Open();
  const auto to = t.db->FindFamily("to");
  REQUIRE(to.has_value());
  CHECK(t.db->LiveFiles(*to)->empty());
  CHECK(t.Scan(*t.db->FindFamily("from")) == t.model);
}

TEST_CASE("Import: a table that is moved is synced, and its name, before the MANIFEST has it") {
  Fixture t;
  t.Put(1, "a");
  const ExportedFamily exported = t.Export();
  t.fs.log().clear();
  REQUIRE(t.Import(exported, "to", /*move=*/true).ok());
  const size_t logged = t.fs.Find("append MANIFEST");
  const size_t file = t.fs.Find("sync_file 0");
  CHECK_LT(file, t.fs.Find("sync_directory db", file));
  CHECK_LT(t.fs.Find("sync_directory db", file), logged);
  CHECK_LT(logged, t.fs.Find("remove 0", logged));
  CHECK_LT(t.fs.Find("remove 0", logged), t.fs.log().size());
}

TEST_CASE("Import: a snapshot of before sees in the family what its sequence number allows") {
  Fixture t;
  t.Put(1, "old");
  REQUIRE(t.db->Flush({}, t.from).ok());
  const Snapshot between = t.db->GetSnapshot();
  t.Put(1, "new");
  const auto id = t.Import(t.Export());
  REQUIRE(id.ok());
  const auto value = t.db->Get({.snapshot = &between}, KeyOf(1), *id);
  REQUIRE(value.ok());
  REQUIRE(value->has_value());
  CHECK((**value).ToString() == "old");
}

TEST_CASE("Export: places that are taken, unknown families, blob files and read-only databases") {
  Fixture t;
  t.Fill();
  t.Export("out");
  CHECK(t.db->ExportColumnFamily("out", t.from).status().code() == Code::kInvalidArgument);
  CHECK(t.db->ExportColumnFamily("", t.from).status().code() == Code::kInvalidArgument);
  CHECK(t.db->ExportColumnFamily("other", 99).status().code() == Code::kInvalidArgument);
  CHECK_FALSE(t.fs.Exists("other"));
  ColumnFamilyOptions large = t.options.family;
  large.blobs.enabled = true;
  const auto blobs = t.db->CreateColumnFamily("blobs", large);
  REQUIRE(blobs.ok());
  REQUIRE(t.db->Put({}, "k", std::string(10000, 'v'), *blobs).ok());
  CHECK(t.db->ExportColumnFamily("other", *blobs).status().code() == Code::kNotSupported);
  CHECK_FALSE(t.fs.Exists("other"));
  CHECK_FALSE(t.fs.Exists("other.checkpoint"));
  // A table with blob indexes, apart from their blob file.
  ExportedFamily exported{.comparator = std::string(BytewiseComparator()->name())};
  const auto files = t.db->LiveFiles(*blobs);
  REQUIRE(files.ok());
  const std::string table = "db/" + TableFileName((*files)[0].number);
  REQUIRE(t.fs.CreateDirectory("other").ok());
  REQUIRE(t.fs.Link(table, "other/a.sst").ok());
  exported.tables.push_back({"other/a.sst", (*files)[0]});
  t.Refused(exported, Code::kNotSupported);

  t.db.reset();
  auto read_only = DB::OpenReadOnly(t.options, "db");
  REQUIRE(read_only.ok());
  CHECK((*read_only)->ExportColumnFamily("other").status().code() == Code::kNotSupported);
  CHECK((*read_only)->ImportColumnFamily({"to", t.options.family}, {}, exported).status().code() ==
        Code::kNotSupported);
}

}  // namespace
}  // namespace varve
