// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/format/options/options_file.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

std::string Contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<IgnoredOption> Apply(std::string_view text, Options* options) {
  return ApplyOptionsFile(*ParseOptionsFile(text), options);
}

TEST_CASE("ApplyOptionsFile: each family gets its own settings, the database the rest") {
  Options options;
  const std::vector<IgnoredOption> ignored = Apply(
      "[DBOptions]\nmax_open_files=100\n"
      "[CFOptions \"default\"]\nwrite_buffer_size=1048576\nmerge_operator=nullptr\n"
      "[TableOptions/BlockBasedTable \"default\"]\nblock_size=8192\n"
      "[CFOptions \"b\"]\ncomparator=rocksdb.ReverseBytewiseComparator\n"
      "merge_operator={id=StringAppendOperator;delimiter=,;}\n",
      &options);
  CHECK(ignored.empty());
  CHECK(options.max_open_files == 100);
  REQUIRE(options.families.size() == 2);
  CHECK(options.families["default"].write_buffer_size == 1048576);
  CHECK(options.families["default"].table.block_size == 8192);
  CHECK(options.families["default"].merge_operator == nullptr);
  CHECK(options.families["b"].comparator == ReverseBytewiseComparator());
  CHECK(options.families["b"].merge_operator == MergeOperatorByName("StringAppendOperator"));
  CHECK(options.families["b"].write_buffer_size == ColumnFamilyOptions().write_buffer_size);
  CHECK(options.family.write_buffer_size == ColumnFamilyOptions().write_buffer_size);
}

TEST_CASE("ApplyOptionsFile: what cannot be taken over is named and changes nothing") {
  Options options;
  const std::vector<IgnoredOption> ignored = Apply(
      "[DBOptions]\nno_such_option=1\nblock_size=8192\n"
      "[CFOptions \"default\"]\ncomparator=mine\nmerge_operator=mine\nwrite_buffer_size=many\n",
      &options);
  REQUIRE(ignored.size() == 5);
  CHECK(ignored[0].section == "DBOptions");
  CHECK(ignored[0].name == "no_such_option");
  CHECK(ignored[0].why == "unknown");
  CHECK(ignored[1].name == "block_size");  // A table's option, not the database's.
  CHECK(ignored[2].section == "CFOptions \"default\"");
  CHECK(ignored[2].why == "not a built-in comparator");
  CHECK(ignored[3].why == "not a built-in merge operator");
  CHECK(ignored[4].value == "many");
  CHECK(options.families["default"].write_buffer_size == ColumnFamilyOptions().write_buffer_size);
  CHECK(options.families["default"].table.block_size == TableOptions().block_size);
}

TEST_CASE("OptionsFile: every golden one parses, survives rewriting and names its comparator") {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(VARVE_FIXTURES "/db")) {
    if (!entry.path().filename().string().starts_with("OPTIONS-")) continue;
    CAPTURE(entry.path().string());
    const Result<OptionsFile> file = ParseOptionsFile(Contents(entry.path()));
    REQUIRE(file.ok());
    const Result<OptionsFile> again = ParseOptionsFile(FormatOptionsFile(*file));
    REQUIRE(again.ok());
    CHECK(*again == *file);
    CHECK(file->Find("CFOptions", "default")->Find("comparator") != nullptr);
    Options options;
    for (const IgnoredOption& ignored : ApplyOptionsFile(*file, &options)) {
      CAPTURE(ignored.name);
      CAPTURE(ignored.value);
      const bool foreign_comparator =
          ignored.name == "comparator" && ignored.value == "leveldb.BytewiseComparator.u64ts";
      CHECK((ignored.why == "unknown" || foreign_comparator));
    }
    ++files;
  }
  CHECK(files == 38);
}

}  // namespace
}  // namespace varve
