// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/error_state.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

TEST_CASE("ErrorState: open at first, for reads and writes") {
  const ErrorState errors;
  CHECK(errors.CheckWritable().ok());
  CHECK(errors.CheckReadable().ok());
  CHECK(errors.writable());
}

TEST_CASE("ErrorState: a failure closes writes for good, and the first reason is kept") {
  ErrorState errors;
  errors.CloseWrites(Status::NoSpace("000005.log: full"));
  errors.CloseWrites(Status::IoError("MANIFEST-000004: broken"));
  CHECK_FALSE(errors.writable());
  CHECK_EQ(errors.CheckWritable().ToString(),
           "no_space: writes are closed until the database is reopened: 000005.log: full");
  CHECK(errors.CheckReadable().ok());
}

TEST_CASE("ErrorState: shut, nothing is answered, and no failure changes that") {
  ErrorState errors;
  SUBCASE("from open") {}
  SUBCASE("from closed") { errors.CloseWrites(Status::IoError("broken")); }
  errors.Shut();
  errors.CloseWrites(Status::IoError("late"));
  CHECK_EQ(errors.CheckWritable().code(), Code::kShutdown);
  CHECK_EQ(errors.CheckReadable().code(), Code::kShutdown);
  CHECK_FALSE(errors.writable());
}

}  // namespace
}  // namespace varve
