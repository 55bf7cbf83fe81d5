// SPDX-License-Identifier: Apache-2.0
#include "varve/option_table.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/orders.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

Status Set(Options* options, std::string_view name, std::string_view value) {
  const OptionRow* const row = FindOption(name);
  if (row == nullptr) return Status::NotFound(std::string(name));
  return row->set(options, value);
}

std::string Get(const Options& options, std::string_view name) {
  return FindOption(name)->get(options);
}

TEST_CASE("OptionTable: every row has a unique name, a range and a help text") {
  std::set<std::string_view> names;
  for (const OptionRow& row : OptionTable()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_EQ(FindOption(row.name), &row);
    CHECK_FALSE(row.range.empty());
    CHECK(row.help.ends_with('.'));
  }
  CHECK_EQ(FindOption("no_such_option"), nullptr);
}

TEST_CASE("OptionTable: every row takes what it gives, and defaults are valid") {
  const Options defaults;
  CHECK(ValidateOptions(defaults).ok());
  for (const OptionRow& row : OptionTable()) {
    CAPTURE(row.name);
    Options options;
    CHECK(row.set(&options, row.get(defaults)).ok());
    CHECK_EQ(row.get(options), row.get(defaults));
  }
}

TEST_CASE("OptionTable: a row sets its own field and no other") {
  // Where a row is a view of others, those change with it.
  const std::set<std::string> views = {"compaction_options_fifo", "compaction_options_universal",
                                       "compression_opts", "bottommost_compression_opts",
                                       "filter_policy"};
  for (const OptionRow& row : OptionTable()) {
    if (views.contains(std::string(row.name))) continue;
    Options options;
    const std::string before = row.get(options);
    for (const char* value : {"true",
                              "false",
                              "77",
                              "7",
                              "6",
                              "kLZ4Compression",
                              "kZSTD",
                              "kCRC32c",
                              "kCompactionStyleFIFO",
                              "kTwoLevelIndexSearch",
                              "kAbsoluteConsistency",
                              "kDataBlockBinaryAndHash",
                              "rocksdb.ReverseBytewiseComparator",
                              "PutOperator",
                              "0.5",
                              "disk",
                              "iterate",
                              "off",
                              "grouped",
                              "integer",
                              "per_file",
                              "skip_list",
                              "prefix",
                              "similar_size",
                              "folder:jobs"}) {
      if (row.get(options) == before) row.set(&options, value).Ignore("of another type");
    }
    CAPTURE(row.name);
    CHECK_NE(row.get(options), before);
    for (const OptionRow& other : OptionTable()) {
      if (&other == &row || views.contains(std::string(other.name))) continue;
      CHECK_EQ(other.get(options), other.get(Options()));
    }
  }
}

TEST_CASE("OptionTable: numbers take units and refuse what is out of range, by name") {
  Options options;
  CHECK(Set(&options, "write_buffer_size", "4m").ok());
  CHECK_EQ(options.family.write_buffer_size, 4u << 20);
  CHECK_EQ(Set(&options, "format_version", "8").ToString(),
           "invalid_argument: format_version: expected 2..7, not \"8\"");
  for (const char* bad :
       {"", "x", "-1", "1.5", "4 ", "99999999999999999999", "18014398509481984k"}) {
    CHECK_EQ(Set(&options, "write_buffer_size", bad).code(), Code::kInvalidArgument);
  }
  CHECK(Set(&options, "max_open_files", "-1").ok());
  CHECK_FALSE(Set(&options, "max_open_files", "-2").ok());
  CHECK_FALSE(Set(&options, "max_open_files", "2147483648").ok());
  CHECK_EQ(options.family.write_buffer_size, 4u << 20);  // A refused value changes nothing.
}

