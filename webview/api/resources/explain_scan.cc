// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/explain/scan.
#include "core/inspect/explain/explain_scan.h"

#include "core/base/try.h"
#include "webview/api/json/bytes_json.h"
#include "webview/api/json/reads_json.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr uint64_t kRowsMax = 1'000'000;

Json PartJson(const ScanPart& part, size_t n) {
  Json json = {{"n", n}, {"source", part.source}};
  if (part.source == "file") {
    json["file"] = std::to_string(part.file);
    json["level"] = part.level;
  }
  json.update({{"verdict", part.verdict},
               {"entries", part.entries},
               {"rows", part.rows},
               {"hidden", part.hidden},
               {"deletions", part.deletions},
               {"range_deleted", part.range_deleted},
               {"too_new", part.too_new},
               {"blocks_read", part.reads.block_read_count},
               {"bytes_read", part.reads.block_read_byte},
               {"reads", ReadsJson(part.blocks)}});
  if (part.blocks_more > 0) json["reads_more"] = part.blocks_more;
  if (!part.problem.ok()) json["problem"] = Problem(part.problem).ToJson();
  return json;
}
Json PartSchema() {
  return Object("ScanPart",
                {{"n", Number()},
                 {"source", OneOf({"memtable", "file"})},
                 {"file", U64(), kOptional},
                 {"level", Number(), kOptional},
                 {"verdict", OneOf({"rows", "skipped", "beyond", "out_of_range", "unreadable"})},
                 {"entries", Number()},
                 {"rows", Number()},
                 {"hidden", Number()},
                 {"deletions", Number()},
                 {"range_deleted", Number()},
                 {"too_new", Number()},
                 {"blocks_read", Number()},
                 {"bytes_read", Number()},
                 {"reads", ReadsSchema()},
                 {"reads_more", Number(), kOptional},
                 {"problem", ProblemRef(), kOptional}});
}

Json TotalsJson(const ScanTotals& t) {
  return {{"runs", t.runs},
          {"files_opened", t.files_opened},
          {"files_not_reached", t.files_not_reached},
          {"entries_range_deleted", t.entries_range_deleted},
          {"blocks_read", t.reads.block_read_count},
          {"bytes_read", t.reads.block_read_byte},
          {"key_comparisons", t.key_comparisons},
          {"reseeks", t.number_of_reseeks_in_iteration},
          {"perf_context",
           {{"seek_on_memtable_count", t.seek_on_memtable_count},
            {"next_on_memtable_count", t.next_on_memtable_count},
            {"seek_child_seek_count", t.seek_child_seek_count},
            {"internal_key_skipped_count", t.internal_key_skipped_count},
            {"internal_delete_skipped_count", t.internal_delete_skipped_count},
            {"internal_recent_skipped_count", t.internal_recent_skipped_count},
            {"internal_merge_count", t.internal_merge_count},
            {"iter_read_bytes", t.iter_read_bytes},
            {"block_cache_hit_count", t.reads.block_cache_hit_count},
            {"block_read_count", t.reads.block_read_count},
            {"block_read_byte", t.reads.block_read_byte},
            {"index_block_read_count", t.reads.index_block_read_count},
            {"data_block_read_count", t.reads.data_block_read_count}}}};
}
Json ScanTotalsSchema() {
  return Object("ScanTotals", {{"runs", Number()},
                               {"files_opened", Number()},
                               {"files_not_reached", Number()},
                               {"entries_range_deleted", Number()},
                               {"blocks_read", Number()},
                               {"bytes_read", Number()},
                               {"key_comparisons", Number()},
                               {"reseeks", Number()},
                               {"perf_context", MapOf(Number())}});
}

}  // namespace

Reply ExplainScanned(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ScanQuestion question{.family = family->name, .from = call.Key("from"), .to = call.Key("to")};
  question.limit = call.Number("rows").value_or(question.limit);
  question.at = call.Number("at_seq").value_or(kMaxSequence);
  if (question.limit > kRowsMax) return Problem("bad_request", "rows: at most 1000000");
  ASSIGN_OR_RETURN(const ExplainedScan scan,
                   ExplainScan(call.target().fs(), call.target().path(), question));
  Json json = call.Head();
  json["op"] = "scan";
  Json result = {{"rows", scan.rows}, {"ended", scan.ended}};
  if (scan.rows > 0) {
    result["first"] = BytesJson(scan.first_key, call.bytes(), "");
    result["last"] = BytesJson(scan.last_key, call.bytes(), "");
  }
  json["result"] = std::move(result);
  Json parts = Json::array();
  int exit = 0;
  for (const ScanPart& part : scan.parts) {
    parts.push_back(PartJson(part, parts.size() + 1));
    if (!part.problem.ok() && exit == 0) exit = Problem(part.problem).kind().exit;
  }
  json["parts"] = std::move(parts);
  json["totals"] = TotalsJson(scan.totals);
  return Reply(std::move(json)).WithExit(exit);
}

Json ExplainScanSchema() {
  return Document("varve.explain_scan/1", {{"op", OneOf({"scan"})},
                                           {"result", Object({{"rows", Number()},
                                                              {"ended", Boolean()},
                                                              {"first", BytesRef(), kOptional},
                                                              {"last", BytesRef(), kOptional}})},
                                           {"parts", ArrayOf(PartSchema())},
                                           {"totals", ScanTotalsSchema()}});
}

}  // namespace varve::api
