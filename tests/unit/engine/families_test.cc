// SPDX-License-Identifier: Apache-2.0
// Column families that come and go, and what becomes of the others meanwhile.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/options/options_file.h"
#include "tests/unit/engine/inline_db.h"
#include "varve/db.h"

namespace varve {
namespace {

using Names = std::vector<std::string>;

// A database whose file operations can be made to fail.
class Subject : public InlineDb {
 public:
  // Creating a file whose name has `part` in it fails from now on.
  void FailToCreate(const std::string& part) {
    fs.set_judge([part](const std::string& event) {
      const bool meant = event.starts_with("create ") && event.find(part) != std::string::npos;
      return meant ? Status::NoSpace("the disk is full") : Status::Ok();
    });
  }

  uint64_t WalBytes() {
    uint64_t bytes = 0;
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(".log")) bytes += entry.size;
    }
    return bytes;
  }

  // The families that the newest OPTIONS file lists.
  Names FamiliesOfOptions(const std::string& directory = "db") {
    std::string newest;
    const auto entries = fs.List(directory);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      const auto name = ParseFileName(entry.name);
      if (name && name->kind == FileKind::kOptions) newest = std::max(newest, entry.name);
    }
    const auto text = ReadFileToString(fs.base(), JoinPath(directory, newest), 1 << 20);
    REQUIRE(text.ok());
    const auto parsed = ParseOptionsFile(*text);
    REQUIRE(parsed.ok());
    Names names;
    for (const OptionsSection& section : parsed->sections) {
      if (section.kind == "CFOptions") names.push_back(section.family);
    }
    return names;
  }
};

Status PutIn(DB& db, ColumnFamilyId family, std::string_view key, std::string_view value) {
  WriteBatch batch;
  batch.Put(key, value, family);
  return db.Write({}, std::move(batch));
}

TEST_CASE("CreateColumnFamily: one that fails for its OPTIONS leaves no family") {
  Subject subject;
  DB& db = subject.Open();
  subject.FailToCreate("OPTIONS");
  CHECK_EQ(db.CreateColumnFamily("new", {}).status().code(), Code::kNoSpace);
  CHECK_FALSE(db.FindFamily("new").has_value());
  subject.fs.set_judge(nullptr);
  CHECK_FALSE(subject.Open().FindFamily("new").has_value());
  const auto created = subject.db->CreateColumnFamily("new", {});
  CHECK_MESSAGE(created.ok(), created.status().ToString());
}

TEST_CASE("CreateColumnFamily: none whose OPTIONS could not be read again") {
  Subject subject;
  DB& db = subject.Open();
  const std::string name(kOptionsFileSizeMax / 2, 'n');  // It is there twice.
  CHECK(db.CreateColumnFamily(name, {}).status().code() == Code::kNotSupported);
  CHECK_EQ(db.Families().size(), 1);
  REQUIRE(db.CreateColumnFamily("short", {}).ok());
  CHECK_EQ(subject.Open().Families().size(), 2);
}

TEST_CASE("CreateColumnFamilies: all or none, one OPTIONS file, which keeps what each is given") {
  Subject subject;
  DB& db = subject.Open();
  std::vector<NewFamily> families;
  for (int i = 0; i < 20; ++i) {
    families.push_back({"f" + std::to_string(i), {}});
    families.back().options.write_buffer_size = 70000 + static_cast<uint64_t>(i);
  }
  families.push_back({"f7", {}});
  CHECK_EQ(db.CreateColumnFamilies(families).status().code(), Code::kInvalidArgument);
  families.back() = {"", {}};
  CHECK_EQ(db.CreateColumnFamilies(families).status().code(), Code::kInvalidArgument);
  families.pop_back();
  subject.FailToCreate("OPTIONS");
  CHECK_EQ(db.CreateColumnFamilies(families).status().code(), Code::kNoSpace);
  subject.fs.set_judge(nullptr);
  CHECK_EQ(db.Families().size(), 1);
  CHECK(db.CreateColumnFamilies({})->empty());

  subject.fs.log().clear();
  const auto ids = db.CreateColumnFamilies(families);
  REQUIRE_MESSAGE(ids.ok(), ids.status().ToString());
  REQUIRE_EQ(ids->size(), families.size());
  const std::vector<std::string>& log = subject.fs.log();
  for (const std::string event : {"create OPTIONS", "sync MANIFEST"}) {
    CHECK_EQ(std::count_if(log.begin(), log.end(),
                           [&](const std::string& line) { return line.starts_with(event); }),
             1);
  }
  for (size_t i = 0; i < ids->size(); ++i) {
    CHECK_EQ((*ids)[i], i + 1);
    CHECK_EQ(db.FindFamily(families[i].name), (*ids)[i]);
    REQUIRE(PutIn(db, (*ids)[i], "key", families[i].name).ok());
  }
  DB& again = subject.Open();
  CHECK_EQ(again.Families().size(), 21);
  for (size_t i = 0; i < ids->size(); ++i) {
    const auto options = again.OptionsOf((*ids)[i]);
    REQUIRE(options.ok());
    CHECK_EQ(options->write_buffer_size, 70000 + i);
    CHECK_EQ((**again.Get({}, "key", (*ids)[i])).view(), families[i].name);
  }
}

