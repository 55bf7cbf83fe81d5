// SPDX-License-Identifier: Apache-2.0
#include "core/repair/source_files.h"

#include "core/format/limits.h"
#include "tests/unit/repair/repair_files.h"

namespace varve {
namespace {

TEST_CASE("SurveySource: files by their kinds, and a number behind all of them") {
  RepairFiles db;
  for (const char* name : {"000004.sst", "000012.sst", "000009.log", "000003.log",
                           "MANIFEST-000005", "MANIFEST-000011", "LOG.old.99", "notes.txt"}) {
    db.Write(name, "");
  }
  const auto files = SurveySource(db.fs(), "db");
  REQUIRE_MESSAGE(files.ok(), files.status().ToString());
  CHECK_EQ(files->tables.size(), 2);
  CHECK_EQ(files->tables.at(12), "000012.sst");
  CHECK_EQ(files->logs.begin()->second, "000003.log");
  CHECK_EQ(files->newest_manifest, 11);
  CHECK_EQ(files->next_number, 13);
  CHECK_EQ(files->options_file, "");
}

TEST_CASE("SurveySource: levels are those of OPTIONS that can be read") {
  RepairFiles db;
  db.Write("OPTIONS-000007",
           "[Version]\n  rocksdb_version=7.8.3\n  options_file_version=1.1\n[DBOptions]\n"
           "[CFOptions \"default\"]\n  num_levels=4\n");
  SUBCASE("the newest") {
    const auto files = SurveySource(db.fs(), "db");
    REQUIRE(files.ok());
    CHECK_EQ(files->options_file, "OPTIONS-000007");
    CHECK_EQ(files->LevelsOf("default"), 4);
    CHECK_EQ(files->LevelsOf("other"), 7);
  }
  SUBCASE("the newest is broken: it is left behind, and no older one says more") {
    db.Write("OPTIONS-000008", "[Version\n");
    const auto files = SurveySource(db.fs(), "db");
    REQUIRE(files.ok());
    CHECK_EQ(files->options_file, "");
    CHECK_EQ(files->LevelsOf("default"), 7);
  }
}

TEST_CASE("SurveySource: databases that cannot be repaired are refused") {
  RepairFiles db;
  SUBCASE("LevelDB's tables") {
    db.Write("000004.ldb", "");
    CHECK(SurveySource(db.fs(), "db").status().code() == Code::kNotSupported);
  }
  SUBCASE("numbers behind which none is left") {
    db.Write(TableFileName(kFileNumberMax + 1), "");
    CHECK(SurveySource(db.fs(), "db").status().code() == Code::kCorruption);
  }
}

}  // namespace
}  // namespace varve