TEST_CASE("OptionTable: members of structs that would change compactions are not ignored") {
  Options options;
  CHECK(Set(&options, "compaction_options_universal", "{incremental=false;size_ratio=3;}").ok());
  CHECK_EQ(options.family.universal.size_ratio, 3u);
  const Status refused = Set(&options, "compaction_options_universal", "{incremental=true;}");
  CHECK_EQ(refused.ToString(),
           "not_supported: compaction_options_universal.incremental: only whole sorted runs are "
           "compacted");
}

TEST_CASE("OptionTable: real numbers come in RocksDB's form") {
  Options options;
  CHECK(Set(&options, "max_bytes_for_level_multiplier", "8.250000").ok());
  CHECK_EQ(options.family.max_bytes_for_level_multiplier, 8.25);
  CHECK_EQ(Get(options, "max_bytes_for_level_multiplier"), "8.25");
  for (const char* bad : {"", ".", "1e3", "nan", "0.5", "1.2.3", "-2"}) {
    CHECK_FALSE(Set(&options, "max_bytes_for_level_multiplier", bad).ok());
  }
}

TEST_CASE("OptionTable: structs take the members we have and pass over the rest") {
  Options options;
  CHECK(Set(&options, "compression_opts",
            "{checksum=false;max_dict_bytes=16384;enabled=false;level=9;window_bits=-14;}")
            .ok());
  CHECK_EQ(options.family.table.compression_level, 9);
  CHECK_EQ(options.family.table.compression_dict_bytes, 16384u);
  CHECK_EQ(Get(options, "compression_opts"),
           "{level=9;max_dict_bytes=16384;zstd_max_train_bytes=0;}");
  CHECK_EQ(Set(&options, "compression_opts", "{level=nine;}").ToString(),
           "invalid_argument: compression_opts.level: expected -1000000..2147483647, not \"nine\"");
  CHECK_FALSE(Set(&options, "compression_opts", "level=9").ok());
  CHECK_FALSE(Set(&options, "compression_opts", "{").ok());
}

TEST_CASE("OptionTable: filters and levels") {
  Options options;
  CHECK(Set(&options, "filter_policy", "ribbonfilter:9.5:0").ok());
  CHECK_EQ(options.family.table.filter, FilterKind::kRibbon);
  CHECK_EQ(options.family.table.filter_bits_per_key, 9.5);
  CHECK(Set(&options, "filter_policy", "nullptr").ok());
  CHECK_EQ(options.family.table.filter, FilterKind::kNone);
  CHECK_FALSE(Set(&options, "filter_policy", "bloomfilter").ok());
  CHECK_FALSE(Set(&options, "filter_policy", "cuckoo:10").ok());
  CHECK(Set(&options, "compression_per_level", "kNoCompression:kZSTD").ok());
  CHECK_EQ(options.family.compression_per_level.size(), 2);
  CHECK_EQ(Get(options, "compression_per_level"), "kNoCompression:kZSTD");
  CHECK(Set(&options, "point_index_per_level", "none:integer:any").ok());
  CHECK_EQ(options.family.point_index_per_level.size(), 3);
  CHECK_EQ(Get(options, "point_index_per_level"), "none:integer:any");
  CHECK_FALSE(Set(&options, "point_index_per_level", "none:hash").ok());
}

TEST_CASE("OptionTable: objects are found by name; the embedder's own may only stay") {
  Options options;
  CHECK(Set(&options, "comparator", "rocksdb.ReverseBytewiseComparator").ok());
  CHECK_EQ(options.family.comparator, ReverseBytewiseComparator());
  CHECK_FALSE(Set(&options, "comparator", "test.OwnOrder").ok());
  const OwnOrder own;
  options.family.comparator = &own;
  CHECK(ValidateOptions(options).ok());
  CHECK(Set(&options, "comparator", "nullptr").ok());
  CHECK_EQ(options.family.comparator, nullptr);
  CHECK(Set(&options, "merge_operator", "uint64add").ok());
  CHECK_EQ(Get(options, "merge_operator"), "UInt64AddOperator");
}

}  // namespace
}  // namespace varve