// Dropping makes room on a disk that is full.
TEST_CASE("DropColumnFamily: it does not need an OPTIONS file that can be written") {
  Subject subject;
  DB& db = subject.Open();
  ColumnFamilyOptions small;
  small.write_buffer_size = 77777;
  const auto id = db.CreateColumnFamily("once", small);
  REQUIRE(id.ok());
  subject.FailToCreate("OPTIONS");
  CHECK(db.DropColumnFamily(*id).ok());
  CHECK_FALSE(db.FindFamily("once").has_value());
  CHECK_EQ(subject.FamiliesOfOptions(), Names{"default", "once"});
  subject.fs.set_judge(nullptr);

  SUBCASE("the next opening puts the file right") {
    subject.options.create_missing_column_families = true;  // The file does not make families.
    CHECK_FALSE(subject.Open().FindFamily("once").has_value());
    CHECK_EQ(subject.FamiliesOfOptions(), Names{"default"});
  }
  SUBCASE("the next change does") {
    REQUIRE(db.SetOptions({{"write_buffer_size", "1m"}}).ok());
    CHECK_EQ(subject.FamiliesOfOptions(), Names{"default"});
  }
  SUBCASE("another of that name has nothing of it") {
    REQUIRE(db.CreateColumnFamily("once", {}).ok());
    DB& again = subject.Open();
    const auto options = again.OptionsOf(again.FindFamily("once").value());
    REQUIRE(options.ok());
    CHECK_EQ(options->write_buffer_size, ColumnFamilyOptions().write_buffer_size);
  }
}

// The process dies at each of the mutations in turn. RocksDB's tools read a database whose newest
// OPTIONS file lacks a family, and refuse one whose file lists a family too many.
TEST_CASE("CreateColumnFamilies, DropColumnFamily: cut short anywhere, there are options") {
  ColumnFamilyOptions small;
  small.write_buffer_size = 77777;
  small.num_levels = 9;
  const NewFamily new_ones[] = {{"other", small}, {"more", small}};
  for (const bool drop : {false, true}) {
    bool done = false, was_there = false, was_gone = false;
    for (int fatal = 0; !done; ++fatal) {
      CAPTURE(drop);
      CAPTURE(fatal);
      Subject subject;
      DB& db = subject.Open();
      REQUIRE(db.CreateColumnFamily("first", small).ok());
      REQUIRE(db.Put({}, "key", "value").ok());
      if (drop) REQUIRE(db.CreateColumnFamily("other", small).ok());
      int mutations = 0;
      subject.fs.set_judge([&](const std::string&) {
        return mutations++ < fatal ? Status::Ok() : Status::IoError("gone");
      });
      const Status changed = drop ? db.DropColumnFamily(db.FindFamily("other").value())
                                  : db.CreateColumnFamilies(new_ones).status();
      done = mutations <= fatal;
      subject.db.reset();
      subject.fs.set_judge(nullptr);

      const Names listed = subject.FamiliesOfOptions();
      DB& after = subject.Open();
      const auto other = after.FindFamily("other");
      (other ? was_there : was_gone) = true;
      if (changed.ok()) CHECK_EQ(other.has_value(), !drop);
      if (changed.ok()) CHECK_EQ(after.FindFamily("more").has_value(), !drop);
      for (const std::string& name : listed) CHECK(after.FindFamily(name).has_value());
      for (const FamilyInfo& family : after.Families()) {
        if (family.name == "default") continue;
        const auto options = after.OptionsOf(family.id);
        REQUIRE(options.ok());
        CHECK_EQ(options->write_buffer_size, 77777);
        CHECK_EQ(options->num_levels, 9);
      }
      CHECK((*after.Get({}, "key")).has_value());
      // All is as ever again, with nothing left over.
      CHECK_EQ(subject.FamiliesOfOptions().size(), after.Families().size());
      CHECK_EQ(subject.CountFiles(".dbtmp"), 0);
    }
    CHECK(was_there);
    CHECK(was_gone);
  }
}

