// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/space_json.h"

namespace varve::api {
namespace {

Json CountJson(const SpaceCount& count) {
  return {{"entries", count.entries}, {"bytes", count.bytes}};
}

Json TallyJson(const SpaceTally& tally) {
  return {{"live", CountJson(tally.live)},
          {"shadowed", CountJson(tally.shadowed)},
          {"tombstones", CountJson(tally.tombstones)}};
}

void PutInterval(Json* json, const char* name, const std::optional<SpaceInterval>& interval) {
  if (!interval) return;
  (*json)[name] = {{"estimate", interval->estimate}, {"ci95", {interval->low, interval->high}}};
}

Json HistogramJson(const SizeHistogram& histogram) {
  Json buckets = Json::array();
  for (size_t i = 0; i < histogram.size(); ++i) {
    if (histogram[i] == 0) continue;
    const uint64_t below = i == 0 ? 1 : uint64_t{1} << i;
    buckets.push_back({{"from", below / 2}, {"below", below}, {"count", histogram[i]}});
  }
  return buckets;
}

// What every analysis says of a family.
Json HeadOf(const SpaceFamily& family) {
  Json json = {{"id", family.id}, {"name", family.name}};
  if (!family.not_supported.empty()) json["not_supported"] = family.not_supported;
  if (family.slices_there > 0) {
    json["sampled"] = {{"slices", family.slices_looked_at}, {"of", family.slices_there}};
  }
  return json;
}

Json SpaceFamilyJson(const SpaceFamily& family) {
  Json json = HeadOf(family);
  Json levels = Json::array();
  for (const SpaceLevel& level : family.levels) {
    Json entry = {{"level", level.level},
                  {"source", level.level == kWalLevel ? "wal" : "tables"},
                  {"files", level.files},
                  {"file_bytes", level.file_bytes}};
    entry.update(TallyJson(level.tally));
    levels.push_back(std::move(entry));
  }
  json["levels"] = std::move(levels);
  json["total"] = TallyJson(family.total);
  json["merge_operands"] = CountJson(family.merge_operands);
  json["range_deletions"] = family.range_deletions;
  json["blob_bytes"] = family.blob_bytes;
  json["blob_garbage_bytes"] = family.blob_garbage_bytes;
  json["raw_bytes"] = family.raw_bytes;
  PutInterval(&json, "live_bytes", family.live_bytes);
  PutInterval(&json, "shadowed_bytes", family.shadowed_bytes);
  PutInterval(&json, "tombstone_bytes", family.tombstone_bytes);
  Json prefixes = Json::array();
  for (const SpacePrefix& prefix : family.prefixes) {
    Json entry = {{"prefix", BytesJson(prefix.prefix)}};
    entry.update(TallyJson(prefix.tally));
    prefixes.push_back(std::move(entry));
  }
  json["prefixes"] = std::move(prefixes);
  json["prefixes_complete"] = family.prefixes_complete;
  return json;
}

Json TombstonesFamilyJson(const SpaceFamily& family) {
  Json json = HeadOf(family);
  json["keys"] = family.keys;
  json["skipped"] = family.skipped;
  json["tombstones"] = CountJson(family.total.tombstones);
  json["range_deletions"] = family.range_deletions;
  json["entries"] = family.total.entries();
  PutInterval(&json, "skipped_per_key", family.skipped_per_key);
  Json runs = Json::array();
  for (const SkipRun& run : family.longest_runs) {
    Json entry = {{"skipped", run.skipped}, {"tombstones", run.tombstones}};
    if (run.after) entry["after"] = BytesJson(*run.after);
    if (run.before) entry["before"] = BytesJson(*run.before);
    runs.push_back(std::move(entry));
  }
  json["longest_runs"] = std::move(runs);
  return json;
}

Json KeyspaceFamilyJson(const SpaceFamily& family) {
  Json json = HeadOf(family);
  json["keys"] = family.keys;
  json["key_sizes"] = HistogramJson(family.key_sizes);
  json["value_sizes"] = HistogramJson(family.value_sizes);
  Json slices = Json::array();
  for (const SpaceSlice& slice : family.slices) {
    Json entry = {
        {"from", BytesJson(slice.from)}, {"keys", slice.keys}, {"skipped", slice.skipped}};
    entry.update(TallyJson(slice.tally));
    slices.push_back(std::move(entry));
  }
  json["slices"] = std::move(slices);
  return json;
}

template <typename FamilyJson>
Json FamiliesJson(const SpaceReport& report, FamilyJson of) {
  Json families = Json::array();
  for (const SpaceFamily& family : report.families) families.push_back(of(family));
  return families;
}

}  // namespace

Json SpaceJson(const SpaceReport& report) {
  Json orphans = Json::array();
  for (const SpaceFile& file : report.orphans) {
    orphans.push_back({{"name", file.name}, {"bytes", file.bytes}});
  }
  return {{"schema", "varve.space/1"},         {"exact", report.exact},
          {"table_bytes", report.table_bytes}, {"blob_bytes", report.blob_bytes},
          {"wal_bytes", report.wal_bytes},     {"manifest_bytes", report.manifest_bytes},
          {"other_bytes", report.other_bytes}, {"orphan_bytes", report.orphan_bytes},
          {"orphans", std::move(orphans)},     {"cfs", FamiliesJson(report, SpaceFamilyJson)}};
}

Json TombstonesJson(const SpaceReport& report) {
  return {{"schema", "varve.tombstones/1"},
          {"exact", report.exact},
          {"cfs", FamiliesJson(report, TombstonesFamilyJson)}};
}

Json KeyspaceJson(const SpaceReport& report) {
  return {{"schema", "varve.keyspace/1"},
          {"exact", report.exact},
          {"cfs", FamiliesJson(report, KeyspaceFamilyJson)}};
}

namespace {

template <typename PartsJson>
Json TotalsJson(const TotalsReport& report, const char* schema, PartsJson add_parts) {
  Json families = Json::array();
  for (const FamilyTotals& family : report.families) {
    Json levels = Json::array();
    for (const LevelTotals& level : family.levels) {
      Json json = {
          {"level", level.level}, {"files", level.files}, {"file_bytes", level.file_bytes}};
      add_parts(level, &json);
      levels.push_back(std::move(json));
    }
    families.push_back({{"id", family.id}, {"name", family.name}, {"levels", std::move(levels)}});
  }
  return {{"schema", schema},
          {"exact", true},
          {"cfs", std::move(families)},
          {"unreadable", report.unreadable}};
}

double Quotient(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

Json FiltersJson(const TotalsReport& report) {
  return TotalsJson(report, "varve.filters/1", [](const LevelTotals& level, Json* json) {
    Json filters = Json::array();
    for (const auto& [kind, totals] : level.filters) {
      filters.push_back({{"kind", kind},
                         {"files", totals.files},
                         {"entries", totals.entries},
                         {"bytes", totals.bytes},
                         {"bits_per_key", Quotient(8 * totals.bytes, totals.entries)}});
    }
    (*json)["filters"] = std::move(filters);
  });
}

Json CompressionJson(const TotalsReport& report) {
  return TotalsJson(report, "varve.compression/1", [](const LevelTotals& level, Json* json) {
    (*json)["index_bytes"] = level.index_bytes;
    Json codecs = Json::array();
    for (const auto& [codec, totals] : level.codecs) {
      codecs.push_back({{"codec", codec},
                        {"files", totals.files},
                        {"raw_bytes", totals.raw_bytes},
                        {"stored_bytes", totals.stored_bytes},
                        {"ratio", Quotient(totals.raw_bytes, totals.stored_bytes)}});
    }
    (*json)["codecs"] = std::move(codecs);
  });
}

}  // namespace varve::api
