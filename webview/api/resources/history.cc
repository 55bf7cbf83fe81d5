// SPDX-License-Identifier: Apache-2.0
// GET …/history, GET …/files/{n}/lineage.
#include "core/inspect/history/history.h"

#include <functional>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/fields/history_fields.h"
#include "webview/api/resources/file_parts.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

Answer<std::shared_ptr<HistoryReport>> History(const Call& call) {
  if (call.target().kind() != TargetKind::kManifest) {
    RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  }
  ASSIGN_OR_RETURN(HistoryReport report, ReportHistory(call.target().fs(), call.target().path()));
  return std::make_shared<HistoryReport>(std::move(report));
}

const Fields<JobFile>& JobFileFields() {
  static const auto fields =
      Fields<JobFile>("HistoryFile")
          .Id("file", &JobFile::number, "number of the table")
          .Number("level", Unit::kNone, &JobFile::level, "that it was on")
          .Number("size", Unit::kBytes, &JobFile::size, "of the table; 0: unknown");
  return fields;
}

const Fields<FamilyWrites>& FamilyWritesFields() {
  static const auto fields =
      Fields<FamilyWrites>("FamilyWrites")
          .Name("cf", &FamilyWrites::family, "name of the column family")
          .Number("flushes", Unit::kCount, &FamilyWrites::flushes, "of memtables to tables")
          .Number("flushed_bytes", Unit::kBytes, &FamilyWrites::flushed_bytes, "of these tables")
          .Number("ingestions", Unit::kCount, &FamilyWrites::ingestions, "of tables made elsewhere")
          .Number("ingested_bytes", Unit::kBytes, &FamilyWrites::ingested_bytes, "of these tables")
          .Number("compactions", Unit::kCount, &FamilyWrites::compactions,
                  "that read tables and wrote others")
          .Number("compaction_read_bytes", Unit::kBytes, &FamilyWrites::compaction_read_bytes,
                  "of tables that they read")
          .Number("compaction_written_bytes", Unit::kBytes, &FamilyWrites::compaction_written_bytes,
                  "of tables that they wrote")
          .Number("moves", Unit::kCount, &FamilyWrites::moves,
                  "of tables to another level, unchanged")
          .Number("deletions", Unit::kCount, &FamilyWrites::deletions, "that wrote nothing")
          .Fraction("write_amplification", &FamilyWrites::write_amplification,
                    "bytes written for each byte that was flushed or ingested");
  return fields;
}

const Fields<HistoryReport>& HistoryFields() {
  static const auto fields =
      Fields<HistoryReport>()
          .Text("manifest", &HistoryReport::manifest, "whose edits these are")
          .Texts("logs", &HistoryReport::logs, "LOGs that were read, the oldest first")
          .Texts("warnings", &HistoryReport::warnings, "what could not be read or joined")
          .List("totals", &HistoryReport::totals, FamilyWritesFields(), "of each column family");
  return fields;
}

struct LineageStepView {
  const HistoryReport& history;
  const LineageStep& step;

  const JobReport* made_by() const { return JobAt(step.made_by); }
  const JobReport* consumed_by() const { return JobAt(step.consumed_by); }
  const JobReport* JobAt(const std::optional<size_t>& job) const {
    return job ? &history.jobs[*job] : nullptr;
  }
  std::vector<const JobReport*> moved_by() const {
    std::vector<const JobReport*> jobs;
    for (const size_t job : step.moved_by) jobs.push_back(&history.jobs[job]);
    return jobs;
  }
};

const Fields<LineageStepView>& LineageStepFields() {
  static const auto fields =
      Fields<LineageStepView>("LineageStep")
          .Include([](const LineageStepView& view) -> const LineageStep& { return view.step; },
                   LineageTableFields())
          .Object("made_by", &LineageStepView::made_by, JobFields(),
                  "the job that wrote it; none: older than what is recorded")
          .List("moved_by", &LineageStepView::moved_by, JobFields(),
                "jobs that put it on another level")
          .Object("consumed_by", &LineageStepView::consumed_by, JobFields(),
                  "the job that took it away; none: it is in use");
  return fields;
}

struct LineageView {
  const HistoryReport& history;
  const Lineage& lineage;

  LineageStepView file() const { return {history, lineage.file}; }
  bool complete() const { return lineage.complete; }
  std::vector<LineageStepView> ancestors() const { return ViewsOf(lineage.ancestors); }
  std::vector<LineageStepView> successors() const { return ViewsOf(lineage.successors); }
  std::vector<LineageStepView> ViewsOf(const std::vector<LineageStep>& steps) const {
    std::vector<LineageStepView> views;
    for (const LineageStep& step : steps) views.push_back({history, step});
    return views;
  }
};

const Fields<LineageView>& LineageFields() {
  static const auto fields = Fields<LineageView>("Lineage")
                                 .Include(&LineageView::file, LineageStepFields())
                                 .Flag("complete", &LineageView::complete,
                                       "every ancestor is followed back to a flush or an ingestion")
                                 .List("ancestors", &LineageView::ancestors, LineageStepFields(),
                                       "what it was made from; the nearest first, each once")
                                 .List("successors", &LineageView::successors, LineageStepFields(),
                                       "what was made from it; the nearest first, each once");
  return fields;
}

const Fields<LineageView>& LineageDocumentFields() {
  static const auto fields =
      Fields<LineageView>().Object("lineage", std::identity(), LineageFields(),
                                   "where the table came from, and what became of it");
  return fields;
}

