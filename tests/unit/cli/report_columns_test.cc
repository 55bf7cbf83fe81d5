// SPDX-License-Identifier: Apache-2.0
#include "cli/report_columns.h"

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
        "a\\n     1.5 KiB  1,200,000         17  1000000  live  1001536\n"
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

}  // namespace
}  // namespace varve::cli
