// SPDX-License-Identifier: Apache-2.0
#include "core/format/options/options_file.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

TEST_CASE("OptionsFile: comments, space and nested values are RocksDB's") {
  const Result<OptionsFile> file = ParseOptionsFile(
      "# a comment\r\n"
      " [DBOptions]  # another\n"
      "\twal_dir = /a\\#b  # c\n"
      "nested={a=1;b={c=2;};}\n"
      "empty=\n"
      "[CFOptions   \"default\"]");
  REQUIRE(file.ok());
  const OptionsSection& database = file->sections[0];
  CHECK(*database.Find("wal_dir") == "/a\\#b");
  CHECK(*database.Find("nested") == "{a=1;b={c=2;};}");
  CHECK(database.Find("empty")->empty());
  CHECK(database.Find("absent") == nullptr);
  CHECK(file->Find("CFOptions", "default") != nullptr);
}

TEST_CASE("OptionsFile: a family's name may be empty") {
  const std::string text =
      "[DBOptions]\n[CFOptions \"default\"]\n  a=1\n[CFOptions \"\"]\n  a=2\n"
      "[TableOptions/BlockBasedTable \"\"]\n  b=3\n";
  const Result<OptionsFile> file = ParseOptionsFile(text);
  REQUIRE(file.ok());
  REQUIRE(file->Find("CFOptions", "") != nullptr);
  CHECK(*file->Find("CFOptions", "")->Find("a") == "2");
  const Result<OptionsFile> again = ParseOptionsFile(FormatOptionsFile(*file));
  REQUIRE(again.ok());
  CHECK(*again == *file);
}

TEST_CASE("OptionsFile: broken files are refused with the line") {
  struct Broken {
    std::string_view text;
    std::string_view message;
  };
  constexpr std::string_view kHead = "[DBOptions]\n[CFOptions \"default\"]\n";
  const Broken cases[] = {
      {"", "OPTIONS line 0: there is no [DBOptions]"},
      {"[CFOptions \"default\"]\n", "OPTIONS line 1: there is no [DBOptions]"},
      {"[DBOptions]\n", "OPTIONS line 1: there is no [CFOptions \"default\"]"},
      {"a=b\n", "OPTIONS line 1: a statement in front of any section"},
      {"[DBOptions]\nab\n", "OPTIONS line 2: a statement without '='"},
      {"[DBOptions]\n=b\n", "OPTIONS line 2: a value without a name"},
      {"[DBOptions]\na=b\na=c\n", "OPTIONS line 3: an option is there twice"},
      {"[DBOptions\n", "OPTIONS line 1: a section without ']'"},
      {"[", "OPTIONS line 1: a section without ']'"},
      {"[Unknown]\n", "OPTIONS line 1: unknown section"},
      {"[DBOptions \"x\"]\n", "OPTIONS line 1: this section has no family"},
      {"[DBOptions]\n[DBOptions]\n", "OPTIONS line 2: a section is there twice"},
      {"[CFOptions]\n", "OPTIONS line 1: [CFOptions] without a family"},
      {"[CFOptions \"x]\n", "OPTIONS line 1: a family without its quote"},
      {"[CFOptions \"x\\\"]\n", "OPTIONS line 1: a family's name ends inside an escape"},
      {"[CFOptions \"other\"]\n", "OPTIONS line 1: \"default\" must come first"},
      {"[TableOptions/BlockBasedTable \"default\"]\n",
       "OPTIONS line 1: the table options of a family in front of the family's own"},
  };
  for (const Broken& broken : cases) {
    CHECK(ParseOptionsFile(broken.text).status().message() == broken.message);
  }
  CHECK(ParseOptionsFile(kHead).ok());
  CHECK(ParseOptionsFile(std::string(size_t{17} << 20, ' ')).status().code() == Code::kCorruption);
}

}  // namespace
}  // namespace varve