// A later OPTIONS file must not make true what was said to have failed.
TEST_CASE("SetOptions: one that fails changes nothing, now or after reopening") {
  for (const std::string event :
       {"create OPTIONS", "append OPTIONS", "sync OPTIONS", "rename OPTIONS", "sync_directory"}) {
    CAPTURE(event);
    Subject subject;
    DB& db = subject.Open();
    subject.fs.set_judge([&](const std::string& what) {
      return what.starts_with(event) ? Status::IoError("no") : Status::Ok();
    });
    CHECK_EQ(db.SetOptions({{"write_buffer_size", "77777"}}).code(), Code::kIoError);
    subject.fs.set_judge(nullptr);
    CHECK_EQ(db.OptionsOf()->write_buffer_size, ColumnFamilyOptions().write_buffer_size);
    CHECK_EQ(subject.CountFiles(".dbtmp"), 0);
    CHECK_EQ(subject.Open().OptionsOf()->write_buffer_size,
             ColumnFamilyOptions().write_buffer_size);
    REQUIRE(subject.db->SetOptions({{"max_write_buffer_number", "3"}}).ok());
    CHECK_EQ(subject.Open().OptionsOf()->write_buffer_size,
             ColumnFamilyOptions().write_buffer_size);
    CHECK_EQ(subject.db->OptionsOf()->max_write_buffer_number, 3);
  }
}

TEST_CASE("SetOptions: changes that are too many to take effect are not kept either") {
  Subject subject;
  DB& db = subject.Open();
  Status set;
  for (int i = 0; i < 20'000 && set.ok(); ++i) {
    set = db.SetOptions({{"write_buffer_size", i % 2 == 0 ? "70000" : "70001"}});
  }
  REQUIRE_EQ(set.code(), Code::kBusy);
  const uint64_t effective = db.OptionsOf()->write_buffer_size;
  CHECK_EQ(subject.Open().OptionsOf()->write_buffer_size, effective);
}

TEST_CASE("Checkpoint: one that fails leaves nothing") {
  Subject subject;
  DB& db = subject.Open();
  REQUIRE(db.Put({}, "key", "value").ok());
  bool failing = false;
  for (const std::string step : {"rename copy.checkpoint", "sync_directory ."}) {
    CAPTURE(step);
    failing = false;
    subject.fs.set_judge([&](const std::string& event) {
      failing |= event.starts_with("rename copy.checkpoint");
      return failing && event.starts_with(step) ? Status::IoError("no") : Status::Ok();
    });
    CHECK_EQ(db.Checkpoint("copy").code(), Code::kIoError);
    CHECK(failing);
    CHECK_FALSE(subject.fs.Exists("copy"));
    CHECK_FALSE(subject.fs.Exists("copy.checkpoint"));
  }
  subject.fs.set_judge(nullptr);
  CHECK(db.Checkpoint("copy").ok());
}

TEST_CASE("Checkpoint: its OPTIONS list its families, whatever is created meanwhile") {
  Subject subject;
  DB& db = subject.Open();
  ColumnFamilyOptions small;
  small.write_buffer_size = 77777;
  REQUIRE(db.CreateColumnFamily("old", small).ok());
  bool created = false;
  subject.fs.set_judge([&](const std::string& event) {
    // The copy has begun: the moment that it is of has passed.
    if (event.starts_with("create ") && event.ends_with(".log") && !std::exchange(created, true)) {
      CHECK(db.CreateColumnFamily("new", {}).ok());
    }
    return Status::Ok();
  });
  REQUIRE(db.Checkpoint("copy").ok());
  REQUIRE(created);
  subject.fs.set_judge(nullptr);
  CHECK_EQ(subject.FamiliesOfOptions("copy"), Names{"default", "old"});
  CHECK_EQ(subject.FamiliesOfOptions(), Names{"default", "old", "new"});
}

