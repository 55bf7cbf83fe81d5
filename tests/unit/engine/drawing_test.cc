// SPDX-License-Identifier: Apache-2.0
// What the engine makes of databases, drawn: tests/snapshot/drawings/README.md. Repairs are in
// tests/unit/repair/repair_drawing_test.cc.
#include "tests/unit/engine/drawing.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

TEST_CASE("Drawings: flush") { CheckDrawings("flush"); }
TEST_CASE("Drawings: compaction") { CheckDrawings("compaction"); }
TEST_CASE("Drawings: range deletions") { CheckDrawings("range_deletions"); }
TEST_CASE("Drawings: iterators") { CheckDrawings("iterators"); }
TEST_CASE("Drawings: recovery") { CheckDrawings("recovery"); }
TEST_CASE("Drawings: MANIFEST") { CheckDrawings("manifest"); }
TEST_CASE("Drawings: ingestion") { CheckDrawings("ingestion"); }

}  // namespace
}  // namespace varve