Reply ListJobsOfHistory(const Call& call) {
  ASSIGN_OR_RETURN(const auto history, History(call));
  const std::optional<std::string> family = call.Name("cf"), kind = call.Text("kind");
  if (family && !call.damage() && !history->Knows(*family)) {
    return Problem("cf_not_found", history->manifest + " and the LOG know no column family '" +
                                       EscapeForDisplay(*family) + "'");
  }
  std::erase_if(history->totals,
                [&](const FamilyWrites& totals) { return family && totals.family != *family; });
  std::vector<size_t> wanted;
  for (size_t i = 0; i < history->jobs.size(); ++i) {
    const JobReport& job = history->jobs[i];
    if ((!family || job.family == *family) && (!kind || EditKindName(job.kind) == *kind)) {
      wanted.push_back(i);
    }
  }
  Json head = call.Head();
  HistoryFields().AddTo(&head, *history);
  const size_t count = wanted.size();
  return List{std::move(head), "jobs",
              IndexedRows(call, count,
                          [history, wanted = std::move(wanted)](size_t i) {
                            return JobFields().ToJson(history->jobs[wanted[i]]);
                          }),
              /*partial=*/false, call.damage()};
}

constexpr DocumentSchema kHistoryDocument = {
    .name = "varve.history/1", .make = [](std::string_view name) {
      return ListDocument(name, HistoryFields().Members(), "jobs", JobFields().Schema());
    }};

}  // namespace

Reply GetLineage(const Call& call) {
  const std::optional<FileNumber> number = ParseDecimal(call.Part("n"));
  if (!number) return Problem("bad_request", "a file is identified by its number");
  if (call.damage()) return *call.damage();  // The table's history may be in the damaged part.
  ASSIGN_OR_RETURN(const auto history, History(call));
  const std::optional<Lineage> lineage = LineageIndex(*history).Of(*number);
  if (!lineage) {
    return Problem("file_not_found",
                   history->manifest + " and the LOG know no table " + std::to_string(*number));
  }
  Json json = call.Head();
  LineageDocumentFields().AddTo(&json, {*history, *lineage});
  return json;
}

constexpr DocumentSchema kLineageDocument = {
    .name = "varve.lineage/1", .make = [](std::string_view name) {
      return Document(name, LineageDocumentFields().Members());
    }};

const Fields<JobReport>& JobFields() {
  static const auto fields =
      Fields<JobReport>("HistoryJob")
          .Choice(
              "kind", kJobKindNames, [](const JobReport& job) { return EditKindName(job.kind); },
              "what was done; snapshot: the tables that the MANIFEST begins with")
          .Id("edit", IfSet(&JobReport::edit), "of the MANIFEST; none: only a LOG tells of it")
          .Name("cf", &JobReport::family, "name of the column family")
          .Number("cf_id", Unit::kNone, &JobReport::family_id, "number of the column family")
          .List("inputs", &JobReport::inputs, JobFileFields(), "tables that it consumed")
          .List("outputs", &JobReport::outputs, JobFileFields(), "tables that it made")
          .Number("output_level", Unit::kNone, &JobReport::output_level, "where these are")
          .Number("bytes_read", Unit::kBytes, &JobReport::bytes_read,
                  "of tables; a move reads nothing")
          .Number("bytes_written", Unit::kBytes, &JobReport::bytes_written,
                  "of tables; a move writes nothing")
          .Fraction("write_amplification", &JobReport::write_amplification,
                    "bytes written for each byte that came from above the output level")
          .Number("creation_time_unix_s", Unit::kUnixSeconds, IfSet(&JobReport::creation_time),
                  "of its newest output")
          .Flag("inferred", &JobReport::inferred, "from the MANIFEST: no LOG confirms it")
          .Number("job", Unit::kNone, &JobReport::job, "its number in the LOG")
          .Text("log", IfSet(&JobReport::log), "the LOG that tells of it")
          .Text("reason", IfSet(&JobReport::reason), "why, as the LOG says")
          .Number("started_unix_us", Unit::kUnixMicroseconds, IfSet(&JobReport::started_micros),
                  "as the LOG says")
          .Number("finished_unix_us", Unit::kUnixMicroseconds, IfSet(&JobReport::finished_micros),
                  "as the LOG says");
  return fields;
}

const Fields<LineageStep>& LineageTableFields() {
  static const auto fields =
      Fields<LineageStep>()
          .Id("file", &LineageStep::number, "number of the table")
          .Number("level", Unit::kNone, &LineageStep::level, "that it was seen on last")
          .Number("size", Unit::kBytes, &LineageStep::size, "of the table; 0: unknown")
          .Number("distance", Unit::kCount, &LineageStep::distance,
                  "jobs between it and the table that was asked for");
  return fields;
}

std::span<const Route> HistoryRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/history",
       .handler = ListJobsOfHistory,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kManifest,
       .documents = kHistoryDocument,
       .summary = "flushes, compactions, moves and ingestions, oldest first",
       .parameters = {query::kOnlyFamily,
                      {"kind", kChoice, "jobs of this kind only", kChoicesOf<kJobKindNames>}},
       .of_damaged_too = true},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/lineage",
       .handler = GetLineage,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kNoRows,
       .cost = Cost::kManifest,
       .documents = kLineageDocument,
       .summary = "where a table came from and what became of it",
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
