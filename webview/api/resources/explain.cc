// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/explain, POST …/cfs/{cf}:explain, GET …/cfs/{cf}/locate.
#include "core/inspect/explain/explain.h"

#include <algorithm>

#include "core/base/literal.h"
#include "core/base/try.h"
#include "webview/api/json/reads_json.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr size_t kKeysMax = 1000;

// What one table showed; members that say nothing are left out.
void AddLook(const Call& call, const TableLook& look, bool in_table, Json* json) {
  if (look.filter_checked) (*json)["filter"] = FilterLookJson(look.filter);
  Json versions = Json::array();
  for (const KeyVersion& version : look.versions) {
    Json one = {{"seq", std::to_string(version.sequence)},
                {"type", version.type},
                {"value", BytesJson(version.value, call.bytes(), "")},
                {"visible", version.visible}};
    if (in_table) one["block"] = version.block;
    versions.push_back(std::move(one));
  }
  (*json)["reads"] = ReadsJson(look.blocks);
  (*json)["versions"] = std::move(versions);
  (*json)["comparisons"] = look.comparisons;
  if (look.covered_by != 0) (*json)["covered_by"] = std::to_string(look.covered_by);
  if (!look.problem.ok()) (*json)["problem"] = Problem(look.problem).ToJson();
}
Json VersionsSchema() {
  return ArrayOf(Object("KeyVersion", {{"seq", U64()},
                                       {"type", Text()},
                                       {"value", BytesRef()},
                                       {"visible", Boolean()},
                                       {"block", Number(), kOptional}}));
}

Json TotalsJson(const ReadTotals& t) {
  return {{"files_considered", t.files_considered},
          {"filters_checked", t.filters_checked},
          {"filter_false_positives", t.filter_false_positives},
          {"blocks_read", t.block_read_count},
          {"bytes_read", t.block_read_byte},
          {"key_comparisons", t.key_comparisons},
          {"perf_context",
           {{"get_from_memtable_count", t.get_from_memtable_count},
            {"bloom_sst_hit_count", t.bloom_sst_hit_count},
            {"bloom_sst_miss_count", t.bloom_sst_miss_count},
            {"block_cache_hit_count", t.block_cache_hit_count},
            {"block_read_count", t.block_read_count},
            {"block_read_byte", t.block_read_byte},
            {"index_block_read_count", t.index_block_read_count},
            {"filter_block_read_count", t.filter_block_read_count},
            {"data_block_read_count", t.data_block_read_count}}}};
}
Json TotalsSchema() {
  return Object("ReadTotals", {{"files_considered", Number()},
                               {"filters_checked", Number()},
                               {"filter_false_positives", Number()},
                               {"blocks_read", Number()},
                               {"bytes_read", Number()},
                               {"key_comparisons", Number()},
                               {"perf_context", MapOf(Number())}});
}

int ExitOf(const ExplainedGet& get) {
  if (!get.failure.ok()) return Problem(get.failure).kind().exit;
  return get.found ? 0 : 1;
}
Json GetJson(const Call& call, const ExplainedGet& get) {
  Json result = {{"found", get.found}};
  if (!get.failure.ok()) result["problem"] = Problem(get.failure).ToJson();
  if (get.sequence != 0) result["seq"] = std::to_string(get.sequence);
  if (get.file != 0) result["file"] = std::to_string(get.file);
  if (get.merged) result["merged"] = true;
  Json steps = Json::array();
  for (const ExplainStep& step : get.steps) {
    Json json = {{"n", steps.size() + 1}, {"source", step.source}};
    if (step.source == "file") {
      json["file"] = std::to_string(step.file);
      json["level"] = step.level;
    }
    json["verdict"] = step.verdict;
    AddLook(call, step.look, step.source == "file", &json);
    steps.push_back(std::move(json));
  }
  return {{"key", BytesJson(get.key, call.bytes(), "")},
          {"result", std::move(result)},
          {"steps", std::move(steps)},
          {"totals", TotalsJson(get.totals)}};
}
Json ResultSchema() {
  return Object("GetResult", {{"found", Boolean()},
                              {"seq", U64(), kOptional},
                              {"file", U64(), kOptional},
                              {"merged", Boolean(), kOptional},
                              {"problem", ProblemRef(), kOptional}});
}
Json StepsSchema() {
  return ArrayOf(Object("ExplainStep", {{"n", Number()},
                                        {"source", OneOf({"memtable", "file"})},
                                        {"file", U64(), kOptional},
                                        {"level", Number(), kOptional},
                                        {"verdict", Text()},
                                        {"filter", FilterLookSchema(), kOptional},
                                        {"reads", ReadsSchema()},
                                        {"versions", VersionsSchema()},
                                        {"comparisons", Number()},
                                        {"covered_by", U64(), kOptional},
                                        {"problem", ProblemRef(), kOptional}}));
}

Answer<KeyQuestion> QuestionOf(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  KeyQuestion question;
  question.family = family->name;
  question.at = call.Number("at_seq").value_or(kMaxSequence);
  return question;
}

}  // namespace

