// SPDX-License-Identifier: Apache-2.0
#include "core/format/options/kept_options.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "varve/comparator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

using Notes = std::vector<std::string>;

OptionsFile FileOf(std::string_view database, std::string_view family,
                   std::string_view table = "") {
  std::string text = "[DBOptions]\n";
  text.append(database).append("\n[CFOptions \"default\"]\n").append(family);
  text.append("\n[TableOptions/BlockBasedTable \"default\"]\n").append(table).append("\n");
  Result<OptionsFile> file = ParseOptionsFile(text);
  REQUIRE(file.ok());
  return *std::move(file);
}

struct Completed {
  ColumnFamilyOptions options;
  Notes notes;
};

Completed Complete(std::string_view family, std::string_view table = "",
                   const ColumnFamilyOptions& given = {}, const Notes& chosen = {}) {
  const OptionsFile file = FileOf("", family, table);
  Completed completed{given, {}};
  completed.notes =
      CompleteFamilyOptions(FamilySections(file).Of("default"), chosen, &completed.options);
  return completed;
}

TEST_CASE("CompleteFamilyOptions: default, then the file, then what the caller chose") {
  const std::string_view kept = "write_buffer_size=1000";
  const uint64_t fallback = ColumnFamilyOptions().write_buffer_size;
  CHECK_EQ(Complete("").options.write_buffer_size, fallback);
  CHECK_EQ(Complete(kept).options.write_buffer_size, 1000u);
  CHECK_EQ(Complete(kept, "", {.write_buffer_size = 7}).options.write_buffer_size, 7u);
  // The default, chosen by its name.
  CHECK_EQ(Complete(kept, "", {}, {"write_buffer_size"}).options.write_buffer_size, fallback);
  CHECK_EQ(Complete(kept, "", {}, {"num_levels"}).options.write_buffer_size, 1000u);
  CHECK(Complete(kept).notes.empty());
}

TEST_CASE("CompleteFamilyOptions: the options of tables are part of it") {
  const Completed completed = Complete("", "block_size=5000\n  format_version=4");
  CHECK_EQ(completed.options.table.block_size, 5000u);
  CHECK_EQ(completed.options.table.format_version, 4u);
  CHECK(completed.notes.empty());
}

TEST_CASE("CompleteFamilyOptions: who chooses a struct chooses its members") {
  const std::string_view kept = "compression_opts={level=9;max_dict_bytes=77;}";
  CHECK_EQ(Complete(kept).options.table.compression_dict_bytes, 77u);
  CHECK_EQ(Complete(kept, "", {}, {"compression_opts"}).options.table.compression_dict_bytes, 0u);
  const Completed one = Complete(kept, "", {}, {"compression_opts.level"});
  CHECK_EQ(one.options.table.compression_level, TableOptions::kDefaultCompressionLevel);
  CHECK_EQ(one.options.table.compression_dict_bytes, 77u);
}

TEST_CASE("CompleteFamilyOptions: a family that the file does not have stays as it is") {
  const OptionsFile file = FileOf("", "write_buffer_size=1000");
  ColumnFamilyOptions options;
  CHECK(CompleteFamilyOptions(FamilySections(file).Of("another"), {}, &options).empty());
  CHECK_EQ(options.write_buffer_size, ColumnFamilyOptions().write_buffer_size);
}

TEST_CASE("CompleteFamilyOptions: the order of keys is not taken from the file") {
  CHECK_EQ(Complete("comparator=rocksdb.ReverseBytewiseComparator").options.comparator, nullptr);
  ColumnFamilyOptions given;
  given.comparator = ReverseBytewiseComparator();
  CHECK_EQ(Complete("comparator=leveldb.BytewiseComparator", "", given).options.comparator,
           ReverseBytewiseComparator());
}

TEST_CASE("CompleteFamilyOptions: what is not honoured is noted, unless it makes no difference") {
  const std::string where = "CFOptions \"default\": ";
  CHECK(Complete("prefix_extractor=rocksdb.FixedPrefix.4").notes ==
        Notes{where + "prefix_extractor=rocksdb.FixedPrefix.4 is not honoured; filters of new "
                      "tables are of whole keys"});
  CHECK(Complete("enable_blob_files=true").options.blobs.enabled);
  CHECK(Complete("enable_blob_files=true").notes.empty());
  CHECK(Complete("compaction_filter=mine\n  compaction_filter_factory=too").notes.size() == 2);
  CHECK(
      Complete("", "whole_key_filtering=false").notes ==
      Notes{"TableOptions/BlockBasedTable \"default\": whole_key_filtering=false is not honoured; "
            "filters of new tables are of whole keys"});
  CHECK(Complete("prefix_extractor=nullptr\n  compaction_filter=nullptr\n"
                 "  table_factory=BlockBasedTable\n  some_option_of_the_future=1",
                 "whole_key_filtering=true")
            .notes.empty());
  CHECK(Complete("whole_key_filtering=false").notes.empty());  // Not an option of families.
}

