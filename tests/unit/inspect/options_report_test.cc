// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/options/options_report.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/inspect/options/rocksdb_options.h"
#include "tests/unit/inspect/inspected_db.h"
#include "tests/unit/version/manifest_fixture.h"

namespace varve {
namespace {

constexpr std::string_view kVersion =
    "[Version]\n  rocksdb_version=7.8.3\n  options_file_version=1.1\n";
constexpr std::string_view kHead = "[DBOptions]\n[CFOptions \"default\"]\n";

struct Fixture {
  Fixture() : fs(NewMemoryFileSystem()) { REQUIRE(fs->CreateDirectory("db").ok()); }
  void Write(const std::string& name, std::string_view text) { WriteFile(*fs, "db/" + name, text); }
  OptionsReport Report() {
    auto report = ReportOptions(*fs, "db");
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    return *std::move(report);
  }
  OptionsReport ReportOf(std::string_view text) {
    Write("OPTIONS-000007", text);
    return Report();
  }

  const std::unique_ptr<FileSystem> fs;
};

const OptionReport& Find(const std::vector<OptionReport>& options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const OptionReport& o) { return o.name == name; });
  REQUIRE_MESSAGE(found != options.end(), name);
  return *found;
}

bool Has(const std::vector<OptionReport>& options, std::string_view name) {
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionReport& o) { return o.name == name; });
}

size_t RowsOf(OptionScope scope) {
  return static_cast<size_t>(
      std::count_if(RocksDbOptions().begin(), RocksDbOptions().end(),
                    [&](const RocksDbOption& row) { return row.scope == scope; }));
}

TEST_CASE("OptionsReport: without an OPTIONS file all is as RocksDB has it") {
  Fixture t;
  const OptionsReport report = t.Report();
  CHECK(report.file.empty());
  CHECK(report.rocksdb_version.empty());
  CHECK(report.families.empty());
  CHECK_EQ(report.CountDiffering(), 0);
  CHECK_FALSE(report.FamilyOptions("default").has_value());
  const std::vector<OptionReport> options = report.DatabaseOptions();
  CHECK_EQ(options.size(), RowsOf(OptionScope::kDatabase));
  CHECK(
      std::is_sorted(options.begin(), options.end(),
                     [](const OptionReport& a, const OptionReport& b) { return a.name < b.name; }));
  for (const OptionReport& option : options) {
    CHECK_FALSE(option.from_file);
    CHECK_FALSE(IsWorthShowing(option));
    CHECK_EQ(option.value, *option.default_value);
  }
}

TEST_CASE("OptionsReport: the newest file counts, by its number and whatever else is there") {
  Fixture t;
  t.Write("OPTIONS-000099", "[DBOptions]\n  max_open_files=1\n[CFOptions \"default\"]\n");
  t.Write("OPTIONS-000100", "[DBOptions]\n  max_open_files=2\n[CFOptions \"default\"]\n");
  t.Write("OPTIONS-000101.dbtmp", "[DBOptions]\n  max_open_files=3\n[CFOptions \"default\"]\n");
  t.Write("OPTIONS-x", "not read");
  const OptionsReport report = t.Report();
  CHECK_EQ(report.file, "OPTIONS-000100");
  const std::vector<OptionReport> options = report.DatabaseOptions();
  const OptionReport& option = Find(options, "max_open_files");
  CHECK_EQ(option.value, "2");
  CHECK_EQ(*option.default_value, "-1");
  CHECK(option.from_file);
  CHECK(option.differs);
  CHECK(option.is_mutable);
  CHECK_EQ(report.CountDiffering(), 1);
}

TEST_CASE("OptionsReport: who wrote the file is told as written, if it is") {
  Fixture t;
  CHECK_EQ(t.ReportOf(std::string(kVersion) + std::string(kHead)).rocksdb_version, "7.8.3");
  for (const std::string version : {"99.0.1", "", "unheard of", "7.8.3\\#x"}) {
    CHECK_EQ(t.ReportOf("[Version]\n  rocksdb_version=" + version +
                        "\n  options_file_version=9.9\n" + std::string(kHead))
                 .rocksdb_version,
             version);
  }
  CHECK_EQ(
      t.ReportOf("[Version]\n  options_file_version=1.1\n" + std::string(kHead)).rocksdb_version,
      "");
  CHECK_EQ(t.ReportOf(kHead).rocksdb_version, "");
}