TEST_CASE("Close: a family that cannot be flushed costs no other family its writes in no log") {
  Subject subject;
  DB& db = subject.Open();
  const auto stuck = db.CreateColumnFamily("stuck", {});
  const auto other = db.CreateColumnFamily("other", {});
  REQUIRE(stuck.ok());
  REQUIRE(other.ok());
  for (const ColumnFamilyId family : {*stuck, *other}) {
    WriteBatch batch;
    batch.Put("key", "value", family);
    REQUIRE(db.Write({.durability = Durability::kNone}, std::move(batch)).ok());
  }
  bool first = true;  // That of "stuck", whose memtable is sealed first.
  subject.fs.set_judge([&](const std::string& event) {
    const bool table = event.starts_with("create ") && event.ends_with(".sst");
    return table && std::exchange(first, false) ? Status::IoError("a bad block") : Status::Ok();
  });
  CHECK_EQ(db.Close().code(), Code::kIoError);
  subject.fs.set_judge(nullptr);
  DB& again = subject.Open();
  CHECK_FALSE(again.Get({}, "key", *stuck)->has_value());
  CHECK(again.Get({}, "key", *other)->has_value());
}

TEST_CASE("Checkpoint: it has the writes that are in no log") {
  Subject subject;
  DB& db = subject.Open();
  REQUIRE(db.Put({.durability = Durability::kNone}, "key", "value").ok());
  REQUIRE(db.Checkpoint("copy").ok());
  subject.options.create_if_missing = false;
  auto copy = DB::Open(subject.options, "copy");
  REQUIRE(copy.ok());
  CHECK((*copy)->Get({}, "key")->has_value());
}

TEST_CASE("DropColumnFamily: a family that stays readable, until it is forgotten") {
  Subject subject;
  DB& db = subject.Open();
  const auto id = db.CreateColumnFamily("dropped", {});
  REQUIRE(id.ok());
  REQUIRE(PutIn(db, *id, "in a table", "1").ok());
  REQUIRE(db.Flush({}, *id).ok());
  REQUIRE(PutIn(db, *id, "in memory", "2").ok());
  REQUIRE(db.DropColumnFamily(*id, {.keep_readable = true}).ok());
  // Its place in the list of families is needed by others.
  for (int i = 0; i < 40; ++i) REQUIRE(db.CreateColumnFamily(std::to_string(i), {}).ok());
  REQUIRE(db.CreateColumnFamily("dropped", {}).ok());
  for (const std::string_view key : {"in a table", "in memory"}) {
    const auto value = db.Get({}, key, *id);
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    CHECK(value->has_value());
    const auto values = db.MultiGet({}, std::vector<std::string_view>{key}, *id);
    REQUIRE(values[0].ok());
    CHECK(values[0]->has_value());
  }
  {
    auto it = db.NewIterator({}, *id);
    REQUIRE(it.ok());
    it->SeekToFirst();
    REQUIRE(it->Valid());
    CHECK_EQ(it->key(), "in a table");
  }
  CHECK(PutIn(db, *id, "late", "3").code() == Code::kInvalidArgument);
  CHECK(db.Flush({}, *id).code() == Code::kInvalidArgument);
  CHECK(db.DropColumnFamily(*id).code() == Code::kInvalidArgument);
  CHECK_EQ(subject.CountFiles(".sst"), 1);
  db.ForgetDroppedFamily(*id);
  CHECK_EQ(subject.CountFiles(".sst"), 0);
  CHECK(db.Get({}, "in memory", *id).status().code() == Code::kInvalidArgument);
  db.ForgetDroppedFamily(*id);
  db.ForgetDroppedFamily(kDefaultColumnFamilyId);
  REQUIRE(db.Put({}, "key", "value").ok());
  CHECK(db.Get({}, "key")->has_value());
}

TEST_CASE("DropColumnFamily: the logs that only it needed go with it") {
  constexpr uint64_t kLimit = 64 << 10;
  for (const bool others_have_data : {false, true}) {
    CAPTURE(others_have_data);
    Subject subject;
    subject.options.max_total_wal_size = kLimit;
    DB& db = subject.Open();
    const auto id = db.CreateColumnFamily("large", {});
    REQUIRE(id.ok());
    if (others_have_data) REQUIRE(db.Put({}, "key", "value").ok());
    REQUIRE(PutIn(db, *id, "key", std::string(2 * kLimit, 'x')).ok());
    REQUIRE_GT(subject.WalBytes(), kLimit);
    REQUIRE(db.DropColumnFamily(*id).ok());
    REQUIRE(db.WaitForBackgroundWork().ok());
    CHECK_LE(subject.WalBytes(), kLimit);
    // Nothing else is gone.
    REQUIRE(subject.Open().Get({}, "key").ok());
    CHECK_EQ(subject.db->Get({}, "key")->has_value(), others_have_data);
  }
}

