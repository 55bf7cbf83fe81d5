// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/manifest_timeline.h"

#include "core/format/file_name.h"
#include "core/format/internal_key.h"
#include "tests/unit/inspect/inspected_db.h"

namespace varve {
namespace {

VersionEdit::NewFile Added(FileNumber number, int level = 0) {
  VersionEdit::NewFile file{level, {}};
  file.file.number = number;
  return file;
}

TEST_CASE("KindOfEdit: what an edit was for follows from what it says") {
  VersionEdit edit;
  CHECK(KindOfEdit(edit) == EditKind::kCounters);
  edit.log_number = 7;
  CHECK(KindOfEdit(edit) == EditKind::kCounters);
  edit.new_files = {Added(12)};
  CHECK(KindOfEdit(edit) == EditKind::kSnapshot);  // Without a counter.
  edit.next_file_number = 13;
  CHECK(KindOfEdit(edit) == EditKind::kFlush);
  edit.comparator = "leveldb.BytewiseComparator";
  CHECK(KindOfEdit(edit) == EditKind::kSnapshot);  // LevelDB's.
  edit.comparator.reset();
  edit.log_number.reset();
  CHECK(KindOfEdit(edit) == EditKind::kIngestion);
  edit.deleted_files = {{0, 11}};
  CHECK(KindOfEdit(edit) == EditKind::kCompaction);
  edit.deleted_files = {{0, 12}};
  CHECK(KindOfEdit(edit) == EditKind::kTrivialMove);
  edit.deleted_files = {{0, 12}, {0, 11}};
  CHECK(KindOfEdit(edit) == EditKind::kCompaction);
  edit.new_files = {Added(11, 6), Added(12, 6)};  // In another order.
  CHECK(KindOfEdit(edit) == EditKind::kTrivialMove);
  edit.new_files.clear();
  CHECK(KindOfEdit(edit) == EditKind::kDeletion);
  edit.drop_family = true;
  CHECK(KindOfEdit(edit) == EditKind::kDropFamily);
  edit.add_family = "new";
  CHECK(KindOfEdit(edit) == EditKind::kAddFamily);
}

TEST_CASE("EditKindName: each kind has a name of its own") {
  std::vector<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(EditKind::kCounters); ++kind) {
    names.push_back(EditKindName(static_cast<EditKind>(kind)));
  }
  CHECK(names == std::vector<std::string_view>{"snapshot", "flush", "ingestion", "compaction",
                                               "trivial_move", "deletion", "add_family",
                                               "drop_family", "counters"});
}

// kind:family of each edit; checks that they tile the file.
std::string Kinds(ManifestTimeline& timeline) {
  std::string text;
  uint64_t number = 0, end = 0;
  for (;;) {
    const auto edit = timeline.Next();
    REQUIRE_MESSAGE(edit.ok(), edit.status().ToString());
    if (!edit->has_value()) break;
    CHECK_EQ((*edit)->number, ++number);
    CHECK_EQ((*edit)->offset, end);
    end = (*edit)->offset + (*edit)->size;
    CHECK_EQ((*edit)->added.size(), (*edit)->edit.new_files.size());
    uint64_t bytes = 0;
    for (const FileReport& file : (*edit)->added) {
      CHECK_EQ(file.added_by, number);
      bytes += file.size;
    }
    CHECK_EQ((*edit)->added_bytes, bytes);
    text += std::string(EditKindName((*edit)->kind)) + ":" + (*edit)->family + " ";
  }
  CHECK_EQ(end, timeline.file_size());
  return text;
}

TEST_CASE("ManifestTimeline: what was done to a database, in order, with families by name") {
  InspectedDb t;
  const ColumnFamilyId other = *t.db->CreateColumnFamily("other", t.options.family);
  t.Put("a", "1", other);
  REQUIRE(t.db->Flush({}, other).ok());
  t.Put("a", "2", other);
  REQUIRE(t.db->Flush({}, other).ok());
  REQUIRE(t.db->CompactRange({}, std::nullopt, std::nullopt, other).ok());
  REQUIRE(t.db->DropColumnFamily(other).ok());
  t.Close();
  auto timeline = ManifestTimeline::Open(t.fs, "db");
  REQUIRE(timeline.ok());
  const std::string kinds = Kinds(*timeline);
  const size_t added = kinds.find("add_family:other ");
  const size_t flushed = kinds.find("flush:other ", added);
  const size_t compacted = kinds.find("compaction:other ", flushed);
  CHECK_NE(compacted, std::string::npos);
  CHECK_NE(kinds.find("drop_family:other ", compacted), std::string::npos);
  CHECK(timeline->Families() == std::vector<std::string>{"default", "other"});
  CHECK_EQ(timeline->torn_bytes(), 0);
}

TEST_CASE("FindManifest: of a directory the one that CURRENT names; a file is one itself") {
  InspectedDb t;
  t.Close();
  const auto current = FindManifest(t.fs, "db");
  REQUIRE(current.ok());
  CHECK_EQ(current->path, "db/" + ManifestFileName(current->number));
  const auto itself = FindManifest(t.fs, current->path);
  REQUIRE(itself.ok());
  CHECK_EQ(itself->number, current->number);
  CHECK_EQ(itself->directory, "db");
  REQUIRE(t.fs.Rename(current->path, "saved").ok());
  const auto renamed = FindManifest(t.fs, "saved");
  REQUIRE(renamed.ok());
  CHECK_EQ(renamed->number, 0);
  CHECK_EQ(renamed->directory, ".");
  CHECK(FindManifest(t.fs, "nowhere").status().code() == Code::kNotFound);
}

TEST_CASE("ManifestTimeline: torn, it has the edits before; damaged, the place is named") {
  InspectedDb t;
  t.Put("a", "1");
  t.Flush();
  t.Put("b", "1");
  t.Flush();
  t.Close();
  const std::string path = FindManifest(t.fs, "db")->path;
  const uint64_t size = *t.fs.FileSize(path);
  const std::string name = path.substr(path.rfind('/') + 1);
  int edits = 0;
  {
    auto timeline = ManifestTimeline::Open(t.fs, path);
    for (; timeline->Next()->has_value(); ++edits) {
    }
  }
  t.Flip(name, 20);
  {
    auto timeline = ManifestTimeline::Open(t.fs, path);
    REQUIRE(timeline.ok());
    auto edit = timeline->Next();
    while (edit.ok() && edit->has_value()) edit = timeline->Next();
    CHECK(edit.status().code() == Code::kCorruption);
    CHECK(edit.status().message().find(name + "@") != std::string::npos);
  }
  t.Flip(name, 20);
  REQUIRE(t.fs.Truncate(path, size - 1).ok());
  auto timeline = ManifestTimeline::Open(t.fs, path);
  int left = 0;
  for (; timeline->Next()->has_value(); ++left) {
  }
  CHECK_EQ(left, edits - 1);
  CHECK_GT(timeline->torn_bytes(), 0);
}

TEST_CASE("ReportDescription: bounds as keys; a unique id as text if there is one") {
  FileDescription file;
  file.number = 7;
  file.size = 1000;
  file.smallest = EncodeInternalKey({"a", 9, ValueType::kDeletion});
  file.largest = "short";  // Of a hostile MANIFEST.
  FileReport report = ReportDescription(file, 3);
  CHECK_EQ(report.name, "000007.sst");
  CHECK_EQ(report.level, 3);
  CHECK_EQ(report.smallest.key, "a");
  CHECK_EQ(report.smallest.sequence, 9);
  CHECK_EQ(report.smallest.type, "delete");
  CHECK_EQ(report.largest.key, "short");
  CHECK_EQ(report.largest.type, "unknown");
  CHECK(report.unique_id.empty());
  file.unique_id = {1, 0xabc};
  report = ReportDescription(file, 3);
  CHECK_EQ(report.unique_id.size(), 32);
}

}  // namespace
}  // namespace varve
