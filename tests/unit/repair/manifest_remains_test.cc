// SPDX-License-Identifier: Apache-2.0
#include "core/repair/manifest_remains.h"

#include "tests/unit/repair/repair_files.h"

namespace varve {
namespace {

ManifestRemains Read(RepairFiles& db) {
  const auto files = SurveySource(db.fs(), "db");
  REQUIRE(files.ok());
  auto remains = ReadManifestRemains(db.fs(), "db", *files);
  REQUIRE_MESSAGE(remains.ok(), remains.status().ToString());
  return *std::move(remains);
}

// Two tables, of which the second edit replaces one.
struct History {
  explicit History(RepairFiles& db) {
    edits = {RepairFiles::Begin(9, 4), VersionEdit()};
    edits[0].new_files = {db.Table(6, {{"a", 1, ValueType::kValue, "1"}}),
                          db.Table(7, {{"b", 2, ValueType::kValue, "2"}})};
    edits[1].deleted_files = {{0, 6}};
    edits[1].new_files = {db.Table(8, {{"a", 1, ValueType::kValue, "1"}})};
  }
  std::vector<VersionEdit> edits;
};

TEST_CASE("ReadManifestRemains: a whole one says which tables are needed") {
  RepairFiles db;
  db.Manifest(5, History(db).edits);
  const ManifestRemains remains = Read(db);
  CHECK(remains.whole);
  CHECK_EQ(remains.text, "MANIFEST-000005: 2 edits");
  CHECK_EQ(remains.live.size(), 2);
  CHECK(remains.IsObsolete(6));
  CHECK_FALSE(remains.IsObsolete(7));
  CHECK(remains.IsObsolete(20));
}

TEST_CASE("ReadManifestRemains: with tables behind it, its end is lost") {
  RepairFiles db;
  db.Manifest(5, History(db).edits);
  db.Table(20, {{"c", 3, ValueType::kValue, "3"}});
  const ManifestRemains remains = Read(db);
  CHECK_FALSE(remains.whole);
  CHECK(remains.tables_follow);
  CHECK(remains.IsObsolete(6));
  CHECK_FALSE(remains.IsObsolete(20));
}

TEST_CASE("ReadManifestRemains: of a damaged one, what is in front of the damage") {
  RepairFiles db;
  db.Manifest(5, History(db).edits, "no edit");
  const ManifestRemains remains = Read(db);
  CHECK_FALSE(remains.whole);
  CHECK_FALSE(remains.tables_follow);
  CHECK(remains.text.ends_with("; 2 edits of MANIFEST-000005 could be read"));
  CHECK_EQ(remains.live.at(8).family, kDefaultColumnFamilyId);
  CHECK(remains.IsObsolete(6));
  CHECK_FALSE(remains.IsObsolete(20));
}

TEST_CASE("ReadManifestRemains: tables of a family that was dropped are not needed") {
  RepairFiles db;
  std::vector<VersionEdit> edits = History(db).edits;
  VersionEdit& added = edits.emplace_back();
  added.family = 1;
  added.add_family = "f";
  added.comparator = std::string(ReverseBytewiseComparator()->name());
  VersionEdit& filled = edits.emplace_back();
  filled.family = 1;
  filled.new_files = {db.Table(9, {{"c", 3, ValueType::kValue, "3"}})};
  db.Manifest(5, edits, "no edit");
  CHECK_FALSE(Read(db).IsObsolete(9));
  VersionEdit& dropped = edits.emplace_back();
  dropped.family = 1;
  dropped.drop_family = true;
  db.Manifest(5, edits, "no edit");
  CHECK(Read(db).IsObsolete(9));
  CHECK_FALSE(Read(db).IsObsolete(8));
}

TEST_CASE("ReadManifestRemains: without one there is the default family, and every table counts") {
  RepairFiles db;
  const ManifestRemains remains = Read(db);
  CHECK_FALSE(remains.whole);
  REQUIRE_EQ(remains.state.families.size(), 1);
  CHECK_EQ(remains.state.families.all()[0].name, "default");
  CHECK_FALSE(remains.IsObsolete(6));
}

}  // namespace
}  // namespace varve
