// SPDX-License-Identifier: Apache-2.0
#include "core/repair/destination.h"

#include "tests/unit/repair/repair_files.h"

namespace varve {
namespace {

TEST_CASE("MakeDestination: a new directory, or an empty one") {
  RepairFiles db;
  CHECK(MakeDestination(db.fs(), "new").ok());
  CHECK(MakeDestination(db.fs(), "new").ok());
  db.Write("file", "");
  CHECK_EQ(MakeDestination(db.fs(), "db").ToString(), "busy: db is not empty");
  CHECK_EQ(MakeDestination(db.fs(), "db/file").ToString(), "busy: db/file exists");
}

TEST_CASE("ReplaceDirectory: the old contents stay aside") {
  RepairFiles db;
  db.Write("a", "old");
  REQUIRE(db.fs().CreateDirectory("new").ok());
  const Status done = ReplaceDirectory(db.fs(), "new", "db", "aside");
  REQUIRE_MESSAGE(done.ok(), done.ToString());
  CHECK_EQ(db.Read("aside/a"), "old");
  CHECK_FALSE(db.fs().Exists("new"));
  CHECK(db.fs().Exists("db"));
}

}  // namespace
}  // namespace varve
