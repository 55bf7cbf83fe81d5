// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/filter, …/files/{n}/filter:probe?key=.
#include <array>

#include "core/base/try.h"
#include "core/inspect/explain/table_look.h"
#include "core/inspect/table/filter_report.h"
#include "webview/api/json/reads_json.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

constexpr uint64_t kAskMax = 1'000'000;

double FillOf(const FilterReport& filter) {
  return static_cast<double>(filter.bits_set) / static_cast<double>(filter.bits);
}

const Fields<FilterReport>& PartitionsFields() {
  static const auto fields =
      Fields<FilterReport>("FilterPartitions")
          .Number("count", Unit::kCount, &FilterReport::partitions, "how many there are")
          .Number("empty", Unit::kCount, &FilterReport::empty_partitions, "of them, without keys")
          .Number("smallest", Unit::kBytes, &FilterReport::smallest_partition, "of the smallest")
          .Number("largest", Unit::kBytes, &FilterReport::largest_partition, "of the largest");
  return fields;
}

const Fields<FilterReport>& FalsePositivesFields() {
  static const auto fields =
      Fields<FilterReport>("FalsePositives")
          .Choice(
              "of", {"absent_keys", "random_strings"},
              [](const FilterReport& filter) -> std::string_view {
                return filter.by_hash ? "random_strings" : "absent_keys";
              },
              "what the filter was asked for")
          .Number("asked", Unit::kCount, &FilterReport::asked,
                  "questions, to all of which no is right")
          .Number("passed", Unit::kCount, &FilterReport::passed,
                  "of them that the filter let through")
          .Fraction("rate", &FilterReport::rate, "passed for each one asked")
          .Fractions(
              "ci95",
              [](const FilterReport& filter) {
                return std::array{filter.rate_low, filter.rate_high};
              },
              "95 % interval of the rate (Wilson)")
          .Fraction("expected", IfSet(&FilterReport::expected_rate),
                    "rate of filters with so many bits set, if a key's bits are independent");
  return fields;
}

const Fields<FilterReport>& TableFilterFields() {
  static const auto fields =
      Fields<FilterReport>("TableFilter")
          .Text("kind", &FilterReport::kind,
                "none, bloom, legacy_bloom, ribbon, per_block, constant, mixed")
          .Text("policy", &FilterReport::policy, "as the metaindex names it")
          .Flag("partitioned", &FilterReport::partitioned, "one filter for each part of the keys")
          .Flag("whole_keys", &FilterReport::whole_keys, "it knows whole keys, not prefixes alone")
          .Text("prefix_extractor", &FilterReport::prefix_extractor,
                "of the prefixes that it knows")
          .Number("bytes", Unit::kBytes, &FilterReport::bytes, "of all filters, without trailers")
          .Number("entries", Unit::kCount, IfSet(&FilterReport::entries), "keys and prefixes added")
          .Fraction("bits_per_key", When(&FilterReport::entries, &FilterReport::bits_per_key),
                    "bits for each of these")
          .Number("probes", Unit::kCount, IfSet(&FilterReport::probes),
                  "bits of a Bloom filter that a key sets")
          .Number("columns", Unit::kCount, IfSet(&FilterReport::columns),
                  "of a Ribbon filter: bits of a key's fingerprint, at most")
          .Number("bits", Unit::kCount, IfSet(&FilterReport::bits), "of a Bloom filter")
          .Number("bits_set", Unit::kCount, When(&FilterReport::bits, &FilterReport::bits_set),
                  "of these bits")
          .Fraction("fill", When(&FilterReport::bits, FillOf), "share of the bits that are set")
          .Object(
              "partitions",
              [](const FilterReport& filter) { return filter.partitioned ? &filter : nullptr; },
              PartitionsFields(), "of a partitioned filter")
          .Object(
              "false_positives",
              [](const FilterReport& filter) { return filter.asked > 0 ? &filter : nullptr; },
              FalsePositivesFields(), "how often it is wrong, as measured")
          .Text("problem", IfSet(&FilterReport::problem),
                "why that is not known, or what is damaged");
  return fields;
}

// The request and its answer.
struct ProbeView {
  FileNumber file;
  const std::string& key;
  const FilterAnswer& answer;
};

const Fields<ProbeView>& ProbeFields() {
  static const auto fields =
      Fields<ProbeView>()
          .Id("file", &ProbeView::file, "number of the table")
          .Bytes(
              "key", [](const ProbeView& view) { return view.key; }, "that was asked for")
          .Object(
              "filter", [](const ProbeView& view) { return view.answer.look; }, FilterLookFields(),
              "what its filter says")
          .List(
              "reads", [](const ProbeView& view) { return view.answer.reads; }, BlockLookFields(),
              "filter partitions that were read");
  return fields;
}

struct FilterDocumentView {
  FileNumber file;
  const FilterReport& report;
};

const Fields<FilterDocumentView>& FilterDocumentFields() {
  static const auto fields =
      Fields<FilterDocumentView>()
          .Id("file", &FilterDocumentView::file, "number of the table")
          .Object(
              "filter",
              [](const FilterDocumentView& view) -> const FilterReport& { return view.report; },
              TableFilterFields(), "the filter of the table");
  return fields;
}

Reply GetFilter(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  FilterQuestion question;
  question.ask = call.Number("ask").value_or(question.ask);
  question.seed = call.Number("seed").value_or(question.seed);
  if (question.ask > kAskMax) return Problem("bad_request", "ask: at most 1000000");
  ASSIGN_OR_RETURN(const FilterReport report,
                   ReportFilter(call.target().fs(), file.path, question));
  Json json = call.Head();
  FilterDocumentFields().AddTo(&json, {file.number, report});
  return Reply(std::move(json)).WithExit(report.damaged ? 4 : 0);
}

Reply ProbeFilter(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  const std::string key = *call.Key("key");
  ASSIGN_OR_RETURN(const FilterAnswer answer, AskFilter(call.target().fs(), file.path, key));
  Json json = call.Head();
  ProbeFields().AddTo(&json, {file.number, key, answer}, {call.bytes()});
  return Reply(std::move(json)).WithExit(answer.look.may_match ? 0 : 1);
}

constexpr DocumentSchema kFilterDocument = {
    .name = "varve.filter/1",
    .make = [](std::string_view name) { return Document(name, FilterDocumentFields().Members()); }};

constexpr DocumentSchema kFilterProbeDocument = {
    .name = "varve.filter_probe/1",
    .make = [](std::string_view name) { return Document(name, ProbeFields().Members()); }};

}  // namespace

std::span<const Route> FilterRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/filter",
       .handler = GetFilter,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kFilterDocument,
       .summary = "a table's filter: kind, fill and measured false positives",
       .parameters = {{"ask", kNumber, "absent keys to ask for; 20000 if not given"},
                      {"seed", kNumber, "of what they are made from"}}},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/filter:probe",
       .handler = ProbeFilter,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kFilterProbeDocument,
       .summary = "what the filter says of a key, and which bits say it",
       .parameters = {query::kKey, query::kBytes}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
