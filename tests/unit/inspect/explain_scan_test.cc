// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/explain_scan.h"

#include <doctest/doctest.h>

#include <string>

#include "core/fs/memory_fs.h"
#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

TEST_CASE("ExplainScan: a scan begins at its first key") {
  const auto fs = NewMemoryFileSystem();
  Options options = OptionsOn(fs.get());
  const std::string prefix = "keys that a string does not have in itself: ";
  {
    const auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    for (const char c : {'a', 'b', 'c', 'd'}) CHECK((*db)->Put({}, prefix + c, "value").ok());
    REQUIRE((*db)->Close().ok());
  }
  const auto explained = ExplainScan(*fs, "db", {.from = prefix + "c"});
  REQUIRE(explained.ok());
  CHECK(explained->rows == 2);
  CHECK(explained->first_key == prefix + "c");
}

}  // namespace
}  // namespace varve
