// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/unique_id.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

constexpr std::string_view kDbId = "3280dc26-99ad-4842-b626-9f9cf3066d97";

TEST_CASE("UniqueId: the published vector") {
  CHECK(TableUniqueId(kDbId, "FZEV3D7GT3I9GD6T7SFO", 17) ==
        std::array<uint64_t, 2>{0x35265eaeeb6570b4, 0x829881e9cb9defe3});
  CHECK(TableUniqueId(kDbId, "fzev3d7gt3i9gd6t7sfo", 17) ==
        TableUniqueId(kDbId, "FZEV3D7GT3I9GD6T7SFO", 17));
  CHECK(MakeSessionId(0x48e86db327, 0x35265eaeeb6570b4) == "FZEV3D7GT3I9GD6T7SFO");
}

TEST_CASE("UniqueId: session ids give back what they were made of") {
  for (const uint64_t lower : {uint64_t{1}, ~uint64_t{0}, uint64_t{1} << 63}) {
    const std::string id = MakeSessionId(5, lower);
    CHECK(id.size() == 20);
    CHECK(TableUniqueId("", id, 0)[0] == lower);
  }
}

TEST_CASE("UniqueId: a session id of any other form is hashed, never to zero") {
  for (const std::string_view session :
       {"", "short", "twelve-chars", "with spaces in it    ", "0123456789012345678901234"}) {
    const std::array<uint64_t, 2> id = TableUniqueId(kDbId, session, 1);
    CHECK(id[0] != 0);
    CHECK(id != TableUniqueId(kDbId, session, 2));
  }
}

}  // namespace
}  // namespace varve
