// SPDX-License-Identifier: Apache-2.0
#include "core/format/options/options_update.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

constexpr std::string_view kMinimal =
    "[Version]\n"
    "  rocksdb_version=7.8.3\n"
    "  options_file_version=1.1\n"
    "\n"
    "[DBOptions]\n"
    "\n"
    "[CFOptions \"default\"]\n"
    "  comparator=leveldb.BytewiseComparator\n"
    "\n"
    "[TableOptions/BlockBasedTable \"default\"]\n";

TEST_CASE("MakeOptionsFile: a file made for the default family is the smallest that ldb takes") {
  const FamilyNames names[] = {{"default", "leveldb.BytewiseComparator", ""}};
  CHECK(FormatOptionsFile(MakeOptionsFile(names, {})) == kMinimal);
}

TEST_CASE("MakeOptionsFile: parsing gives back what was written") {
  const FamilyNames names[] = {
      {"default", "rocksdb.ReverseBytewiseComparator", "UInt64AddOperator"},
      {"a \"b\" \\ # : \r\n [c]", "leveldb.BytewiseComparator", ""}};
  const OptionsFile made = MakeOptionsFile(names, {});
  const Result<OptionsFile> parsed = ParseOptionsFile(FormatOptionsFile(made));
  REQUIRE(parsed.ok());
  CHECK(*parsed == made);
}

TEST_CASE("MakeOptionsFile: what another writer said is kept, what we say replaces it") {
  const Result<OptionsFile> previous = ParseOptionsFile(
      "[Version]\nrocksdb_version=11.9.0\n[DBOptions]\nnew_option=1\n"
      "[CFOptions \"default\"]\ncomparator=old\nmerge_operator=old\nother=2\n"
      "[TableOptions/BlockBasedTable \"default\"]\nblock_size=1\n[CFOptions \"dropped\"]\n");
  REQUIRE(previous.ok());
  const FamilyNames names[] = {{"default", "leveldb.BytewiseComparator", ""}, {"new", "c", "m"}};
  CHECK(FormatOptionsFile(MakeOptionsFile(names, *previous)) ==
        "[Version]\n  rocksdb_version=11.9.0\n\n"
        "[DBOptions]\n  new_option=1\n\n"
        "[CFOptions \"default\"]\n  comparator=leveldb.BytewiseComparator\n"
        "  merge_operator=old\n  other=2\n\n"
        "[TableOptions/BlockBasedTable \"default\"]\n  block_size=1\n\n"
        "[CFOptions \"new\"]\n  comparator=c\n  merge_operator=m\n\n"
        "[TableOptions/BlockBasedTable \"new\"]\n");
}

TEST_CASE("MakeOptionsFile: a family gets as many levels as it has, and never fewer") {
  const auto levels = [](const char* kept, int now) {
    const auto previous =
        ParseOptionsFile(std::string("[DBOptions]\n[CFOptions \"default\"]\n") + kept + "\n");
    const FamilyNames names[] = {{"default", "c", "", now}};
    const OptionsFile made = MakeOptionsFile(names, *previous);
    const std::string* text = made.Find("CFOptions", "default")->Find("num_levels");
    return text == nullptr ? "" : *text;
  };
  CHECK(levels("", 7) == "");
  CHECK(levels("", 9) == "9");
  CHECK(levels("num_levels=3", 7) == "7");
  CHECK(levels("num_levels=9", 7) == "9");
}

TEST_CASE("MakeOptionsFile: the options of another kind of table stay") {
  const auto previous = ParseOptionsFile(
      "[DBOptions]\n[CFOptions \"default\"]\n[TableOptions/PlainTable \"default\"]\nx=1\n");
  const FamilyNames names[] = {{"default", "leveldb.BytewiseComparator", ""}};
  OptionsFile made = MakeOptionsFile(names, *previous);
  CHECK(*made.Find("TableOptions/PlainTable", "default")->Find("x") == "1");
  CHECK(made.Find("TableOptions/BlockBasedTable", "default") == nullptr);
  CHECK(StoreOption(*FindOption("block_size"), "1", "default", &made).code() ==
        Code::kNotSupported);
}

TEST_CASE("StoreOption: one member of a struct changes, nested ones beside it stay") {
  const FamilyNames names[] = {{"default", "leveldb.BytewiseComparator", ""}};
  OptionsFile file = MakeOptionsFile(names, {});
  const auto value = [&](const char* name) {
    return *file.Find("CFOptions", "default")->Find(name);
  };
  const auto store = [&](const char* name, const char* text) {
    return StoreOption(*FindOption(name), text, "default", &file);
  };
  CHECK(store("compression_opts.level", "9").ok());
  CHECK(value("compression_opts") == "{level=9;}");
  CHECK(store("compression_opts", "{max_dict_bytes=1k;unknown=3;}").ok());
  CHECK(value("compression_opts") == "{level=9;max_dict_bytes=1024;}");
  OptionsSection& section = file.sections[2];
  REQUIRE(section.kind == "CFOptions");
  section.Set("compression_opts", "{a={b=1;level=2;};level=3;c=4}");
  CHECK(store("compression_opts.level", "5").ok());
  CHECK(value("compression_opts") == "{a={b=1;level=2;};level=5;c=4;}");
}

TEST_CASE("StoreOption: values are put down in RocksDB's form") {
  const FamilyNames names[] = {{"default", "leveldb.BytewiseComparator", ""}};
  OptionsFile file = MakeOptionsFile(names, {});
  CHECK(StoreOption(*FindOption("compression"), "zstd", "default", &file).ok());
  CHECK(StoreOption(*FindOption("block_size"), "16k", "default", &file).ok());
  CHECK(StoreOption(*FindOption("filter_bits_per_key"), "7.5", "default", &file).ok());
  CHECK(StoreOption(*FindOption("max_open_files"), "33", "default", &file).ok());
  CHECK(*file.Find("CFOptions", "default")->Find("compression") == "kZSTD");
  const OptionsSection& table = *file.Find("TableOptions/BlockBasedTable", "default");
  CHECK(*table.Find("block_size") == "16384");
  CHECK(*table.Find("filter_policy") == "bloomfilter:7.5:false");
  CHECK(*file.Find("DBOptions", "")->Find("max_open_files") == "33");
}

}  // namespace
}  // namespace varve
