// SPDX-License-Identifier: Apache-2.0
#include "core/repair/source_copy.h"

#include "tests/unit/repair/repair_files.h"

namespace varve {
namespace {

TEST_CASE("CopyTheRest: blob files, logs, and what can be read of the small files") {
  RepairFiles db;
  REQUIRE(db.fs().CreateDirectory("new").ok());
  db.Write("000004.blob", "blob");
  db.Write("000005.log", "");
  db.Write("OPTIONS-000006", "options");
  SourceFiles files;
  files.options_file = "OPTIONS-000006";
  const std::string from = "db", to = "new";
  for (const bool dry_run : {true, false}) {
    const RepairJob job{db.env(), from, to, dry_run};
    REQUIRE(CopyTheRest(job, files, {"000004.blob"}, {"000005.log"}).ok());
    const auto there = db.fs().List("new");
    REQUIRE(there.ok());
    CHECK_EQ(there->size(), dry_run ? 0 : 3);  // No IDENTITY.
  }
  CHECK_EQ(db.Read("new/000004.blob"), "blob");
  CHECK_EQ(db.Read("new/000005.log"), "");
  CHECK_EQ(db.Read("new/OPTIONS-000006"), "options");
}

}  // namespace
}  // namespace varve
