// SPDX-License-Identifier: Apache-2.0
// GET …/history, GET …/files/{n}/lineage.
#include "core/inspect/history/history.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "webview/api/json/shape.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

Answer<std::shared_ptr<const HistoryReport>> History(const Call& call) {
  if (call.target().kind() != TargetKind::kManifest) {
    RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  }
  ASSIGN_OR_RETURN(HistoryReport report, ReportHistory(call.target().fs(), call.target().path()));
  return std::make_shared<const HistoryReport>(std::move(report));
}

Json TotalsJson(const FamilyWrites& totals) {
  Json json = {{"cf", totals.family},
               {"flushes", totals.flushes},
               {"flushed_bytes", totals.flushed_bytes},
               {"ingestions", totals.ingestions},
               {"ingested_bytes", totals.ingested_bytes},
               {"compactions", totals.compactions},
               {"compaction_read_bytes", totals.compaction_read_bytes},
               {"compaction_written_bytes", totals.compaction_written_bytes},
               {"moves", totals.moves},
               {"deletions", totals.deletions}};
  if (const auto amplification = totals.write_amplification()) {
    json["write_amplification"] = *amplification;
  }
  return json;
}

Json StepJson(const HistoryReport& history, const LineageStep& step) {
  Json json = {{"file", std::to_string(step.number)},
               {"level", step.level},
               {"size", step.size},
               {"distance", step.distance}};
  if (step.made_by) json["made_by"] = JobJson(history.jobs[*step.made_by]);
  json["moved_by"] = Json::array();
  for (const size_t job : step.moved_by) json["moved_by"].push_back(JobJson(history.jobs[job]));
  if (step.consumed_by) json["consumed_by"] = JobJson(history.jobs[*step.consumed_by]);
  return json;
}

Json StepSchema() {
  return Object("LineageStep", {{"file", U64()},
                                {"level", Number()},
                                {"size", Number()},
                                {"distance", Number()},
                                {"made_by", JobSchema(), kOptional},
                                {"moved_by", ArrayOf(JobSchema())},
                                {"consumed_by", JobSchema(), kOptional}});
}

}  // namespace

Reply ListJobsOfHistory(const Call& call) {
  ASSIGN_OR_RETURN(const auto history, History(call));
  const std::optional<std::string> family = call.Text("cf"), kind = call.Text("kind");
  if (family && !call.damage() && !history->Knows(*family)) {
    return Problem("cf_not_found", history->manifest + " and the LOG know no column family '" +
                                       EscapeForDisplay(*family) + "'");
  }
  std::vector<size_t> wanted;
  for (size_t i = 0; i < history->jobs.size(); ++i) {
    const JobReport& job = history->jobs[i];
    if ((!family || job.family == *family) && (!kind || EditKindName(job.kind) == *kind)) {
      wanted.push_back(i);
    }
  }
  Json head = call.Head();
  head["manifest"] = history->manifest;
  head["logs"] = history->logs;
  head["warnings"] = history->warnings;
  head["totals"] = Json::array();
  for (const FamilyWrites& totals : history->totals) {
    if (!family || totals.family == *family) head["totals"].push_back(TotalsJson(totals));
  }
  const size_t count = wanted.size();
  return List{std::move(head), "jobs",
              IndexedRows(call, count,
                          [history, wanted = std::move(wanted)](size_t i) {
                            return JobJson(history->jobs[wanted[i]]);
                          }),
              /*partial=*/false, call.damage()};
}

Reply GetLineage(const Call& call) {
  const std::optional<FileNumber> number = ParseDecimal(call.Part("n"));
  if (!number) return Problem("bad_request", "files are named by number");
  if (call.damage()) return *call.damage();  // What became of the table may be in what is damaged.
  ASSIGN_OR_RETURN(const auto history, History(call));
  const std::optional<Lineage> lineage = LineageIndex(*history).Of(*number);
  if (!lineage) {
    return Problem("file_not_found",
                   history->manifest + " and the LOG know no table " + std::to_string(*number));
  }
  Json json = call.Head();
  Json steps = StepJson(*history, lineage->file);
  steps["complete"] = lineage->complete;
  for (const auto* list : {&lineage->ancestors, &lineage->successors}) {
    Json& out = steps[list == &lineage->ancestors ? "ancestors" : "successors"] = Json::array();
    for (const LineageStep& step : *list) out.push_back(StepJson(*history, step));
  }
  json["lineage"] = std::move(steps);
  return json;
}

Json HistorySchema() {
  const Json totals = Object("FamilyWrites", {{"cf", Text()},
                                              {"flushes", Number()},
                                              {"flushed_bytes", Number()},
                                              {"ingestions", Number()},
                                              {"ingested_bytes", Number()},
                                              {"compactions", Number()},
                                              {"compaction_read_bytes", Number()},
                                              {"compaction_written_bytes", Number()},
                                              {"moves", Number()},
                                              {"deletions", Number()},
                                              {"write_amplification", Fraction(), kOptional}});
  return ListDocument("varve.history/1",
                      {{"manifest", Text()},
                       {"logs", ArrayOf(Text())},
                       {"warnings", ArrayOf(Text())},
                       {"totals", ArrayOf(totals)}},
                      "jobs", JobSchema());
}

Json LineageSchema() {
  return Document("varve.lineage/1",
                  {{"lineage", Object("Lineage", {{"file", U64()},
                                                  {"level", Number()},
                                                  {"size", Number()},
                                                  {"distance", Number()},
                                                  {"made_by", JobSchema(), kOptional},
                                                  {"moved_by", ArrayOf(JobSchema())},
                                                  {"consumed_by", JobSchema(), kOptional},
                                                  {"complete", Boolean()},
                                                  {"ancestors", ArrayOf(StepSchema())},
                                                  {"successors", ArrayOf(StepSchema())}})}});
}

}  // namespace varve::api
