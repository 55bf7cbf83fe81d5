// SPDX-License-Identifier: Apache-2.0
// …/analyses/{name}: what a job of kind "analysis" found out last, and that job.
//
//   POST …/jobs {"kind":"analysis","analysis":"space","group_by":":"}  ->  GET …/analyses/space
#include "core/base/literal.h"
#include "core/base/try.h"
#include "core/inspect/lsm/table_totals.h"
#include "core/inspect/space/space.h"
#include "webview/api/json/space_json.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/resources.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr uint64_t kSamplesMax = 10'000;

// space, tombstones and keyspace are three views of one pass over the entries.
class SpaceTask : public JobTask {
 public:
  SpaceTask(std::shared_ptr<Target> target, std::string analysis, SpaceOptions options)
      : target_(std::move(target)),
        analysis_(std::move(analysis)),
        schema_("varve." + analysis_ + "/1"),
        options_(std::move(options)) {}

  Result<bool> Step(JobControl& control) override {
    options_.progress = [&](const VerifyProgress& p) {
      control.report({.done = p.bytes_done, .total = p.bytes_total, .unit = "bytes"});
      return !control.cancelled();
    };
    ASSIGN_OR_RETURN(report_, ReportSpace(target_->fs(), target_->path(), options_));
    return true;
  }

  std::string_view schema() const override { return schema_; }
  Json ResultJson() const override {
    Json json = analysis_ == "space"        ? SpaceJson(report_)
                : analysis_ == "tombstones" ? TombstonesJson(report_)
                                            : KeyspaceJson(report_);
    json.erase("schema");
    return json;
  }

 private:
  const std::shared_ptr<Target> target_;
  const std::string analysis_, schema_;
  SpaceOptions options_;
  SpaceReport report_;
};

// filters and compression: two views of what the tables say of themselves.
class TotalsTask : public JobTask {
 public:
  TotalsTask(std::shared_ptr<Target> target, std::string analysis)
      : target_(std::move(target)),
        analysis_(std::move(analysis)),
        schema_("varve." + analysis_ + "/1") {}

  Result<bool> Step(JobControl& control) override {
    ASSIGN_OR_RETURN(
        report_, ReportTableTotals(target_->fs(), target_->path(), [&](const auto& p) {
          control.report({.done = p.bytes_done, .total = p.bytes_total, .unit = "bytes"});
          return !control.cancelled();
        }));
    return true;
  }

  std::string_view schema() const override { return schema_; }
  Json ResultJson() const override {
    Json json = analysis_ == "filters" ? FiltersJson(report_) : CompressionJson(report_);
    json.erase("schema");
    return json;
  }

 private:
  const std::shared_ptr<Target> target_;
  const std::string analysis_, schema_;
  TotalsReport report_;
};

Answer<SpaceOptions> OptionsOf(const Json& body) {
  SpaceOptions options;
  for (const auto& [name, value] : body.items()) {
    if (name == "kind" || name == "analysis") continue;
    if (name == "estimate" && value.is_boolean()) {
      options.estimate = value;
    } else if (name == "cf" && value.is_string()) {
      options.family = value.get<std::string>();
    } else if (name == "group_by" && value.is_string() &&
               value.get_ref<const std::string&>().size() == 1) {
      options.delimiter = value.get_ref<const std::string&>()[0];
    } else if (name == "group_length" && value.is_number_unsigned()) {
      options.prefix_length = value;
    } else if (name == "samples" && value.is_number_unsigned() && value <= kSamplesMax) {
      options.samples = value;
    } else if (name == "seed" && value.is_number_unsigned()) {
      options.seed = value;
    } else if ((name == "from" || name == "to") && value.is_string()) {
      ASSIGN_OR_RETURN(std::string key,
                       DecodeLiteral(value.get_ref<const std::string&>(), Encoding::kUtf8));
      (name == "from" ? options.from : options.to) = std::move(key);
    } else {
      return Problem("bad_request", "\"" + name + "\" is not understood, or not with that value");
    }
  }
  return options;
}

Json CountSchema() { return Object("EntryCount", {{"entries", Number()}, {"bytes", Number()}}); }

Json IntervalSchema() {
  return Object("Interval", {{"estimate", Fraction()}, {"ci95", ArrayOf(Fraction())}});
}

Json SampledSchema() { return Object("SampledSlices", {{"slices", Number()}, {"of", Number()}}); }

Json HistogramSchema() {
  return ArrayOf(
      Object("HistogramBar", {{"from", Number()}, {"below", Number()}, {"count", Number()}}));
}

}  // namespace

Answer<std::unique_ptr<JobTask>> MakeAnalysisJob(const Call& call, const Json& body) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  const auto named = body.find("analysis");
  const std::string name =
      named != body.end() && named->is_string() ? named->get<std::string>() : "";
  if (name == "filters" || name == "compression") {
    return std::unique_ptr<JobTask>(std::make_unique<TotalsTask>(call.shared_target(), name));
  }
  if (name != "space" && name != "tombstones" && name != "keyspace") {
    return Problem("bad_request",
                   "\"analysis\" must be space, tombstones, keyspace, filters or compression");
  }
  ASSIGN_OR_RETURN(SpaceOptions options, OptionsOf(body));
  return std::unique_ptr<JobTask>(
      std::make_unique<SpaceTask>(call.shared_target(), name, std::move(options)));
}