TEST_CASE("CompleteFamilyOptions: a merge operator is taken if it is known, and noted if not") {
  const auto operator_of = [](std::string_view text, const MergeOperator* given = nullptr) {
    ColumnFamilyOptions options;
    options.merge_operator = given;
    return Complete("merge_operator=" + std::string(text), "", options);
  };
  CHECK_EQ(operator_of("UInt64AddOperator").options.merge_operator,
           MergeOperatorByName("uint64add"));
  CHECK(operator_of("nullptr").notes.empty());
  CHECK_EQ(operator_of("nullptr").options.merge_operator, nullptr);
  CHECK(
      operator_of("Mine").notes ==
      Notes{"CFOptions \"default\": the merge operator Mine is not known here; keys with operands "
            "cannot be read"});
  CHECK_EQ(operator_of("PutOperator", MergeOperatorByName("max")).options.merge_operator,
           MergeOperatorByName("max"));
}

// As 7.8.3 and 11.8.1 write them.
TEST_CASE("CompleteFamilyOptions: a universal tree stays one, with its options") {
  constexpr const char* kTexts[] = {
      "{allow_trivial_move=true;stop_style=kCompactionStopStyleSimilarSize;min_merge_width=3;"
      "compression_size_percent=70;max_size_amplification_percent=150;incremental=false;"
      "max_merge_width=4294967295;size_ratio=7;}",
      "{max_read_amp=-1;reduce_file_locking=false;incremental=false;compression_size_percent=70;"
      "allow_trivial_move=true;max_size_amplification_percent=150;max_merge_width=4294967295;"
      "stop_style=kCompactionStopStyleSimilarSize;min_merge_width=3;size_ratio=7;}"};
  for (const char* text : kTexts) {
    const Completed tree = Complete(
        "compaction_style=kCompactionStyleUniversal\n  num_levels=1\n"
        "  compaction_options_universal=" +
        std::string(text));
    CHECK(tree.notes.empty());
    CHECK_EQ(tree.options.compaction_style, CompactionStyle::kUniversal);
    CHECK_EQ(tree.options.num_levels, 1);
    const UniversalOptions& universal = tree.options.universal;
    CHECK_EQ(universal.size_ratio, 7u);
    CHECK_EQ(universal.min_merge_width, 3u);
    CHECK_EQ(universal.max_merge_width, 4294967295u);
    CHECK_EQ(universal.max_size_amplification_percent, 150u);
    CHECK_EQ(universal.compression_size_percent, 70);
    CHECK_EQ(universal.stop_style, UniversalStopStyle::kSimilarSize);
    CHECK(universal.allow_trivial_move);
  }
}

TEST_CASE("CompleteFamilyOptions: what universal compaction lacks is named, the rest applies") {
  const Completed tree =
      Complete("compaction_options_universal={max_read_amp=8;incremental=true;size_ratio=7;}");
  CHECK(tree.notes ==
        Notes{"CFOptions \"default\": compaction_options_universal.incremental=true is not "
              "honoured; whole sorted runs are compacted",
              "CFOptions \"default\": compaction_options_universal.max_read_amp=8 is not honoured; "
              "level0_file_num_compaction_trigger limits the sorted runs"});
  CHECK_EQ(tree.options.universal.size_ratio, 7u);
}

TEST_CASE("CompleteFamilyOptions: contradictions are settled as RocksDB settles them") {
  const Completed triggers = Complete(
      "level0_file_num_compaction_trigger=9\n  level0_slowdown_writes_trigger=5\n"
      "  level0_stop_writes_trigger=1");
  CHECK_EQ(triggers.options.level0_slowdown_writes_trigger, 9);
  CHECK_EQ(triggers.options.level0_stop_writes_trigger, 9);
  CHECK_EQ(
      triggers.notes.front(),
      "CFOptions \"default\": level0_slowdown_writes_trigger is at odds with the other options; "
      "9 is used instead");
  CHECK_EQ(triggers.notes.size(), 2u);
  const Completed limits =
      Complete("soft_pending_compaction_bytes_limit=50\n  hard_pending_compaction_bytes_limit=40");
  CHECK_EQ(limits.options.soft_pending_compaction_bytes_limit, 40u);
  CHECK_EQ(Complete("num_levels=1").options.num_levels, 2);
  CHECK_FALSE(Complete("", "partition_filters=true").options.table.partition_filters);
  CHECK(Complete("", "partition_filters=true\n  index_type=kTwoLevelIndexSearch")
            .options.table.partition_filters);
}

TEST_CASE("CompleteFamilyOptions: a level that the codec refuses becomes its default") {
  const Completed completed =
      Complete("compression=kZlibCompression\n  compression_opts={level=99;}");
  CHECK_EQ(completed.options.table.compression, CompressionType::kZlib);
  CHECK_EQ(completed.options.table.compression_level, TableOptions::kDefaultCompressionLevel);
  CHECK(completed.notes ==
        Notes{"CFOptions \"default\": compression: the codec refuses level 99; its "
              "default is used instead"});
}

