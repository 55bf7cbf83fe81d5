// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/filter, …/files/{n}/filter:probe?key=.
#include "core/base/try.h"
#include "core/inspect/explain/key_probe.h"
#include "core/inspect/table/filter_report.h"
#include "webview/api/json/reads_json.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr uint64_t kAskMax = 1'000'000;

}  // namespace

Reply GetFilter(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  FilterQuestion question;
  question.ask = call.Number("ask").value_or(question.ask);
  question.seed = call.Number("seed").value_or(question.seed);
  if (question.ask > kAskMax) return Problem("bad_request", "ask: at most 1000000");
  ASSIGN_OR_RETURN(const FilterReport f, ReportFilter(call.target().fs(), file.path, question));
  Json json = call.Head();
  json["file"] = std::to_string(file.number);
  Json filter = {{"kind", f.kind},
                 {"policy", f.policy},
                 {"partitioned", f.partitioned},
                 {"whole_keys", f.whole_keys},
                 {"prefix_extractor", f.prefix_extractor},
                 {"bytes", f.bytes}};
  if (f.entries > 0) {  // Else the table does not say.
    filter["entries"] = f.entries;
    filter["bits_per_key"] = f.bits_per_key;
  }
  if (f.probes > 0) filter["probes"] = f.probes;
  if (f.columns > 0) filter["columns"] = f.columns;
  if (f.bits > 0) {
    filter["bits"] = f.bits;
    filter["bits_set"] = f.bits_set;
    filter["fill"] = static_cast<double>(f.bits_set) / static_cast<double>(f.bits);
  }
  if (f.partitioned) {
    filter["partitions"] = {{"count", f.partitions},
                            {"empty", f.empty_partitions},
                            {"smallest", f.smallest_partition},
                            {"largest", f.largest_partition}};
  }
  if (f.asked > 0) {
    filter["false_positives"] = {{"of", f.by_hash ? "random_strings" : "absent_keys"},
                                 {"asked", f.asked},
                                 {"passed", f.passed},
                                 {"rate", f.rate},
                                 {"ci95", {f.rate_low, f.rate_high}}};
    if (f.expected_rate > 0) filter["false_positives"]["expected"] = f.expected_rate;
  }
  if (!f.problem.empty()) filter["problem"] = f.problem;
  json["filter"] = std::move(filter);
  return Reply(std::move(json)).WithExit(f.damaged ? 4 : 0);
}

Reply ProbeFilter(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const FilterAnswer answer,
                   AskFilter(call.target().fs(), file.path, *call.Key("key")));
  Json json = call.Head();
  json["file"] = std::to_string(file.number);
  json["key"] = BytesJson(*call.Key("key"), call.bytes(), "");
  json["filter"] = FilterLookJson(answer.look);
  json["reads"] = ReadsJson(answer.reads);
  return Reply(std::move(json)).WithExit(answer.look.may_match ? 0 : 1);
}

Json FilterSchema() {
  return Document(
      "varve.filter/1",
      {{"file", U64()},
       {"filter", Object("TableFilter", {{"kind", Text()},
                                         {"policy", Text()},
                                         {"partitioned", Boolean()},
                                         {"whole_keys", Boolean()},
                                         {"prefix_extractor", Text()},
                                         {"bytes", Number()},
                                         {"entries", Number(), kOptional},
                                         {"bits_per_key", Fraction(), kOptional},
                                         {"probes", Number(), kOptional},
                                         {"columns", Number(), kOptional},
                                         {"bits", Number(), kOptional},
                                         {"bits_set", Number(), kOptional},
                                         {"fill", Fraction(), kOptional},
                                         {"partitions",
                                          Object({{"count", Number()},
                                                  {"empty", Number()},
                                                  {"smallest", Number()},
                                                  {"largest", Number()}}),
                                          kOptional},
                                         {"false_positives",
                                          Object({{"of", OneOf({"absent_keys", "random_strings"})},
                                                  {"asked", Number()},
                                                  {"passed", Number()},
                                                  {"rate", Fraction()},
                                                  {"ci95", ArrayOf(Fraction())},
                                                  {"expected", Fraction(), kOptional}}),
                                          kOptional},
                                         {"problem", Text(), kOptional}})}});
}
Json FilterProbeSchema() {
  return Document("varve.filter_probe/1", {{"file", U64()},
                                           {"key", BytesRef()},
                                           {"filter", FilterLookSchema()},
                                           {"reads", ReadsSchema()}});
}

}  // namespace varve::api
