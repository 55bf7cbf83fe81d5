// SPDX-License-Identifier: Apache-2.0
#include "core/engine/files/version_log.h"

#include <atomic>
#include <thread>

#include "tests/unit/engine/engine_parts.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unit/version/version_fixture.h"

namespace varve {
namespace {

struct Fixture : EngineParts {
  using EngineParts::EngineParts;

  // A table that exists, with one sequence; nothing refers to it yet.
  FileDescription NewTable(std::string_view smallest, std::string_view largest, Sequence sequence) {
    FileDescription table = MakeFile(log->NewFileNumber(), smallest, largest, sequence, sequence);
    WriteFile(fs, "db/" + TableFileName(table.number), "bytes");
    return table;
  }
  Status Log(const VersionEdit& edit, const std::function<void()>& on_install = [] {}) {
    return log->Log([&] { return std::vector{edit}; }, on_install);
  }
  Status LogAll(const std::vector<VersionEdit>& edits) {
    return log->Log([&] { return edits; }, [] {});
  }
  std::string Text() {
    MutexLock lock(context.mutex());
    return StateText(log->state());
  }
};

VersionEdit Of(ColumnFamilyId family, VersionEdit edit) {
  edit.family = family;
  return edit;
}
VersionEdit WithLast(VersionEdit edit, Sequence last) {
  edit.last_sequence = last;
  return edit;
}

TEST_CASE("VersionLog: memory has exactly what an opening would read") {
  Fixture t({}, 2);
  REQUIRE(t.Log(WithLast(AddFiles(0, {t.NewTable("a", "m", 5)}), 5)).ok());
  REQUIRE(t.Log(WithLast(Of(1, AddFiles(6, {t.NewTable("a", "m", 7)})), 7)).ok());
  VersionEdit flushed;
  flushed.log_number = 9;
  REQUIRE(t.Log(flushed).ok());
  CHECK_EQ(t.Text(), StateText(t.Stored()));
}

TEST_CASE("VersionLog: the record is durable before anything changes, readers come last (S4)") {
  Fixture t;
  const VersionEdit edit = WithLast(AddFiles(0, {t.NewTable("a", "m", 5)}), 5);
  t.fs.log().clear();
  t.fs.set_judge([&t](const std::string&) {
    CHECK_EQ(t.FilesOn(0, 0), 0);
    return Status::Ok();
  });
  bool installed = false;
  REQUIRE(t.Log(edit, [&]() REQUIRES(engine_mutex) {
             installed = true;
             CHECK(t.fs.log() ==
                   std::vector<std::string>{"append MANIFEST-000005", "sync MANIFEST-000005"});
             CHECK_EQ(t.log->VersionOf(0)->files(0).size(), 1);
             CHECK(t.all[0]->views().Current()->version->files(0).empty());
           }).ok());
  CHECK(installed);
  CHECK_EQ(t.all[0]->views().Current()->version->files(0).size(), 1);
}

TEST_CASE("VersionLog: counters are filled in, and sequences never go back") {
  Fixture t;
  t.context.visible = 40;
  REQUIRE(t.Log(WithLast(AddFiles(0, {t.NewTable("a", "b", 5)}), 30)).ok());
  CHECK_EQ(t.Stored().counters.last_sequence, 40);
  REQUIRE(t.Log(WithLast(AddFiles(6, {t.NewTable("a", "b", 1)}), 50)).ok());
  CHECK_EQ(t.Stored().counters.last_sequence, 50);
  REQUIRE(t.Log(AddFiles(6, {t.NewTable("c", "d", 1)})).ok());
  CHECK_EQ(t.Stored().counters.last_sequence, 50);
  CHECK_EQ(t.Stored().counters.next_file_number, t.log->next_file_number());
}

TEST_CASE("VersionLog: if the record fails, memory stays, writes are closed, no table is deleted") {
  for (const char* const failing : {"append MANIFEST", "sync MANIFEST"}) {
    Fixture t;
    const FileDescription old = t.NewTable("a", "m", 5);
    REQUIRE(t.Log(WithLast(AddFiles(0, {old}), 5)).ok());
    const std::string before = t.Text();
    VersionEdit edit = AddFiles(6, {t.NewTable("a", "m", 5)});
    edit.deleted_files.push_back({0, old.number});
    t.fs.set_judge([failing](const std::string& event) {
      return event.starts_with(failing) ? Status::NoSpace("full") : Status::Ok();
    });
    CHECK(t.Log(edit, [] { FAIL("it is not installed"); }).code() == Code::kNoSpace);
    t.fs.set_judge(nullptr);
    CHECK_EQ(t.Text(), before);
    CHECK_FALSE(t.context.errors.writable());
    CHECK(t.Exists(TableFileName(old.number)));
    // Not even one that could be written: nobody knows what the file holds.
    t.fs.log().clear();
    CHECK(t.Log(AddFiles(6, {t.NewTable("n", "z", 5)})).code() == Code::kNoSpace);
    CHECK_EQ(t.fs.Find("append MANIFEST"), t.fs.log().size());
  }
}

TEST_CASE("VersionLog: edits that may not be are refused, nothing is logged, and writes go on") {
  Fixture t;
  REQUIRE(t.Log(WithLast(AddFiles(6, {t.NewTable("a", "m", 5)}), 5)).ok());
  const std::string before = t.Text();
  const auto refused = [&](const VersionEdit& edit, Code code) {
    t.fs.log().clear();
    const Status logged = t.Log(edit, [] { FAIL("it is not installed"); });
    CHECK_MESSAGE(logged.code() == code, logged.ToString());
    CHECK_EQ(t.fs.Find("append MANIFEST"), t.fs.log().size());
    CHECK_EQ(t.Text(), before);
    CHECK(t.context.errors.writable());
  };
  refused(AddFiles(6, {t.NewTable("k", "z", 5)}), Code::kCorruption);  // They overlap.
  VersionEdit unknown;
  unknown.deleted_files.push_back({6, 4711});
  refused(unknown, Code::kCorruption);
  refused(AddFiles(0, {t.NewTable("a", "b", 99)}), Code::kCorruption);  // A sequence to come.
  refused(Of(7, AddFiles(0, {t.NewTable("a", "b", 5)})), Code::kInvalidArgument);
  REQUIRE(t.Log(AddFiles(6, {t.NewTable("n", "z", 5)})).ok());
}

TEST_CASE("VersionLog: several edits are one group, of which a cut MANIFEST has none") {
  Fixture t({}, 2);
  REQUIRE(t.LogAll({WithLast(AddFiles(0, {t.NewTable("a", "b", 5)}), 5),
                    Of(1, AddFiles(0, {t.NewTable("a", "b", 4)}))})
              .ok());
  CHECK_EQ(t.Text(), StateText(t.Stored()));
  const uint64_t size = *t.fs.FileSize("db/MANIFEST-000005");
  REQUIRE(t.fs.Truncate("db/MANIFEST-000005", size - 1).ok());
  const DatabaseState stored = t.Stored();
  for (const FamilyState& family : stored.families.all()) {
    CHECK_EQ(family.version->TotalFiles(), 0);
  }
}

TEST_CASE("VersionLog: a table that leaves is deleted when nobody uses it; one that moves is not") {
  Fixture t;
  const FileDescription leaving = t.NewTable("a", "b", 5), moving = t.NewTable("c", "d", 6);
  FileDescription stays = moving;
  stays.epoch = 2;
  FileDescription first = leaving;
  first.epoch = 1;
  REQUIRE(t.Log(WithLast(AddFiles(0, {first, stays}), 6)).ok());
  std::shared_ptr<const ReadView> reader = t.all[0]->views().Current();
  VersionEdit edit = AddFiles(6, {stays});
  edit.deleted_files = {{0, leaving.number}, {0, moving.number}};
  REQUIRE(t.Log(edit).ok());
  CHECK(t.Exists(TableFileName(leaving.number)));  // A reader has it.
  reader.reset();
  t.gc.Collect();
  CHECK_FALSE(t.Exists(TableFileName(leaving.number)));
  CHECK(t.Exists(TableFileName(moving.number)));
}

TEST_CASE("VersionLog: a dropped family's tables go; its id is nobody's any more") {
  Fixture t({}, 2);
  const FileDescription table = t.NewTable("a", "b", 5);
  REQUIRE(t.Log(WithLast(Of(1, AddFiles(6, {table})), 5)).ok());
  VersionEdit drop;
  drop.family = 1;
  drop.drop_family = true;
  REQUIRE(t.Log(drop, [&] {
             t.context.AssertNotShared();
             t.all[1]->Drop(EmptyVersion(*BytewiseComparator(), t.context.tables.get(), {}));
           }).ok());
  CHECK_EQ(t.Stored().families.size(), 1);
  t.gc.Collect();
  CHECK_FALSE(t.Exists(TableFileName(table.number)));
  {
    MutexLock lock(t.context.mutex());
    CHECK(t.log->VersionOf(1) == nullptr);
    CHECK_EQ(t.log->NewEpoch(1), 0);
  }
  CHECK(t.Log(Of(1, AddFiles(6, {t.NewTable("a", "b", 5)}))).code() == Code::kInvalidArgument);
}

TEST_CASE("VersionLog: new families are there together, with names, orders and logs") {
  Fixture t;
  std::vector<FamilyState> families;
  for (const ColumnFamilyId id : {ColumnFamilyId{1}, ColumnFamilyId{2}}) {
    FamilyState& family = families.emplace_back();
    family.id = id;
    family.name = "new" + std::to_string(id);
    family.comparator = BytewiseComparator();
    family.comparator_name = std::string(BytewiseComparator()->name());
    family.log_number = 6;
    family.version = EmptyVersion(*BytewiseComparator(), t.context.tables.get(), {});
  }
  bool installed = false;
  REQUIRE(t.log->LogNewFamilies(families, [&] { installed = true; }).ok());
  CHECK(installed);
  CHECK_EQ(t.Text(), StateText(t.Stored()));
  CHECK_EQ(t.Stored().families.size(), 3);
  CHECK_EQ(t.Stored().HighestFamilyId(), 2);
}

TEST_CASE("VersionLog: epochs ascend, one for each new table of level 0") {
  Fixture t;
  MutexLock lock(t.context.mutex());
  const uint64_t first = t.log->NewEpoch(0);
  CHECK_EQ(t.log->NewEpoch(0), first + 1);
}

TEST_CASE(
    "VersionLog: a MANIFEST that is too long is replaced, and goes when CURRENT does not name it") {
  Options options;
  options.max_manifest_file_size = 300;
  Fixture t(options);
  for (Sequence s = 1; s <= 30; ++s) {
    const std::string key = std::to_string(100 + s);
    REQUIRE(t.Log(WithLast(AddFiles(6, {t.NewTable(key, key, s)}), s)).ok());
    CHECK_EQ(t.Text(), StateText(t.Stored()));
  }
  const std::vector<std::string> files = t.Files();
  CHECK_EQ(std::count_if(files.begin(), files.end(),
                         [](const std::string& name) { return name.starts_with("MANIFEST"); }),
           1);
  CHECK_FALSE(t.Exists("MANIFEST-000005"));
}

TEST_CASE("VersionLog: a new MANIFEST that cannot be written leaves CURRENT at the old one") {
  Options options;
  options.max_manifest_file_size = 1;
  Fixture t(options);
  REQUIRE(t.Log(WithLast(AddFiles(6, {t.NewTable("a", "b", 1)}), 1)).ok());
  const std::string before = t.Text();
  VersionEdit large = AddFiles(6, {});
  for (int i = 0; i < 50; ++i) {
    const std::string key = "k" + std::to_string(100 + i);
    large.new_files.push_back({6, t.NewTable(key, key, 1)});
  }
  REQUIRE(t.Log(large).ok());  // So that the next one rolls over.
  const std::string after = t.Text();
  t.fs.set_judge([](const std::string& event) {
    return event.starts_with("create MANIFEST") ? Status::NoSpace("full") : Status::Ok();
  });
  CHECK(t.Log(AddFiles(6, {t.NewTable("x", "y", 1)})).code() == Code::kNoSpace);
  t.fs.set_judge(nullptr);
  CHECK_EQ(t.Text(), after);
  CHECK_EQ(StateText(t.Stored()), after);
}

TEST_CASE("VersionLog: edits of several threads come one after the other, and none is lost") {
  Fixture t;
  constexpr int kThreads = 4, kEdits = 25;
  std::vector<std::vector<VersionEdit>> edits(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < kEdits; ++i) {
      const std::string key = std::to_string(thread) + ":" + std::to_string(1000 + i);
      edits[static_cast<size_t>(thread)].push_back(
          WithLast(AddFiles(6, {t.NewTable(key, key, 1)}), 1));
    }
  }
  std::atomic<int> failed{0}, inside{0}, together{0};
  std::vector<std::thread> threads;
  for (const std::vector<VersionEdit>& mine : edits) {
    threads.emplace_back([&] {
      for (const VersionEdit& edit : mine) {
        const auto make = [&] {
          if (++inside > 1) ++together;
          return std::vector{edit};
        };
        if (!t.log->Log(make, [&] { --inside; }).ok()) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(failed, 0);
  CHECK_EQ(together, 0);
  CHECK_EQ(t.FilesOn(0, 6), kThreads * kEdits);
  CHECK_EQ(t.Text(), StateText(t.Stored()));
}

}  // namespace
}  // namespace varve