TEST_CASE("CompleteFamilyOptions: nonsense is noted, at bounded length, and what was there holds") {
  const Completed completed = Complete("write_buffer_size=" + std::string(100'000, 'x'));
  CHECK_EQ(completed.options.write_buffer_size, ColumnFamilyOptions().write_buffer_size);
  REQUIRE(completed.notes.size() == 1);
  CHECK_LT(completed.notes[0].size(), 500u);
  CHECK(completed.notes[0].starts_with("CFOptions \"default\": write_buffer_size: expected"));
  CHECK(completed.notes[0].ends_with("67108864 is used instead"));
}

TEST_CASE("CompleteFamilyOptions: of whatever a file says, valid options come") {
  constexpr const char* kValues[] = {"0",
                                     "1",
                                     "2",
                                     "9",
                                     "-1",
                                     "true",
                                     "kZSTD",
                                     "kZlibCompression",
                                     "kCompactionStyleUniversal",
                                     "kTwoLevelIndexSearch",
                                     "{}",
                                     "{level=99;}",
                                     "18446744073709551615",
                                     "kXpressCompression"};
  uint32_t state = 7;
  const auto random = [&state] { return (state = state * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < 2000; ++i) {
    std::string family, table;
    for (const OptionRow& row : OptionTable()) {
      if (random() % 3 != 0 || row.scope == OptionScope::kDatabase) continue;
      std::string& section = row.scope == OptionScope::kTable ? table : family;
      section.append(row.name).append("=").append(kValues[random() % std::size(kValues)]) += '\n';
    }
    Options options;
    options.family = Complete(family, table).options;
    CAPTURE(family);
    CAPTURE(table);
    REQUIRE_EQ(ValidateOptions(options).ToString(), "ok");
  }
}

TEST_CASE("CompleteDatabaseOptions: the database's own options alone, with the same precedence") {
  const OptionsFile file = FileOf(
      "max_open_files=50\n  max_background_jobs=3\n  wal_dir=/elsewhere", "write_buffer_size=1000");
  Options options;
  options.max_background_jobs = 5;
  CHECK(CompleteDatabaseOptions(file, &options).empty());
  CHECK_EQ(options.max_open_files, 50);
  CHECK_EQ(options.max_background_jobs, 5);
  CHECK_EQ(options.family.write_buffer_size, ColumnFamilyOptions().write_buffer_size);

  Options insisting;
  insisting.chosen = {"max_open_files"};
  CHECK(CompleteDatabaseOptions(file, &insisting).empty());
  CHECK_EQ(insisting.max_open_files, Options().max_open_files);
}

TEST_CASE("CompleteDatabaseOptions: what concerns one opening is not taken from the file") {
  Options options;
  CHECK(CompleteDatabaseOptions(FileOf("create_if_missing=true\n  error_if_exists=true", ""),
                                &options)
            .empty());
  CHECK_FALSE(options.create_if_missing);
  CHECK_FALSE(options.error_if_exists);
}

TEST_CASE("CompleteDatabaseOptions: a file without the section changes nothing") {
  Options options;
  CHECK(CompleteDatabaseOptions(OptionsFile(), &options).empty());
  CHECK_EQ(options.max_open_files, Options().max_open_files);
}

TEST_CASE("MergeOperatorOfText: a name, or a name with the delimiter that ours has") {
  const MergeOperator* const append = MergeOperatorByName("stringappend");
  REQUIRE(append != nullptr);
  CHECK_EQ(MergeOperatorOfText("StringAppendOperator"), append);
  CHECK_EQ(MergeOperatorOfText("{id=StringAppendOperator;delimiter=,;}"), append);
  CHECK_EQ(MergeOperatorOfText("{id=StringAppendOperator;}"), append);
  CHECK_EQ(MergeOperatorOfText("{id=StringAppendOperator}"), append);
  for (const char* none :
       {"{id=StringAppendOperator;delimiter=:;}", "{id=StringAppendOperator;delimiter=,,;}",
        "{id=StringAppendOperator;delimiter=;}", "{id=Mine;}", "{id=", "{", "", "nullptr",
        "stringappendoperator"}) {
    CAPTURE(none);
    CHECK_EQ(MergeOperatorOfText(none), nullptr);
  }
}

TEST_CASE("NamesMergeOperator: an empty value and nullptr name none") {
  CHECK_FALSE(NamesMergeOperator(""));
  CHECK_FALSE(NamesMergeOperator("nullptr"));
  CHECK(NamesMergeOperator("Mine"));
  CHECK(NamesMergeOperator("{id=Mine;}"));
}

}  // namespace
}  // namespace varve
