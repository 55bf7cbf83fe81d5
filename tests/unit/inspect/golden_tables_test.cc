// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/inspect/golden_tables.h"

#include <doctest/doctest.h>

#include <map>

#include "core/base/text/text.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/verify/verify.h"
#include "varve/environment.h"

namespace varve {
namespace {

FileSystem& Files() { return *NativeEnvironment().file_system; }

std::string Translate(const std::map<std::string, std::string>& words, const nlohmann::json& word) {
  const std::string text = word.is_string() ? word.get<std::string>() : "none";
  const auto found = words.find(text);
  return found == words.end() ? text : found->second;
}

TEST_CASE("Every golden table is reported as its manifest describes it") {
  const std::map<std::string, std::string> checksums = {
      {"XXH3", "xxh3"}, {"xxHash", "xxhash"}, {"xxHash64", "xxhash64"}};
  const std::map<std::string, std::string> indexes = {{"two-level", "two_level"},
                                                      {"binary-with-first-key", "first_key"}};
  const std::map<std::string, std::string> filters = {{"fast-local-bloom", "bloom"},
                                                      {"legacy-bloom", "legacy_bloom"},
                                                      {"ribbon128", "ribbon"},
                                                      {"per-offset", "leveldb"}};
  int seen = 0;
  for (const GoldenTable& table : GoldenTables()) {
    CAPTURE(table.name);
    const Result<TableReport> report = ReportTable(Files(), table.path);
    if (table.refused()) {
      REQUIRE_FALSE(report.ok());
      CHECK(report.status().code() == Code::kNotSupported);
      continue;
    }
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    ++seen;
    CHECK(report->size == table.facts["size"]);
    CHECK(report->format_version == table.facts["format_version"]);
    CHECK(report->leveldb == table.facts["writer"].get<std::string>().starts_with("LevelDB"));
    CHECK(report->checksum == Translate(checksums, table.facts["checksum"]));
    CHECK(report->base_context_checksum == table.facts["base_context_checksum"]);
    const auto& index = table.facts["index"];
    CHECK(report->index_kind == Translate(indexes, index["kind"]));
    CHECK(report->index_keys_are_user_keys == index["user_keys"]);
    CHECK(report->index_values_are_deltas == index["delta_values"]);
    if (table.facts.contains("filter") && table.facts["filter"].contains("kind")) {
      CHECK(report->filter_kind == Translate(filters, table.facts["filter"]["kind"]));
      CHECK(report->filter_partitioned == table.facts["filter"].contains("partitions"));
    }
    for (const auto& [name, handle] : table.facts["metaindex"].items()) {
      const auto found =
          std::find_if(report->metaindex_entries.begin(), report->metaindex_entries.end(),
                       [&](const auto& entry) { return entry.first == name; });
      REQUIRE(found != report->metaindex_entries.end());
      CHECK(found->second.offset == handle[0]);
      CHECK(found->second.size == handle[1]);
    }
    if (report->comparator.ends_with("BytewiseComparator") && table.facts["entries_found"] > 0) {
      REQUIRE(report->smallest.has_value());
      CHECK(HexBytes(report->smallest->key) == table.facts["first_key"]["key"].get<std::string>());
      REQUIRE(report->largest.has_value());
      CHECK(HexBytes(report->largest->key) == table.facts["last_key"]["key"].get<std::string>());
    }
  }
  CHECK(seen == 145);
}

TEST_CASE("Every golden table that can be read verifies clean") {
  for (const GoldenTable& table : GoldenTables()) {
    CAPTURE(table.name);
    const Result<VerifyReport> report = VerifyTable(Files(), table.path, nullptr);
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    for (const Finding& finding : report->findings) CAPTURE(finding.what);
    CHECK(report->Count(Finding::Severity::kError) == 0);
    CHECK((report->Count(Finding::Severity::kNotChecked) > 0) ==
          (table.refused() || !report->clean()));
    if (!table.refused()) {
      CHECK(report->entries >= table.facts["entries_found"].get<uint64_t>());
      CHECK(report->bytes <= table.facts["size"].get<uint64_t>());
    }
  }
}

}  // namespace
}  // namespace varve
