// SPDX-License-Identifier: Apache-2.0
// …/analyses/{name}: the latest result of a job of kind "analysis", and that job.
//
//   POST …/jobs {"kind":"analysis","analysis":"space","group_by":":"}  ->  GET …/analyses/space
#include "core/base/literal.h"
#include "core/base/try.h"
#include "core/inspect/lsm/table_totals.h"
#include "core/inspect/space/space.h"
#include "webview/api/json/space_json.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/resources.h"

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
    const Fields<SpaceReport>& fields = analysis_ == "space"        ? SpaceFields()
                                        : analysis_ == "tombstones" ? TombstonesFields()
                                                                    : KeyspaceFields();
    Json json = {{"exact", report_.exact}};
    fields.AddTo(&json, report_);
    return json;
  }

 private:
  const std::shared_ptr<Target> target_;
  const std::string analysis_, schema_;
  SpaceOptions options_;
  SpaceReport report_;
};

// filters and compression: two views of the tables' metadata.
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
    return (analysis_ == "filters" ? FiltersFields() : CompressionFields()).ToJson(report_);
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
      return Problem("bad_request", "\"" + name + "\" is unknown, or does not take that value");
    }
  }
  return options;
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
  const std::string& name = call.Part("analysis");
  const std::string schema = "varve." + name + "/1";
  std::shared_ptr<Job> newest;
  for (const auto& job : call.service().jobs().Of(call.target())) {
    const JobTask* task = job->finished_task();
    if (job->kind() == "analysis" && task != nullptr && task->schema() == schema) newest = job;
  }
  if (newest == nullptr) {
    return Problem("analysis_not_run", "this analysis has not been run yet")
        .With("start", {{"method", "POST"},
                        {"href", "/api/v1/targets/" + call.target().id() + "/jobs"},
                        {"body", {{"kind", "analysis"}, {"analysis", name}}}});
  }
  Json json = {{"schema", schema}, {"as_of", newest->as_of()}, {"exact", true}};
  json.update(newest->finished_task()->ResultJson());
  return Reply(std::move(json));
}

Json SpaceSchema() { return Document("varve.space/1", SpaceFields().Members()); }
Json TombstonesSchema() { return Document("varve.tombstones/1", TombstonesFields().Members()); }
Json KeyspaceSchema() { return Document("varve.keyspace/1", KeyspaceFields().Members()); }
Json FiltersSchema() { return Document("varve.filters/1", FiltersFields().Members()); }
Json CompressionSchema() { return Document("varve.compression/1", CompressionFields().Members()); }

}  // namespace varve::api
