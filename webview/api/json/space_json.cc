// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/space_json.h"

#include <array>
#include <utility>
#include <vector>

#include "webview/api/fields/space_fields.h"

namespace varve::api {
namespace {

const Fields<SpaceCount>& CountFields() {
  static const auto fields =
      Fields<SpaceCount>("EntryCount")
          .Number("entries", Unit::kCount, &SpaceCount::entries, "how many")
          .Number("bytes", Unit::kBytes, &SpaceCount::bytes,
                  "of their internal keys and values, as stored before compression");
  return fields;
}

const Fields<SpaceInterval>& IntervalFields() {
  static const auto fields =
      Fields<SpaceInterval>("Interval")
          .Fraction("estimate", &SpaceInterval::estimate, "from the slices that were drawn")
          .Fractions(
              "ci95",
              [](const SpaceInterval& interval) { return std::array{interval.low, interval.high}; },
              "the 95 % confidence interval");
  return fields;
}

// Sizes of at least `from` and less than `below`.
struct HistogramBar {
  uint64_t from, below, count;
};

const Fields<HistogramBar>& BarFields() {
  static const auto fields =
      Fields<HistogramBar>("HistogramBar")
          .Number("from", Unit::kBytes, &HistogramBar::from, "smallest size")
          .Number("below", Unit::kBytes, &HistogramBar::below, "what sizes are less than")
          .Number("count", Unit::kCount, &HistogramBar::count, "of these sizes");
  return fields;
}

// Those that are not empty.
std::vector<HistogramBar> BarsOf(const SizeHistogram& histogram) {
  std::vector<HistogramBar> bars;
  for (size_t i = 0; i < histogram.size(); ++i) {
    if (histogram[i] == 0) continue;
    const uint64_t below = i == 0 ? 1 : uint64_t{1} << i;
    bars.push_back({below / 2, below, histogram[i]});
  }
  return bars;
}

const Fields<SpaceFamily>& SampledFields() {
  static const auto fields =
      Fields<SpaceFamily>("SampledSlices")
          .Number("slices", Unit::kCount, &SpaceFamily::slices_looked_at, "of the keys, looked at")
          .Number("of", Unit::kCount, &SpaceFamily::slices_there, "that there are");
  return fields;
}

// What every analysis says of a family.
Fields<SpaceFamily> FamilyFields(std::string_view type_name) {
  return Fields<SpaceFamily>(type_name)
      .Number("id", Unit::kNone, &SpaceFamily::id, "number of the column family")
      .Name("name", &SpaceFamily::name, "of the column family")
      .Text("not_supported", IfSet(&SpaceFamily::not_supported), "why nothing more is known of it")
      .Object(
          "sampled",
          [](const SpaceFamily& family) { return family.slices_there > 0 ? &family : nullptr; },
          SampledFields(), "of an estimate: what it stands on");
}

const Fields<SpaceLevel>& SpaceLevelFields() {
  static const auto fields =
      Fields<SpaceLevel>("SpaceLevel")
          .Integer("level", Unit::kNone, &SpaceLevel::level, "-1: the logs")
          .Choice(
              "source", {"wal", "tables"},
              [](const SpaceLevel& level) -> std::string_view {
                return level.level == kWalLevel ? "wal" : "tables";
              },
              "wal: entries that are in the logs only")
          .Number("files", Unit::kCount, &SpaceLevel::files, "on this level")
          .Number("file_bytes", Unit::kBytes, &SpaceLevel::file_bytes, "of these files")
          .Include(&SpaceLevel::totals, TotalsFields());
  return fields;
}

const Fields<SpacePrefix>& PrefixFields() {
  static const auto fields =
      Fields<SpacePrefix>("SpacePrefix")
          .WholeBytes("prefix", &SpacePrefix::prefix, "with which these keys begin")
          .Include(&SpacePrefix::totals, TotalsFields());
  return fields;
}

const Fields<SpaceFamily>& SpaceFamilyFields() {
  static const auto fields =
      FamilyFields("SpaceFamily")
          .List("levels", &SpaceFamily::levels, SpaceLevelFields(),
                "those that hold something, the logs first")
          .Object("total", &SpaceFamily::total, TotalsFields(),
                  "of the slices looked at, if sampled")
          .Object("merge_operands", &SpaceFamily::merge_operands, CountFields(),
                  "among what is live: a compaction folds them together")
          .Number("range_deletions", Unit::kCount, &SpaceFamily::range_deletions,
                  "among the tombstones")
          .Number("blob_bytes", Unit::kBytes, &SpaceFamily::blob_bytes, "of its blob files")
          .Number("blob_garbage_bytes", Unit::kBytes, &SpaceFamily::blob_garbage_bytes,
                  "of them, what no table refers to any more")
          .Number("raw_bytes", Unit::kBytes, &SpaceFamily::raw_bytes,
                  "of an estimate: of all tables' keys and values, as their properties say")
          .Object("live_bytes", &SpaceFamily::live_bytes, IntervalFields(), "estimated, in bytes")
          .Object("shadowed_bytes", &SpaceFamily::shadowed_bytes, IntervalFields(),
                  "estimated, in bytes")
          .Object("tombstone_bytes", &SpaceFamily::tombstone_bytes, IntervalFields(),
                  "estimated, in bytes")
          .List("prefixes", &SpaceFamily::prefixes, PrefixFields(),
                "the largest first, if keys were to be grouped")
          .Flag("prefixes_complete", &SpaceFamily::prefixes_complete, "no prefix is left out");
  return fields;
}

const Fields<SkipRun>& SkipRunFields() {
  static const auto fields =
      Fields<SkipRun>("SkipRun")
          .Number("skipped", Unit::kCount, &SkipRun::skipped, "entries that a scan steps over")
          .Number("tombstones", Unit::kCount, &SkipRun::tombstones, "deletions among them")
          .WholeBytes("after", &SkipRun::after, "the key that a scan returns before them, if any")
          .WholeBytes("before", &SkipRun::before, "the key that a scan returns next, if any");
  return fields;
}

const Fields<SpaceFamily>& TombstonesFamilyFields() {
  static const auto fields =
      FamilyFields("TombstonesFamily")
          .Number("keys", Unit::kCount, &SpaceFamily::keys, "that a scan of all returns")
          .Number("skipped", Unit::kCount, &SpaceFamily::skipped, "entries that it steps over")
          .Object(
              "tombstones", [](const SpaceFamily& family) { return family.total.tombstones; },
              CountFields(), "deletions")
          .Number("range_deletions", Unit::kCount, &SpaceFamily::range_deletions, "among them")
          .Number(
              "entries", Unit::kCount,
              [](const SpaceFamily& family) { return family.total.entries(); }, "of all kinds")
          .Object("skipped_per_key", &SpaceFamily::skipped_per_key, IntervalFields(),
                  "entries stepped over for each key returned, estimated")
          .List("longest_runs", &SpaceFamily::longest_runs, SkipRunFields(),
                "of entries between two keys that a scan returns; the longest first");
  return fields;
}

const Fields<SpaceSlice>& SliceFields() {
  static const auto fields =
      Fields<SpaceSlice>("KeyspaceSlice")
          .WholeBytes("from", &SpaceSlice::from, "where it begins; it ends where the next begins")
          .Number("keys", Unit::kCount, &SpaceSlice::keys, "that a scan returns")
          .Number("skipped", Unit::kCount, &SpaceSlice::skipped, "entries that a scan steps over")
          .Include(&SpaceSlice::totals, TotalsFields());
  return fields;
}

const Fields<SpaceFamily>& KeyspaceFamilyFields() {
  static const auto fields =
      FamilyFields("KeyspaceFamily")
          .Number("keys", Unit::kCount, &SpaceFamily::keys, "that a scan of all returns")
          .List(
              "key_sizes", [](const SpaceFamily& family) { return BarsOf(family.key_sizes); },
              BarFields(), "by power of two")
          .List(
              "value_sizes", [](const SpaceFamily& family) { return BarsOf(family.value_sizes); },
              BarFields(), "by power of two")
          .List("slices", &SpaceFamily::slices, SliceFields(), "of the keys, in their order");
  return fields;
}

const Fields<SpaceFile>& OrphanFields() {
  static const auto fields = Fields<SpaceFile>("OrphanFile")
                                 .Text("name", &SpaceFile::name, "of the file")
                                 .Number("bytes", Unit::kBytes, &SpaceFile::bytes, "of the file");
  return fields;
}

double Quotient(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

using FilterRow = std::pair<const std::string, FilterTotals>;
using CodecRow = std::pair<const std::string, CodecTotals>;

const Fields<FilterRow>& FilterRowFields() {
  static const auto fields =
      Fields<FilterRow>("FilterTotals")
          .Text("kind", &FilterRow::first, "of filter; none: tables without one")
          .Number(
              "files", Unit::kCount, [](const FilterRow& row) { return row.second.files; },
              "tables with such a filter")
          .Number(
              "entries", Unit::kCount, [](const FilterRow& row) { return row.second.entries; },
              "of these tables")
          .Number(
              "bytes", Unit::kBytes, [](const FilterRow& row) { return row.second.bytes; },
              "of their filters")
          .Fraction(
              "bits_per_key",
              [](const FilterRow& row) {
                return Quotient(8 * row.second.bytes, row.second.entries);
              },
              "bits of filter for each entry");
  return fields;
}

const Fields<CodecRow>& CodecFields() {
  static const auto fields =
      Fields<CodecRow>("CodecTotals")
          .Text("codec", &CodecRow::first, "none, snappy, zstd, ...")
          .Number(
              "files", Unit::kCount, [](const CodecRow& row) { return row.second.files; },
              "tables that are compressed so")
          .Number(
              "raw_bytes", Unit::kBytes, [](const CodecRow& row) { return row.second.raw_bytes; },
              "of their keys and values")
          .Number(
              "stored_bytes", Unit::kBytes,
              [](const CodecRow& row) { return row.second.stored_bytes; }, "of their data blocks")
          .Fraction(
              "ratio",
              [](const CodecRow& row) {
                return Quotient(row.second.raw_bytes, row.second.stored_bytes);
              },
              "raw bytes for each stored one");
  return fields;
}

Fields<LevelTotals> LevelTotalsFields(std::string_view type_name) {
  return Fields<LevelTotals>(type_name)
      .Number("level", Unit::kNone, &LevelTotals::level, "its number")
      .Number("files", Unit::kCount, &LevelTotals::files, "tables on it")
      .Number("file_bytes", Unit::kBytes, &LevelTotals::file_bytes, "of these tables");
}

// `levels` outlives what is returned.
Fields<FamilyTotals> FamilyTotalsFields(std::string_view type_name,
                                        const Fields<LevelTotals>& levels) {
  return Fields<FamilyTotals>(type_name)
      .Number("id", Unit::kNone, &FamilyTotals::id, "number of the column family")
      .Name("name", &FamilyTotals::name, "of the column family")
      .List("levels", &FamilyTotals::levels, levels, "those with tables");
}

Fields<TotalsReport> TableTotalsFields(const Fields<FamilyTotals>& families) {
  return Fields<TotalsReport>()
      .List("cfs", &TotalsReport::families, families, "the column families")
      .Texts("unreadable", &TotalsReport::unreadable, "tables that do not open, with the reason");
}

}  // namespace

const Fields<SpaceTotals>& TotalsFields() {
  static const auto fields =
      Fields<SpaceTotals>("SpaceTotals")
          .Object("live", &SpaceTotals::live, CountFields(), "what a full compaction keeps")
          .Object("shadowed", &SpaceTotals::shadowed, CountFields(),
                  "hidden under newer versions or deletions")
          .Object("tombstones", &SpaceTotals::tombstones, CountFields(),
                  "the deletions themselves");
  return fields;
}

const Fields<SpaceReport>& SpaceFields() {
  static const auto fields =
      Fields<SpaceReport>()
          .Number("table_bytes", Unit::kBytes, &SpaceReport::table_bytes, "of tables in use")
          .Number("blob_bytes", Unit::kBytes, &SpaceReport::blob_bytes, "of blob files in use")
          .Number("wal_bytes", Unit::kBytes, &SpaceReport::wal_bytes, "of logs")
          .Number("manifest_bytes", Unit::kBytes, &SpaceReport::manifest_bytes, "of the MANIFEST")
          .Number("other_bytes", Unit::kBytes, &SpaceReport::other_bytes,
                  "of all other files of the directory")
          .Number("orphan_bytes", Unit::kBytes, &SpaceReport::orphan_bytes, "of the orphans")
          .List("orphans", &SpaceReport::orphans, OrphanFields(),
                "files out of use, which the next open for writing deletes")
          .List("cfs", &SpaceReport::families, SpaceFamilyFields(), "the column families");
  return fields;
}

const Fields<SpaceReport>& TombstonesFields() {
  static const auto fields = Fields<SpaceReport>().List(
      "cfs", &SpaceReport::families, TombstonesFamilyFields(), "the column families");
  return fields;
}

const Fields<SpaceReport>& KeyspaceFields() {
  static const auto fields = Fields<SpaceReport>().List(
      "cfs", &SpaceReport::families, KeyspaceFamilyFields(), "the column families");
  return fields;
}

const Fields<TotalsReport>& FiltersFields() {
  static const auto levels =
      LevelTotalsFields("FiltersLevel")
          .List("filters", &LevelTotals::filters, FilterRowFields(), "by kind of filter");
  static const auto families = FamilyTotalsFields("FiltersFamily", levels);
  static const auto fields = TableTotalsFields(families);
  return fields;
}

const Fields<TotalsReport>& CompressionFields() {
  static const auto levels =
      LevelTotalsFields("CompressionLevel")
          .Number("index_bytes", Unit::kBytes, &LevelTotals::index_bytes, "of the tables' indexes")
          .List("codecs", &LevelTotals::codecs, CodecFields(), "by way of compression");
  static const auto families = FamilyTotalsFields("CompressionFamily", levels);
  static const auto fields = TableTotalsFields(families);
  return fields;
}

}  // namespace varve::api
