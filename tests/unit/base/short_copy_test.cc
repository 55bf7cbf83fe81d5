// SPDX-License-Identifier: Apache-2.0
#include "core/base/bytes/short_copy.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

TEST_CASE("CopyShort: all bytes of every size, and none besides") {
  std::string from;
  for (int i = 0; i < 100; ++i) from += static_cast<char>(i + 1);
  for (size_t size = 0; size <= from.size(); ++size) {
    std::string to(102, '\0');
    CopyShort(to.data() + 1, from.data(), size);
    CHECK(to == '\0' + from.substr(0, size) + std::string(101 - size, '\0'));
  }
}

TEST_CASE("AssignShort: is assignment, of the same size and of another") {
  std::string to = "four";
  for (const std::string from : {"more", "more than four", "", "x"}) {
    AssignShort(&to, from);
    CHECK(to == from);
  }
}

}  // namespace
}  // namespace varve
