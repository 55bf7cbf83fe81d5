// SPDX-License-Identifier: Apache-2.0
#include "varve/status.h"

#include <doctest/doctest.h>

#include "core/base/try.h"

namespace varve {
namespace {

TEST_CASE("Status: success has no message and says ok") {
  CHECK(Status::Ok().ok());
  CHECK_EQ(Status::Ok().ToString(), "ok");
  CHECK(Status::Ok().At("somewhere").ok());
  CHECK(Status(Code::kOk, "dropped").ok());
  CHECK_EQ(Status(Code::kOk, "dropped").ToString(), "ok");
}

TEST_CASE("Status: At puts the place in front and keeps the code") {
  const Status inner = Status::Corruption("bad magic").At("000012.sst@4096");
  CHECK_EQ(inner.code(), Code::kCorruption);
  CHECK_EQ(inner.At("open").ToString(), "corruption: open: 000012.sst@4096: bad magic");
}

TEST_CASE("CodeName: every code has a unique name") {
  std::string seen = " ";
  for (int code = 0; code <= static_cast<int>(Code::kShutdown); ++code) {
    const std::string name(CodeName(static_cast<Code>(code)));
    CHECK_NE(name, "unknown");
    CHECK_EQ(seen.find(" " + name + " "), std::string::npos);
    seen += name + " ";
  }
}

Result<int> Half(int number) {
  if (number % 2 != 0) return Status::InvalidArgument("odd");
  return number / 2;
}

Status HalfTwice(int number, int* out) {
  ASSIGN_OR_RETURN(const int half, Half(number));
  ASSIGN_OR_RETURN(*out, Half(half));
  return Status::Ok();
}

TEST_CASE("ASSIGN_OR_RETURN: passes values on and failures up") {
  int quarter = 0;
  CHECK(HalfTwice(12, &quarter).ok());
  CHECK_EQ(quarter, 3);
  CHECK_EQ(HalfTwice(6, &quarter).ToString(), "invalid_argument: odd");
}

}  // namespace
}  // namespace varve
