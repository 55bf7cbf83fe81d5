// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/explain/scan.
#include "core/inspect/explain/explain_scan.h"

#include <functional>

#include "core/base/try.h"
#include "webview/api/fields/explain_fields.h"
#include "webview/api/json/reads_json.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

constexpr uint64_t kRowsMax = 1'000'000;

// The scan's work in one place, the `n`th in reading order.
struct PartView {
  size_t n;
  const ScanPart& part;

  bool in_table() const { return part.source == "file"; }
  FileNumber file() const { return part.file; }
  int level() const { return part.level; }
};

const Fields<PartView>& PartFields() {
  static const auto fields =
      Fields<PartView>("ScanPart")
          .Number("n", Unit::kNone, &PartView::n, "which place of the read it is, from 1")
          .Choice(
              "source", {"memtable", "file"}, [](const PartView& view) { return view.part.source; },
              "memtable: as the logs would fill it")
          .Id("file", When(&PartView::in_table, &PartView::file), "number of the table")
          .Number("level", Unit::kNone, When(&PartView::in_table, &PartView::level),
                  "that the table is on")
          .Include([](const PartView& view) -> const ScanPart& { return view.part; },
                   ScanPartFields());
  return fields;
}

std::vector<PartView> PartsOf(const ExplainedScan& scan) {
  std::vector<PartView> parts;
  for (const ScanPart& part : scan.parts) parts.push_back({parts.size() + 1, part});
  return parts;
}

const Fields<ScanReads>& ReadsCountedFields() {
  static const auto fields =
      Fields<ScanReads>()
          .Number("block_cache_hit_count", Unit::kCount, &ScanReads::block_cache_hit_count,
                  "blocks found in the cache")
          .Number("block_read_count", Unit::kCount, &ScanReads::block_read_count, "blocks read")
          .Number("block_read_byte", Unit::kBytes, &ScanReads::block_read_byte, "of these blocks")
          .Number("index_block_read_count", Unit::kCount, &ScanReads::index_block_read_count,
                  "of them, of indexes")
          .Number("data_block_read_count", Unit::kCount, &ScanReads::data_block_read_count,
                  "of them, of data");
  return fields;
}

const Fields<ScanTotals>& ScanPerfContextFields() {
  static const auto fields =
      Fields<ScanTotals>("ScanPerfContext")
          .Number("seek_on_memtable_count", Unit::kCount, &ScanTotals::seek_on_memtable_count,
                  "seeks in memtables")
          .Number("next_on_memtable_count", Unit::kCount, &ScanTotals::next_on_memtable_count,
                  "steps in memtables")
          .Number("seek_child_seek_count", Unit::kCount, &ScanTotals::seek_child_seek_count,
                  "seeks in the runs that are merged")
          .Number("internal_key_skipped_count", Unit::kCount,
                  &ScanTotals::internal_key_skipped_count, "entries stepped over")
          .Number("internal_delete_skipped_count", Unit::kCount,
                  &ScanTotals::internal_delete_skipped_count, "deletions stepped over")
          .Number("internal_recent_skipped_count", Unit::kCount,
                  &ScanTotals::internal_recent_skipped_count,
                  "entries later than the moment asked about")
          .Number("internal_merge_count", Unit::kCount, &ScanTotals::internal_merge_count,
                  "merge operands")
          .Number("iter_read_bytes", Unit::kBytes, &ScanTotals::iter_read_bytes,
                  "of the keys and values returned")
          .Include(&ScanTotals::reads, ReadsCountedFields());
  return fields;
}

const Fields<ScanTotals>& ScanTotalsFields() {
  static const auto fields =
      Fields<ScanTotals>("ScanTotals")
          .Number("runs", Unit::kCount, &ScanTotals::runs, "that are merged")
          .Number("files_opened", Unit::kCount, &ScanTotals::files_opened, "tables")
          .Number("files_not_reached", Unit::kCount, &ScanTotals::files_not_reached, "tables")
          .Number("entries_range_deleted", Unit::kCount, &ScanTotals::entries_range_deleted,
                  "covered by a range deletion")
          .Number(
              "blocks_read", Unit::kCount,
              [](const ScanTotals& totals) { return totals.reads.block_read_count; },
              "not from the cache")
          .Number(
              "bytes_read", Unit::kBytes,
              [](const ScanTotals& totals) { return totals.reads.block_read_byte; },
              "of these blocks")
          .Number("key_comparisons", Unit::kCount, &ScanTotals::key_comparisons,
                  "that this engine makes")
          .Number("reseeks", Unit::kCount, &ScanTotals::number_of_reseeks_in_iteration,
                  "where many versions of one key are stepped over")
          .Object("perf_context", std::identity(), ScanPerfContextFields(),
                  "what RocksDB's PerfContext counts for the same scan");
  return fields;
}

