// SPDX-License-Identifier: Apache-2.0
#include "tests/replay/kept.h"

#include <doctest/doctest.h>

#include <string>

namespace varve::replay {
namespace {

Kept OfList(std::string option) {
  std::string name = "program";
  char* words[] = {name.data(), option.data()};
  return {2, words, 1000};
}

TEST_CASE("Kept: a list, or as many as there are") {
  const Kept list = OfList("--keep=1-3,9,17-17");
  REQUIRE(list.ok());
  std::string kept;
  for (uint64_t i = 0; i < list.end(); ++i) kept += list.Has(i) ? 'x' : '.';
  CHECK(kept == ".xxx.....x.......x");
  CHECK(list.Option() == "--keep=1-3,9,17");
  CHECK(Kept(5).Has(4));
  CHECK_FALSE(Kept(5).Has(5));
  CHECK(Kept(5).Option() == "--ops=5");
  CHECK(OfList("--keep=0-4").Option() == "--ops=5");
  CHECK(OfList("--other=1").end() == 1000);
  CHECK(Kept(0).end() == 0);
}

TEST_CASE("Kept: those before an end") {
  const Kept list = OfList("--keep=1-3,9");
  CHECK(list.Before(10).List() == "1-3,9");
  CHECK(list.Before(9).List() == "1-3");
  CHECK(list.Before(3).List() == "1-2");
  CHECK(list.Before(1).end() == 0);
  CHECK(Kept(UINT64_MAX).Before(4).List() == "0-3");
}

TEST_CASE("Kept: a list that does not ascend is refused") {
  for (const char* text :
       {"", "1,", ",1", "3-1", "1,1", "2-3,3", "9,1", "1--2", "-", "x", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(OfList("--keep=" + std::string(text)).ok());
  }
}

}  // namespace
}  // namespace varve::replay
