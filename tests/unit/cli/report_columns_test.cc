// SPDX-License-Identifier: Apache-2.0
#include "cli/output/report_columns.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace varve::cli {
namespace {

using api::Fields;
using api::Unit;

struct Report {
  std::string name;
  uint64_t size = 0, entries = 0;
  std::optional<uint64_t> first_seq = {};
  uint64_t offset = 0;
  bool live = false;
};

const Fields<Report>& ReportFields() {
  static const auto fields = Fields<Report>("Report")
                                 .Text("name", &Report::name, "")
                                 .Number("size", Unit::kBytes, &Report::size, "")
                                 .Number("entries", Unit::kCount, &Report::entries, "")
                                 .Id("first_seq", &Report::first_seq, "")
                                 .Number("offset", Unit::kOffset, &Report::offset, "")
                                 .Flag("live", &Report::live, "");
  return fields;
}

TEST_CASE("ReportColumns: headers, sides and units are those of the description") {
  ReportColumns<Report> table({.width = 200}, ReportFields());
  table.Show("name", "log")
      .Show("size")
      .Show("entries")
      .Show("first_seq")
      .Show("offset")
      .Show("live")
      .Show("end", TextTable::Align::kRight,
            [](const Report& report) { return std::to_string(report.offset + report.size); });
  const std::vector<Report> reports = {{"a\n", 1536, 1'200'000, 17, 1'000'000, true},
                                       {"longer", 0, 9, std::nullopt, 5, false}};
  CHECK(table.Of(reports).Render() ==
        "log        size    entries  first seq   offset  live      end\n"
        "a\\n     1.5 KiB  1,200,000         17  1000000  *     1001536\n"
        "longer      0 B          9                   5              5\n");
}

TEST_CASE("ReportColumns: rows as they come, with all digits where that is wanted") {
  ReportColumns<Report> columns({.width = 200}, ReportFields());
  columns.Show("name").ShowExact("size", "bytes");
  TextTable table = columns.NewTable();
  table.Add(columns.Row({"a", 1536}));
  CHECK(table.Render() ==
        "name  bytes\n"
        "a      1536\n");
}

TEST_CASE("ReportColumns: tables without headers") {
  ReportColumns<Report> columns({.width = 200}, ReportFields());
  columns.Show("name").ShowExact("size").Show("first_seq").WithoutHeaders();
  const std::vector<Report> reports = {{"a", 1536, 0, 17}, {"longer", 9}};
  CHECK(columns.Of(reports).Render() ==
        "a       1536  17\n"
        "longer     9\n");
}

struct Handle {
  uint64_t offset = 0, size = 0;
};

struct Entry {
  std::string key;
  std::optional<Handle> handle = {};
  double share = 0;
  uint64_t at = 0, read = 0;
  std::optional<double> rate = {};
};

const Fields<Handle>& HandleFields() {
  static const auto fields = Fields<Handle>()
                                 .Number("offset", Unit::kOffset, &Handle::offset, "")
                                 .Number("size", Unit::kBytes, &Handle::size, "");
  return fields;
}

const Fields<Entry>& EntryFields() {
  static const auto fields =
      Fields<Entry>()
          .Bytes("key", &Entry::key, "")
          .Object("handle", &Entry::handle, HandleFields(), "")
          .Fraction("share", &Entry::share, "")
          .Number("at_unix_us", Unit::kUnixMicroseconds, api::IfSet(&Entry::at), "")
          .Number("read", Unit::kBytes, &Entry::read, "")
          .Fraction("rate", Unit::kPerSecond, &Entry::rate, "")
          .OrNull();
  return fields;
}

TEST_CASE("ReportColumns: members of members, bytes, moments") {
  ReportColumns<Entry> table({.width = 200}, EntryFields());
  table.ShowBytes("key", 8, "separator")
      .Show("handle.offset")
      .ShowExact("handle.size", "bytes")
      .Show("share")
      .Show("at_unix_us", "when")
      .ShowUnlessZero("read")
      .Show("read", "of");
  const std::string four_bytes_each = "\U0001F40E\U0001F40E\U0001F40E\U0001F40E\U0001F40E";
  const std::vector<Entry> entries = {
      {"k\n", Handle{4096, 2000}, 0.666, 1'700'000'000'000'000, 1024},
      {std::string(1000, 'x'), std::nullopt, 1},
      {four_bytes_each + four_bytes_each, Handle{}}};
  CHECK(table.Of(entries).Render() ==
        "separator  offset  bytes  share            when     read       of\n"
        "k\\n          4096   2000   0.67  11-14 22:13:20  1.0 KiB  1.0 KiB\n"
        "xxxxx...                   1.00                               0 B\n"
        "\U0001F40E\U0001F40E\U0001F40E\U0001F40E\U0001F40E...        0      0   0.00"
        "                               0 B\n");
}

TEST_CASE("ReportColumns: rates; what is null is empty") {
  ReportColumns<Entry> table({.width = 200}, EntryFields());
  table.Show("share").Show("rate", "rows/s");
  const std::vector<Entry> entries = {{"a", {}, 0.5, 0, 0, 12345.6}, {"b", {}, 0.25}};
  CHECK(table.Of(entries).Render() ==
        "share  rows/s\n"
        " 0.50  12,345\n"
        " 0.25\n");
}

TEST_CASE("ReportColumns: columns for programs have the names and values of JSON") {
  ReportColumns<Entry> columns(Terminal(), EntryFields());
  columns.ShowData("share")
      .ShowData("handle.size")
      .ShowData("read", "read_bytes")
      .ShowData("at_unix_us")
      .ShowData("rate")
      .Show("twice", TextTable::Align::kRight,
            [](const Entry& entry) { return std::to_string(2 * entry.read); });
  CHECK(columns.Names() == std::vector<std::string>{"share", "handle.size", "read_bytes",
                                                    "at_unix_us", "rate", "twice"});
  CHECK(columns.Row({"a", Handle{0, 1536}, 0.125, 1'700'000'000'000'000, 1024, 2.5}) ==
        std::vector<std::string>{"0.125", "1536", "1024", "1700000000000000", "2.5", "2048"});
  CHECK(columns.Row({"a"}) == std::vector<std::string>{"0.0", "", "0", "", "", "0"});
}

TEST_CASE("ReportColumns: a column that is cut for a terminal only") {
  const std::vector<Report> reports = {{"0123456789"}};
  for (const bool there : {true, false}) {
    ReportColumns<Report> table({.width = 200, .there = there}, ReportFields());
    table.Show("name").Cut(6);
    CHECK(table.Of(reports).Render() == (there ? "name\n012...\n" : "name\n0123456789\n"));
  }
}

}  // namespace
}  // namespace varve::cli