Reply GetAnalysis(const Call& call) {
  const std::string name = call.Part("analysis");
  const std::string schema = "varve." + name + "/1";
  std::shared_ptr<Job> newest;
  for (const auto& job : call.service().jobs().Of(call.target())) {
    const JobTask* task = job->finished_task();
    if (job->kind() == "analysis" && task != nullptr && task->schema() == schema) newest = job;
  }
  if (newest == nullptr) {
    return Problem("analysis_not_run", "nobody has asked for this analysis yet")
        .With("start", {{"method", "POST"},
                        {"href", "/api/v1/targets/" + call.target().id() + "/jobs"},
                        {"body", {{"kind", "analysis"}, {"analysis", name}}}});
  }
  Json json = {{"schema", schema}, {"as_of", newest->as_of()}, {"exact", true}};
  json.update(newest->finished_task()->ResultJson());
  return Reply(std::move(json));
}

Json SpaceSchema() {
  const Json count = CountSchema();
  return Document(
      "varve.space/1",
      {{"table_bytes", Number()},
       {"blob_bytes", Number()},
       {"wal_bytes", Number()},
       {"manifest_bytes", Number()},
       {"other_bytes", Number()},
       {"orphan_bytes", Number()},
       {"orphans", ArrayOf(Object({{"name", Text()}, {"bytes", Number()}}))},
       {"cfs",
        ArrayOf(Object(
            "SpaceFamily",
            {{"id", Number()},
             {"name", Text()},
             {"not_supported", Text(), kOptional},
             {"sampled", SampledSchema(), kOptional},
             {"levels", ArrayOf(Object({{"level", Integer()},
                                        {"source", OneOf({"wal", "tables"})},
                                        {"files", Number()},
                                        {"file_bytes", Number()},
                                        {"live", count},
                                        {"shadowed", count},
                                        {"tombstones", count}}))},
             {"total", Object({{"live", count}, {"shadowed", count}, {"tombstones", count}})},
             {"merge_operands", count},
             {"range_deletions", Number()},
             {"blob_bytes", Number()},
             {"blob_garbage_bytes", Number()},
             {"raw_bytes", Number()},
             {"live_bytes", IntervalSchema(), kOptional},
             {"shadowed_bytes", IntervalSchema(), kOptional},
             {"tombstone_bytes", IntervalSchema(), kOptional},
             {"prefixes", ArrayOf(Object({{"prefix", BytesRef()},
                                          {"live", count},
                                          {"shadowed", count},
                                          {"tombstones", count}}))},
             {"prefixes_complete", Boolean()}}))}});
}

Json TombstonesSchema() {
  const Json count = CountSchema();
  return Document(
      "varve.tombstones/1",
      {{"cfs", ArrayOf(Object(
                   "TombstonesFamily",
                   {{"id", Number()},
                    {"name", Text()},
                    {"not_supported", Text(), kOptional},
                    {"sampled", SampledSchema(), kOptional},
                    {"keys", Number()},
                    {"skipped", Number()},
                    {"tombstones", count},
                    {"range_deletions", Number()},
                    {"entries", Number()},
                    {"skipped_per_key", IntervalSchema(), kOptional},
                    {"longest_runs", ArrayOf(Object({{"skipped", Number()},
                                                     {"tombstones", Number()},
                                                     {"after", BytesRef(), kOptional},
                                                     {"before", BytesRef(), kOptional}}))}}))}});
}

Json KeyspaceSchema() {
  const Json count = CountSchema();
  return Document(
      "varve.keyspace/1",
      {{"cfs",
        ArrayOf(Object("KeyspaceFamily",
                       {{"id", Number()},
                        {"name", Text()},
                        {"not_supported", Text(), kOptional},
                        {"sampled", SampledSchema(), kOptional},
                        {"keys", Number()},
                        {"key_sizes", HistogramSchema()},
                        {"value_sizes", HistogramSchema()},
                        {"slices", ArrayOf(Object("KeyspaceSlice", {{"from", BytesRef()},
                                                                    {"keys", Number()},
                                                                    {"skipped", Number()},
                                                                    {"live", count},
                                                                    {"shadowed", count},
                                                                    {"tombstones", count}}))}}))}});
}

Json FiltersSchema() {
  return Document(
      "varve.filters/1",
      {{"cfs",
        ArrayOf(Object(
            "FiltersFamily",
            {{"id", Number()},
             {"name", Text()},
             {"levels",
              ArrayOf(Object({{"level", Number()},
                              {"files", Number()},
                              {"file_bytes", Number()},
                              {"filters", ArrayOf(Object({{"kind", Text()},
                                                          {"files", Number()},
                                                          {"entries", Number()},
                                                          {"bytes", Number()},
                                                          {"bits_per_key", Fraction()}}))}}))}}))},
       {"unreadable", ArrayOf(Text())}});
}

Json CompressionSchema() {
  return Document(
      "varve.compression/1",
      {{"cfs", ArrayOf(Object(
                   "CompressionFamily",
                   {{"id", Number()},
                    {"name", Text()},
                    {"levels",
                     ArrayOf(Object({{"level", Number()},
                                     {"files", Number()},
                                     {"file_bytes", Number()},
                                     {"index_bytes", Number()},
                                     {"codecs", ArrayOf(Object({{"codec", Text()},
                                                                {"files", Number()},
                                                                {"raw_bytes", Number()},
                                                                {"stored_bytes", Number()},
                                                                {"ratio", Fraction()}}))}}))}}))},
       {"unreadable", ArrayOf(Text())}});
}

}  // namespace varve::api