Reply ExplainRead(const Call& call) {
  ASSIGN_OR_RETURN(KeyQuestion question, QuestionOf(call));
  question.key = *call.Key("key");
  ASSIGN_OR_RETURN(const ExplainedGet get,
                   ExplainGet(call.target().fs(), call.target().path(), question));
  Json json = call.Head();
  json["op"] = "get";
  json.update(GetJson(call, get));
  return Reply(std::move(json)).WithExit(ExitOf(get));
}

// {"keys":["a","hex:6b31"]}: as one batch.
Reply ExplainReads(const Call& call) {
  ASSIGN_OR_RETURN(KeyQuestion question, QuestionOf(call));
  ASSIGN_OR_RETURN(const Json body, call.Body());
  const auto listed = body.find("keys");
  if (listed == body.end() || !listed->is_array() || listed->size() > kKeysMax) {
    return Problem("bad_request",
                   "the body must have \"keys\", an array of at most 1000 key literals");
  }
  std::vector<std::string> keys;
  for (const Json& literal : *listed) {
    if (!literal.is_string()) return Problem("bad_key_literal", "a key is no string");
    Result<std::string> key = DecodeLiteral(literal.get<std::string>(), Encoding::kUtf8);
    if (!key.ok()) return Problem("bad_key_literal", std::string(key.status().message()));
    keys.push_back(*std::move(key));
  }
  ASSIGN_OR_RETURN(const ExplainedMultiGet report,
                   ExplainMultiGet(call.target().fs(), call.target().path(), question, keys));
  Json json = call.Head();
  json["op"] = "multiget";
  Json gets = Json::array();
  int exit = 0;
  for (const ExplainedGet& get : report.keys) {
    gets.push_back(GetJson(call, get));
    exit = std::max(exit, ExitOf(get));
  }
  json["keys"] = std::move(gets);
  json["totals"] = TotalsJson(report.totals);
  json["memtable_search"] = {{"entries", report.memtable.entries},
                             {"visited_tree", report.memtable.visited_tree},
                             {"visited_per_key", report.memtable.visited_per_key},
                             {"visited_finger", report.memtable.visited_finger}};
  return Reply(std::move(json)).WithExit(exit);
}

Reply Locate(const Call& call) {
  ASSIGN_OR_RETURN(KeyQuestion question, QuestionOf(call));
  question.key = *call.Key("key");
  ASSIGN_OR_RETURN(const LocateReport report,
                   LocateKey(call.target().fs(), call.target().path(), question));
  Json json = call.Head();
  json["key"] = BytesJson(report.key, call.bytes(), "");
  Json logged = Json::object();
  TableLook log;
  log.versions = report.logged;
  log.covered_by = report.log_covered_by;
  AddLook(call, log, false, &logged);
  logged.erase("reads");
  logged.erase("comparisons");
  json["log"] = std::move(logged);
  Json files = Json::array();
  bool held = !report.logged.empty();
  for (const LocatedFile& file : report.files) {
    Json one = {{"file", std::to_string(file.number)},
                {"level", file.level},
                {"verdict", file.verdict},
                {"reason", file.reason}};
    if (file.verdict != "out_of_range") AddLook(call, file.look, true, &one);
    held |= !file.look.versions.empty();
    files.push_back(std::move(one));
  }
  json["files"] = std::move(files);
  const Status problem = report.problem();
  if (!problem.ok()) return Reply(std::move(json)).WithExit(Problem(problem).kind().exit);
  return Reply(std::move(json)).WithExit(held ? 0 : 1);
}

Json ExplainSchema() {
  return Document("varve.explain/1", {{"op", Text()},
                                      {"key", BytesRef()},
                                      {"result", ResultSchema()},
                                      {"steps", StepsSchema()},
                                      {"totals", TotalsSchema()}});
}
Json ExplainReadsSchema() {
  return Document("varve.explain_reads/1",
                  {{"op", Text()},
                   {"keys", ArrayOf(Object("ExplainedGet", {{"key", BytesRef()},
                                                            {"result", ResultSchema()},
                                                            {"steps", StepsSchema()},
                                                            {"totals", TotalsSchema()}}))},
                   {"totals", TotalsSchema()},
                   {"memtable_search", Object({{"entries", Number()},
                                               {"visited_tree", Number()},
                                               {"visited_per_key", Number()},
                                               {"visited_finger", Number()}})}});
}
Json LocateSchema() {
  return Document(
      "varve.locate/1",
      {{"key", BytesRef()},
       {"log", Object({{"versions", VersionsSchema()}, {"covered_by", U64(), kOptional}})},
       {"files", ArrayOf(Object("LocatedFile", {{"file", U64()},
                                                {"level", Number()},
                                                {"verdict", Text()},
                                                {"reason", Text()},
                                                {"filter", FilterLookSchema(), kOptional},
                                                {"reads", ReadsSchema(), kOptional},
                                                {"versions", VersionsSchema(), kOptional},
                                                {"comparisons", Number(), kOptional},
                                                {"covered_by", U64(), kOptional},
                                                {"problem", ProblemRef(), kOptional}}))}});
}

}  // namespace varve::api