const Fields<ExplainedScan>& ScanResultFields() {
  static const auto fields =
      Fields<ExplainedScan>("ScanResult")
          .Number("rows", Unit::kCount, &ExplainedScan::rows, "that the scan returns")
          .Flag("ended", &ExplainedScan::ended, "there are no more, and no damage was met")
          .Other(
              "problem", ProblemRef(),
              [](const ExplainedScan& scan) { return ProblemJson(scan.problem()); },
              "with which a scan fails")
          .Bytes("first", When(&ExplainedScan::rows, &ExplainedScan::first_key),
                 "key of the first row")
          .Bytes("last", When(&ExplainedScan::rows, &ExplainedScan::last_key),
                 "key of the last row");
  return fields;
}

const Fields<ExplainedScan>& ExplainScanFields() {
  static const auto fields =
      Fields<ExplainedScan>()
          .Choice(
              "op", {"scan"}, [](const ExplainedScan&) { return std::string_view("scan"); }, "scan")
          .Object("result", std::identity(), ScanResultFields(), "what the scan returns")
          .List("parts", PartsOf, PartFields(),
                "in the order of a read: logs, level 0, level 1, ...")
          .Object("totals", &ExplainedScan::totals, ScanTotalsFields(), "of all parts");
  return fields;
}

Reply ExplainScanned(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ScanQuestion question{.family = family->name, .from = call.Key("from"), .to = call.Key("to")};
  question.limit = call.Number("rows").value_or(question.limit);
  question.at = call.Number("at_seq");
  if (question.limit > kRowsMax) return Problem("bad_request", "rows: at most 1000000");
  ASSIGN_OR_RETURN(const ExplainedScan scan,
                   ExplainScan(call.target().fs(), call.target().path(), question));
  Json json = call.Head();
  ExplainScanFields().AddTo(&json, scan, {call.bytes()});
  const Status problem = scan.problem();
  return Reply(std::move(json)).WithExit(problem.ok() ? 0 : Problem(problem).kind().exit);
}

constexpr DocumentSchema kExplainScanDocument = {
    .name = "varve.explain_scan/1",
    .make = [](std::string_view name) { return Document(name, ExplainScanFields().Members()); },
    .stands_on_logs = true};

}  // namespace

const Fields<ScanPart>& ScanPartFields() {
  static const auto fields =
      Fields<ScanPart>()
          .Choice(
              "verdict", {"rows", "skipped", "beyond", "out_of_range", "unreadable"},
              &ScanPart::verdict,
              "skipped: entries were stepped over, and none returned; beyond: opened, and nothing "
              "of it lies in the range; out_of_range: its keys end before")
          .Number("entries", Unit::kCount, &ScanPart::entries,
                  "stepped on; the sum of the following")
          .Number("rows", Unit::kCount, &ScanPart::rows, "returned, or merged into what was")
          .Number("hidden", Unit::kCount, &ScanPart::hidden,
                  "older versions, and what deletions hide")
          .Number("deletions", Unit::kCount, &ScanPart::deletions, "of single keys")
          .Number("range_deleted", Unit::kCount, &ScanPart::range_deleted,
                  "covered by a range deletion")
          .Number("too_new", Unit::kCount, &ScanPart::too_new, "later than the moment asked about")
          .Number(
              "blocks_read", Unit::kCount,
              [](const ScanPart& part) { return part.reads.block_read_count; },
              "not from the cache")
          .Number(
              "bytes_read", Unit::kBytes,
              [](const ScanPart& part) { return part.reads.block_read_byte; }, "of these blocks")
          .List("reads", &ScanPart::blocks, BlockLookFields(),
                "blocks that were looked at, in order; the first thousand")
          .Number("reads_more", Unit::kCount, IfSet(&ScanPart::blocks_more), "that are not listed")
          .Other(
              "problem", ProblemRef(),
              [](const ScanPart& part) { return ProblemJson(part.problem); },
              "damage that was met");
  return fields;
}

std::span<const Route> ExplainScanRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}/explain/scan",
       .handler = ExplainScanned,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kExplainScanDocument,
       .summary = "what a scan reads and steps over, table by table",
       .parameters = {query::kFrom,
                      query::kTo,
                      {"rows", kNumber, "to scan; 100 if not given"},
                      query::kAtSeq,
                      query::kBytes}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
