// SPDX-License-Identifier: Apache-2.0
// …/analyses/{name}: the latest result of a job of kind "analysis", and that job.
//
//   POST …/jobs {"kind":"analysis","analysis":"space","group_by":":"}  ->  GET …/analyses/space
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

struct AnalysisBody : SpaceOptions {
  std::string analysis;
};

// One byte.
Shape<char> ByteShape() {
  Json schema = Text();
  schema["minLength"] = 1;
  schema["maxLength"] = 1;
  return {{std::move(schema)}, [](const Json& json, const std::string& pointer) -> Answer<char> {
            if (json.is_string() && json.get_ref<const std::string&>().size() == 1) {
              return json.get_ref<const std::string&>()[0];
            }
            return BodyProblem("bad_request", pointer, "must be a string of one byte");
          }};
}

Shape<AnalysisBody> AnalysisShape() {
  return ObjectShape<AnalysisBody>()
      .Member("analysis",
              ChoiceShape({"space", "tombstones", "keyspace", "filters", "compression"}),
              &AnalysisBody::analysis, "filters and compression are of whole databases")
      .Name("cf", &AnalysisBody::family, "this column family only")
      .Key("from", &AnalysisBody::from, "first key, a literal")
      .Key("to", &AnalysisBody::to, "key to stop before, a literal")
      .Key("prefix", &AnalysisBody::prefix, "only keys with this prefix, a literal")
      .Member("group_by", ByteShape(), &AnalysisBody::delimiter,
              "keys with the same bytes up to this one are a group")
      .Member("group_length", NumberShape(std::numeric_limits<uint32_t>::max()),
              &AnalysisBody::prefix_length, "keys with the same so many bytes are a group",
              kOptional)
      .Flag("estimate", &AnalysisBody::estimate, "from samples", kOptional)
      .Member("samples", NumberShape(kSamplesMax), &AnalysisBody::samples,
              "slices of the keys to look at", kOptional)
      .Member("seed", NumberShape(), &AnalysisBody::seed, "of the choice of samples", kOptional)
      .shape();
}

// The space is that of the directory, and filters and compression are of all tables, whatever the
// family.
Answer<std::vector<Right>> NeedsOfAnalysis(const Call& call, const AnalysisBody& body) {
  const bool by_family = body.analysis == "tombstones" || body.analysis == "keyspace";
  if (!by_family || !body.family) return std::vector{call.OnTarget(Access::kRead)};
  return std::vector{call.OnFamily(Access::kRead, *body.family)};
}

Answer<std::unique_ptr<JobTask>> MakeAnalysisJob(const Call& call, const AnalysisBody& body) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  if (body.prefix && (body.from || body.to)) {
    return Problem("bad_request", "prefix cannot be combined with from or to");
  }
  if (body.analysis == "filters" || body.analysis == "compression") {
    return std::unique_ptr<JobTask>(
        std::make_unique<TotalsTask>(call.shared_target(), body.analysis));
  }
  return std::unique_ptr<JobTask>(
      std::make_unique<SpaceTask>(call.shared_target(), body.analysis, body));
}

Reply GetAnalysis(const Call& call) {
  const std::string& name = call.Part("analysis");
  const std::string schema = "varve." + name + "/1";
  std::shared_ptr<Job> newest;
  for (const auto& job : call.service().jobs().Of(call.target(), call.caller().rights)) {
    const JobTask* task = job->finished_task();
    if (job->origin().kind == "analysis" && task != nullptr && task->schema() == schema)
      newest = job;
  }
  if (newest == nullptr) {
    return Problem("analysis_not_run", "this analysis has not been run yet")
        .With("start", {{"method", "POST"},
                        {"href", "/api/v1/targets/" + call.target().id() + "/jobs"},
                        {"body", {{"kind", "analysis"}, {"analysis", name}}}});
  }
  Json json = {{"schema", schema}, {"as_of", newest->origin().as_of}, {"exact", true}};
  json.update(newest->finished_task()->ResultJson());
  return Reply(std::move(json));
}

}  // namespace

constexpr DocumentSchema kSpaceDocument = {
    .name = "varve.space/1",
    .make = [](std::string_view name) { return Document(name, SpaceFields().Members()); },
    .stands_on_logs = true};

constexpr DocumentSchema kTombstonesDocument = {
    .name = "varve.tombstones/1",
    .make = [](std::string_view name) { return Document(name, TombstonesFields().Members()); },
    .stands_on_logs = true};

constexpr DocumentSchema kKeyspaceDocument = {
    .name = "varve.keyspace/1",
    .make = [](std::string_view name) { return Document(name, KeyspaceFields().Members()); },
    .stands_on_logs = true};

constexpr DocumentSchema kFiltersDocument = {
    .name = "varve.filters/1",
    .make = [](std::string_view name) { return Document(name, FiltersFields().Members()); }};

constexpr DocumentSchema kCompressionDocument = {
    .name = "varve.compression/1",
    .make = [](std::string_view name) { return Document(name, CompressionFields().Members()); }};

JobKind AnalysisJob() {
  return NewJobKind<AnalysisBody>("analysis", "space, tombstones, keyspace, filters or compression",
                                  AnalysisShape(), NeedsOfAnalysis, MakeAnalysisJob);
}

std::span<const Route> AnalysesRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/analyses/{analysis}",
       .handler = GetAnalysis,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kJob,
       .documents = {&kSpaceDocument, &kTombstonesDocument, &kKeyspaceDocument, &kFiltersDocument,
                     &kCompressionDocument},
       .summary =
           "the newest result of an analysis: space, tombstones, keyspace, filters, compression"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
