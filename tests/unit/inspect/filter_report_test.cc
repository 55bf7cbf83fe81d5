// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/filter_report.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "core/inspect/table/table_layout.h"
#include "core/inspect/table/table_report.h"
#include "core/table/read/table_state.h"
#include "tests/scratch_directory.h"
#include "tests/unit/inspect/golden_tables.h"
#include "varve/environment.h"

namespace varve {
namespace {

FileSystem& Fs() { return *NativeEnvironment().file_system; }

// The manifest's decoder, which is none of ours, has other names.
std::string KindOf(const std::string& in_manifest) {
  if (in_manifest == "fast-local-bloom") return "bloom";
  if (in_manifest == "legacy-bloom") return "legacy_bloom";
  return in_manifest.starts_with("ribbon") || in_manifest.ends_with("ribbon") ? "ribbon"
                                                                              : "per_block";
}

// A share seen in `n` tries lies this near to p in all but one of some ten thousand cases.
double FourSigma(double p, double n) { return 4 * std::sqrt(p * (1 - p) / n) + 2 / n; }

TEST_CASE("Filters: kind, probes and false positives are those that an independent decoder found") {
  int filters = 0, measured = 0;
  for (const GoldenTable& golden : GoldenTables()) {
    if (golden.refused()) continue;
    CAPTURE(golden.name);
    const auto report = ReportFilter(Fs(), golden.path, {.ask = 5000, .seed = 3});
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    if (!golden.facts.contains("filter") || golden.facts["filter"].is_null()) {
      CHECK_EQ(report->kind, "none");
      continue;
    }
    const auto& facts = golden.facts["filter"];
    ++filters;
    // A small partition is a Bloom filter where that takes less room than a Ribbon.
    if (report->kind != "mixed" || !report->partitioned) {
      CHECK_EQ(report->kind, KindOf(facts["kind"].get<std::string>()));
    }
    CHECK_EQ(report->problem, "");
    CHECK_FALSE(report->damaged);
    if (facts.contains("partitions")) {
      CHECK(report->partitioned);
      CHECK_EQ(report->partitions + report->empty_partitions, facts["partitions"].get<uint64_t>());
    } else if (facts.contains("probes")) {
      CHECK_EQ(report->probes, facts["probes"].get<uint32_t>());
    }
    if (facts.contains("columns")) CHECK_EQ(report->columns, facts["columns"].get<uint32_t>());
    if (facts.contains("bytes")) CHECK_EQ(report->bytes, facts["bytes"].get<uint64_t>());
    REQUIRE(report->asked > 0);
    CHECK(report->rate_low <= report->rate);
    CHECK(report->rate <= report->rate_high);
    // The legacy filter's bits of a key depend on each other, which shows where there are many.
    if (report->bits > 0 && report->kind != "legacy_bloom") {
      // From the bits that are set follows how often it is wrong.
      CHECK(std::abs(report->rate - report->expected_rate) <
            FourSigma(report->expected_rate, static_cast<double>(report->asked)) +
                0.1 * report->expected_rate);
    }
    if (report->by_hash) continue;
    const double theirs = facts["false_positives_per_1000"].get<double>() / 1000;
    CHECK(std::abs(theirs - report->rate) < FourSigma(report->rate_high, 1000));
    ++measured;
  }
  CHECK_EQ(filters, 100);
  CHECK(measured > 90);
}

TEST_CASE("Filters: no key of a table is ever denied, and a bit that is 0 says why one is") {
  for (const char* name :
       {"r119_filter_bloom5_bpk10.sst", "r78_filter_bloom4_bpk10.sst", "r78_filter_prefix_only.sst",
        "r119_filter_ribbon_bpk10_n1000.sst", "r119_part_filter_fv7_decoupled.sst",
        "r119_part_filter_ribbon.sst", "ldb123_bloom.ldb"}) {
    CAPTURE(name);
    const std::string path = std::string(VARVE_FIXTURES "/sst/") + name;
    auto stream = EntryStream::OpenTable(Fs(), path, {});
    REQUIRE(stream.ok());
    StoredEntry entry;
    for (uint64_t i = 0; stream->Next(&entry); ++i) {
      if (i % 7 != 0) continue;
      const auto answer = AskFilter(Fs(), path, entry.key);
      REQUIRE(answer.ok());
      CHECK(answer->look.may_match);
      CHECK_FALSE(answer->look.first_zero);
    }
    uint64_t denied = 0;
    for (int i = 0; i < 300; ++i) {
      const auto answer = AskFilter(Fs(), path, "key00" + std::to_string(i) + "-absent");
      REQUIRE(answer.ok());
      const FilterLook& look = answer->look;
      denied += look.may_match ? 0 : 1;
      if (look.kind != "bloom" && look.kind != "legacy_bloom") continue;
      CHECK_EQ(look.may_match, !look.first_zero);
      CHECK_FALSE(look.bits.empty());
      if (look.first_zero) CHECK_EQ(look.bits.back(), *look.first_zero);
    }
    // Prefixes of these keys are there.
    if (std::string_view(name).find("prefix") == std::string_view::npos) CHECK(denied > 250);
  }
}

TEST_CASE("Filters: the measured rate is that of every absent key there is to ask for") {
  // Brute force through the reader that a Get uses.
  for (const char* name : {"r119_filter_bloom5_bpk4.sst", "r78_filter_bloom4_bpk5.sst",
                           "r119_filter_ribbon_bpk3_n3000.sst"}) {
    CAPTURE(name);
    const std::string path = std::string(VARVE_FIXTURES "/sst/") + name;
    const auto report = ReportFilter(Fs(), path, {.ask = 20'000, .seed = 1});
    REQUIRE(report.ok());
    auto file = Fs().OpenForRead(path, /*direct=*/false);
    REQUIRE(file.ok());
    const auto reader = TableReader::Open(*std::move(file), {});
    REQUIRE(reader.ok());
    const TableReader::Impl& table = (*reader)->impl();
    constexpr int kKeys = 200'000;
    int passed = 0;
    for (int i = 0; i < kKeys; ++i) {
      const std::string key = "absent" + std::to_string(i);
      Lookup lookup(key, kMaxSequence);
      passed += table.filter.MayMatch(BytewiseOrder{}, table.fetcher, {}, &lookup) ? 1 : 0;
    }
    const double all = static_cast<double>(passed) / kKeys;
    CHECK(all > 0);
    // The 95 % interval, and half of it again: this must not fail one time in twenty.
    const double margin = (report->rate_high - report->rate_low) / 2;
    CHECK(report->rate_low - margin <= all);
    CHECK(all <= report->rate_high + margin);
  }
}

TEST_CASE("Filters: a damaged one is said to be, and answers maybe") {
  const ScratchDirectory scratch;
  const std::string source = VARVE_FIXTURES "/sst/r119_filter_bloom5_bpk10.sst";
  const auto whole = TableLayout::Open(Fs(), source);
  REQUIRE(whole.ok());
  std::ifstream in(source, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (const TablePart& part : (*whole)->parts()) {
    if (part.kind == TablePartKind::kFilter) bytes[part.offset + 3] ^= 0x55;
  }
  const std::string path = scratch / "table";
  std::ofstream(path, std::ios::binary) << bytes;
  const auto report = ReportFilter(Fs(), path, {});
  REQUIRE(report.ok());
  CHECK(report->damaged);
  CHECK_NE(report->problem, "");
  CHECK_EQ(report->asked, 0);
  const auto answer = AskFilter(Fs(), path, "absent");
  REQUIRE(answer.ok());
  CHECK(answer->look.may_match);
  CHECK_EQ(answer->look.kind, "unusable");
}

}  // namespace
}  // namespace varve