TEST_CASE("OptionsReport: an option that 7.8.3 does not have is shown, not compared") {
  Fixture t;
  const OptionsReport report = t.ReportOf(
      "[DBOptions]\n  from_the_future=17\n  write_buffer_size=1\n[CFOptions \"default\"]\n"
      "  from_the_future={a=1;b=2;}\n");
  const std::vector<OptionReport> database = report.DatabaseOptions();
  // The second is one of families.
  for (const char* const name : {"from_the_future", "write_buffer_size"}) {
    const OptionReport& option = Find(database, name);
    CHECK(option.from_file);
    CHECK_FALSE(option.default_value.has_value());
    CHECK_FALSE(option.differs);
    CHECK(IsWorthShowing(option));
  }
  CHECK_EQ(database.size(), RowsOf(OptionScope::kDatabase) + 2);
  CHECK_EQ(Find(*report.FamilyOptions("default"), "from_the_future").value, "{a=1;b=2;}");
  CHECK_EQ(report.CountDiffering(), 0);
}

TEST_CASE("OptionsReport: a value differs if it means something else") {
  struct Case {
    std::string_view statement;
    bool differs;
  };
  const Case cases[] = {
      {"max_bytes_for_level_multiplier=10.000000", false},
      {"max_bytes_for_level_multiplier=10", false},
      {"max_bytes_for_level_multiplier=1e1", true},  // RocksDB writes no exponents.
      {"max_bytes_for_level_multiplier=10.5", true},
      {"max_bytes_for_level_multiplier=ten", true},
      {"max_bytes_for_level_multiplier=", true},
      {"periodic_compaction_seconds=0", false},
      {"periodic_compaction_seconds=18446744073709551614", false},  // Before it is computed.
      {"periodic_compaction_seconds=18446744073709551615", true},
      {"arena_block_size=0", false},
      {"arena_block_size=1048576", false},
      {"arena_block_size=4096", true},
      {"compression=kSnappyCompression", false},
      {"compression=kZSTD", true},
      {"compression=ksnappycompression", true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.statement);
    Fixture t;
    const OptionsReport report =
        t.ReportOf(std::string(kHead) + "  " + std::string(c.statement) + "\n");
    const std::string_view name = c.statement.substr(0, c.statement.find('='));
    const auto options = report.FamilyOptions("default");
    CHECK_EQ(Find(*options, name).value, c.statement.substr(name.size() + 1));
    CHECK_EQ(Find(*options, name).differs, c.differs);
    CHECK_EQ(report.CountDiffering(), c.differs ? 1 : 0);
  }
}

TEST_CASE("OptionsReport: members in braces are options of their own, if RocksDB has them") {
  Fixture t;
  const OptionsReport report = t.ReportOf(
      std::string(kHead) +
      "  compaction_options_fifo={allow_compaction=true;new={x=1;y={z=2;};};age_for_warm=0}\n"
      "  compression_opts={level=9}\n"
      "  bottommost_compression_opts={}\n"
      "  compaction_options_universal={size_ratio\n");
  const auto options = *report.FamilyOptions("default");
  CHECK_EQ(Find(options, "compaction_options_fifo.allow_compaction").value, "true");
  CHECK(Find(options, "compaction_options_fifo.allow_compaction").differs);
  CHECK_EQ(Find(options, "compaction_options_fifo.new").value, "{x=1;y={z=2;};}");
  CHECK_FALSE(Find(options, "compaction_options_fifo.new").default_value.has_value());
  CHECK(Find(options, "compaction_options_fifo.age_for_warm").from_file);  // No ';' behind it.
  CHECK_FALSE(Find(options, "compaction_options_fifo.age_for_warm").differs);
  CHECK_FALSE(Find(options, "compaction_options_fifo.max_table_files_size").from_file);
  CHECK_FALSE(Has(options, "compaction_options_fifo"));
  CHECK_EQ(Find(options, "compression_opts.level").value, "9");
  CHECK_FALSE(Find(options, "bottommost_compression_opts.level").from_file);
  // Braces that are not closed are a text.
  CHECK_EQ(Find(options, "compaction_options_universal").value, "{size_ratio");
  CHECK_FALSE(Find(options, "compaction_options_universal.size_ratio").from_file);
}

