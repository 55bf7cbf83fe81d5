// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/identity.h"

#include <doctest/doctest.h>

#include <set>

#include "core/format/limits.h"
#include "tests/unit/engine/watched_fs.h"
#include "tests/unit/version/manifest_fixture.h"

namespace varve {
namespace {

class Bits final : public Random {
 public:
  explicit Bits(uint64_t bits) : bits_(bits) {}
  uint64_t Next64() override { return bits_; }

 private:
  const uint64_t bits_;
};

TEST_CASE("Identity: a new id is a random UUID, version 4, variant 1") {
  Bits zeros(0), ones(~uint64_t{0});
  CHECK_EQ(NewDatabaseId(zeros), "00000000-0000-4000-8000-000000000000");
  CHECK_EQ(NewDatabaseId(ones), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(NewDatabaseId(*NativeEnvironment().random));
  CHECK_EQ(ids.size(), 1000);
}

struct Directory {
  Directory() { REQUIRE(fs.CreateDirectory("db").ok()); }
  WatchedFs fs;
};

TEST_CASE("Identity: no file is no id; a newline behind it is not part of it") {
  Directory t;
  CHECK_EQ(*ReadIdentity(t.fs, "db"), "");
  for (const char* const bytes : {"id", "id\n"}) {
    WriteFile(t.fs, "db/IDENTITY", bytes);
    CHECK_EQ(*ReadIdentity(t.fs, "db"), "id");
  }
  WriteFile(t.fs, "db/IDENTITY", "");
  CHECK_EQ(*ReadIdentity(t.fs, "db"), "");
}

TEST_CASE("Identity: a file that is far too long is refused, not read") {
  Directory t;
  WriteFile(t.fs, "db/IDENTITY", std::string(kIdentityFileSizeMax, 'i'));
  CHECK_EQ(ReadIdentity(t.fs, "db")->size(), kIdentityFileSizeMax);
  WriteFile(t.fs, "db/IDENTITY", std::string(kIdentityFileSizeMax + 1, 'i'));
  const auto read = ReadIdentity(t.fs, "db");
  REQUIRE_FALSE(read.ok());
  CHECK(read.status().message().find("IDENTITY") != std::string::npos);
}

TEST_CASE("Identity: it is durable when it is written, and replaced at once or not at all") {
  Directory t;
  REQUIRE(WriteIdentity(t.fs, "db", "first").ok());
  CHECK(t.fs.log() == std::vector<std::string>{"create 000000.dbtmp", "append 000000.dbtmp",
                                               "sync 000000.dbtmp", "rename 000000.dbtmp IDENTITY",
                                               "sync_directory db"});
  for (size_t failing = 0; failing < 4; ++failing) {
    size_t left = failing;
    t.fs.set_judge([&left](const std::string&) {
      return left-- == 0 ? Status::NoSpace("full") : Status::Ok();
    });
    CHECK(WriteIdentity(t.fs, "db", "second").code() == Code::kNoSpace);
    t.fs.set_judge(nullptr);
    CHECK_EQ(*ReadIdentity(t.fs, "db"), "first");
  }
}

}  // namespace
}  // namespace varve
