// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/problem.h"

#include <doctest/doctest.h>

namespace varve::api {
namespace {

std::string_view CodeOf(const Status& status) { return Problem(status).kind().code; }

TEST_CASE("Problem: kinds of damage are told apart by the message") {
  CHECK_EQ(CodeOf(Status::Corruption("a.sst@7: checksum is 1, block says 2")),
           "block_checksum_mismatch");
  CHECK_EQ(CodeOf(Status::Corruption("a.sst@7: file ends after 5 of 9 bytes")), "truncated");
  CHECK_EQ(CodeOf(Status::Corruption("a.sst@0: a file of 5 bytes is too short to be a table")),
           "truncated");
  CHECK_EQ(CodeOf(Status::Corruption("a.sst@7: not a table: it ends with 00 where a magic number "
                                     "must be")),
           "corruption");
  CHECK_EQ(CodeOf(Status::Corruption("db/a.sst: the MANIFEST names it, but it is missing")),
           "manifest_mismatch");
}

TEST_CASE("Problem: a column family that there is not is found by no verb") {
  const Problem problem(Status::InvalidArgument("db: there is no column family 'x'"));
  CHECK_EQ(problem.kind().code, "cf_not_found");
  CHECK_EQ(problem.kind().http, 404);
  CHECK_EQ(problem.kind().exit, 2);
  CHECK_EQ(CodeOf(Status::InvalidArgument("no such thing")), "bad_request");
}

}  // namespace
}  // namespace varve::api