TEST_CASE("SetWalLimit: a dropped family adds nothing to the limit of the logs") {
  constexpr uint64_t kBuffer = 64 << 10, kRecord = 33 << 10;
  constexpr uint64_t kLimit = 2 * (4 * 2 * kBuffer);  // The default family, and "quiet".
  Subject subject;
  subject.options.family.write_buffer_size = kBuffer;
  subject.options.family.max_write_buffer_number = 2;
  DB& db = subject.Open();
  ColumnFamilyOptions large;
  large.write_buffer_size = uint64_t{64} << 20;
  const auto id = db.CreateColumnFamily("large", large);
  REQUIRE(id.ok());
  REQUIRE(db.DropColumnFamily(*id).ok());
  const auto quiet = db.CreateColumnFamily("quiet", subject.options.family);
  REQUIRE(quiet.ok());
  REQUIRE(PutIn(db, *quiet, "pins the first log", "").ok());
  uint64_t peak = 0;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(db.Put({}, std::to_string(i), std::string(32 << 10, 'x')).ok());
    peak = std::max(peak, subject.WalBytes());
  }
  // One record goes beyond it; two more are written until both families are flushed.
  CHECK_LE(peak, kLimit + 3 * kRecord);
  CHECK_GE(peak, kLimit - kRecord);
}

TEST_CASE("WaitForBackgroundWork: the failure of a dropped family is not reported") {
  Subject subject;
  DB& db = subject.Open();
  const auto id = db.CreateColumnFamily("stuck", {});
  REQUIRE(id.ok());
  REQUIRE(PutIn(db, *id, "key", "value").ok());
  subject.FailToCreate(".sst");
  REQUIRE_EQ(db.Flush({}, *id).code(), Code::kNoSpace);
  REQUIRE_EQ(db.WaitForBackgroundWork().code(), Code::kNoSpace);
  REQUIRE(db.DropColumnFamily(*id).ok());
  const Status rest = db.WaitForBackgroundWork();
  CHECK_MESSAGE(rest.ok(), rest.ToString());
}

TEST_CASE("Write: a family that cannot be flushed stops its own writers only") {
  Subject subject;
  subject.options.family.write_buffer_size = 64 << 10;
  subject.options.family.max_write_buffer_number = 2;
  DB& db = subject.Open();
  const auto stuck = db.CreateColumnFamily("stuck", subject.options.family);
  REQUIRE(stuck.ok());
  subject.FailToCreate(".sst");
  const std::string value(32 << 10, 'x');
  Status written;
  for (int i = 0; i < 100 && written.ok(); ++i) {
    written = PutIn(db, *stuck, std::to_string(i), value);
  }
  REQUIRE_EQ(written.code(), Code::kNoSpace);  // Its own failure is told.

  const Status other = db.Put({}, "key", "value");
  CHECK_MESSAGE(other.ok(), other.ToString());
  const Status hasty = db.Put({.no_slowdown = true}, "key", "value");
  CHECK_MESSAGE(hasty.ok(), hasty.ToString());
  WriteBatch both;
  both.Put("key", "value", kDefaultColumnFamilyId);
  both.Put("key", "value", *stuck);
  CHECK_EQ(db.Write({}, std::move(both)).code(), Code::kNoSpace);

  subject.fs.set_judge(nullptr);  // There is space again: whoever writes to it tries again.
  const Status again = PutIn(db, *stuck, "key", value);
  CHECK_MESSAGE(again.ok(), again.ToString());
}

// The MANIFEST still has the edits of the family that was dropped.
TEST_CASE("Families: one that was dropped may have had more levels than its namesake") {
  Subject t;
  DB& db = t.Open();
  ColumnFamilyOptions options;
  options.num_levels = 10;
  const ColumnFamilyId deep = *db.CreateColumnFamily("deep", options);
  REQUIRE(db.Put({}, "k", "old", deep).ok());
  REQUIRE(db.CompactRange({}, std::nullopt, std::nullopt, deep).ok());
  REQUIRE_EQ(db.Levels(deep).back().level, 9);
  REQUIRE(db.DropColumnFamily(deep).ok());
  options.num_levels = 4;
  const ColumnFamilyId shallow = *db.CreateColumnFamily("deep", options);
  REQUIRE(db.Put({}, "k", "new", shallow).ok());
  REQUIRE(db.Flush({}, shallow).ok());
  DB& again = t.Open();
  CHECK_EQ((*again.Get({}, "k", shallow))->view(), "new");
}

}  // namespace
}  // namespace varve