TEST_CASE("OptionsReport: families by their names, in the order of the file") {
  Fixture t;
  const OptionsReport report = t.ReportOf(
      "[DBOptions]\n[CFOptions \"default\"]\n"
      "[TableOptions/BlockBasedTable \"default\"]\n  block_size=4096\n"
      "[CFOptions \"z\\#1\\:\\\\\\n\"]\n  num_levels=3\n"
      "[TableOptions/BlockBasedTable \"z\\#1\\:\\\\\\n\"]\n  block_size=9999\n"
      "[CFOptions \"a\"]\n"
      "[TableOptions/PlainTable \"a\"]\n  block_size=7777\n");
  const std::string odd = "z#1:\\\n";
  CHECK(report.families == std::vector<std::string>{"default", odd, "a"});
  CHECK_EQ(Find(*report.FamilyOptions(odd), "num_levels").value, "3");
  CHECK_EQ(Find(*report.FamilyOptions(odd), "block_size").value, "9999");
  CHECK_EQ(Find(*report.FamilyOptions("default"), "num_levels").value, "7");
  // Options of a table of another format are not those of block-based tables.
  CHECK_EQ(Find(*report.FamilyOptions("a"), "block_size").value, "4096");
  CHECK_FALSE(Find(*report.FamilyOptions("a"), "block_size").from_file);
  CHECK_EQ(report.FamilyOptions("a")->size(),
           RowsOf(OptionScope::kColumnFamily) + RowsOf(OptionScope::kTable));
  CHECK_FALSE(report.FamilyOptions("z").has_value());
  CHECK_EQ(report.CountDiffering(), 2);
}

TEST_CASE("OptionsReport: a file that cannot be read is an error with its path") {
  Fixture t;
  t.Write("OPTIONS-000007", "[DBOptions]\n[CFOptions \"default\"]\n  a\n");
  const Status failure = ReportOptions(*t.fs, "db").status();
  CHECK(failure.code() == Code::kCorruption);
  CHECK_EQ(failure.message(), "db/OPTIONS-000007: OPTIONS line 3: a statement without '='");
  CHECK(ReportOptions(*t.fs, "nowhere").status().code() == Code::kNotFound);
}

TEST_CASE("VisitStoredOptions: every file that can be read, the newest first") {
  Fixture t;
  const auto numbered = [](int n) {
    return "[DBOptions]\n  max_open_files=" + std::to_string(n) + "\n[CFOptions \"default\"]\n";
  };
  t.Write("OPTIONS-000009", numbered(9));
  t.Write("OPTIONS-000100", numbered(100));
  t.Write("OPTIONS-000050", "broken");
  t.Write("OPTIONS-000200", "broken, too");
  std::vector<std::string> seen;
  const auto visit = [&](const OptionsFile& file) {
    seen.push_back(*file.Find(kDatabaseSection, "")->Find("max_open_files"));
  };
  VisitStoredOptions(*t.fs, "db", visit);
  CHECK(seen == std::vector<std::string>{"100", "9"});
  seen.clear();
  VisitStoredOptions(*t.fs, "nowhere", visit);
  CHECK(seen.empty());
}

TEST_CASE("OptionsReport: what the engine was opened with, family by family") {
  InspectedDb t;
  ColumnFamilyOptions options = t.options.family;
  options.level0_file_num_compaction_trigger = 7;
  options.table.block_size = 8192;
  REQUIRE(t.db->CreateColumnFamily("users", options).ok());
  t.Close();
  auto report = ReportOptions(t.fs, "db");
  REQUIRE_MESSAGE(report.ok(), report.status().ToString());
  CHECK(report->file.starts_with("OPTIONS-"));
  CHECK_FALSE(report->rocksdb_version.empty());
  CHECK(report->families == std::vector<std::string>{"default", "users"});
  const auto users = *report->FamilyOptions("users");
  CHECK_EQ(Find(users, "level0_file_num_compaction_trigger").value, "7");
  CHECK(Find(users, "level0_file_num_compaction_trigger").differs);
  CHECK_EQ(Find(users, "block_size").value, "8192");
  CHECK_EQ(Find(users, "disable_auto_compactions").value, "true");
  CHECK_FALSE(Find(*report->FamilyOptions("default"), "block_size").differs);
  for (const OptionReport& option : users) {
    if (option.from_file) CHECK_MESSAGE(option.default_value.has_value(), option.name);
  }
}

}  // namespace
}  // namespace varve
