// SPDX-License-Identifier: Apache-2.0
// varve lsm history.
#include "cli/commands/commands.h"
#include "cli/commands/inspect/job_trace.h"
#include "cli/commands/inspect/lsm_target.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/history/history.h"
#include "core/inspect/lsm/edit_kind.h"
#include "varve/environment.h"
#include "webview/api/fields/history_fields.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

std::string FilesText(const std::vector<JobFile>& files) {
  constexpr size_t kNamed = 3;
  if (files.size() > kNamed) return HumanCount(files.size()) + " files";
  std::string text;
  for (const JobFile& file : files) text += (text.empty() ? "" : " ") + std::to_string(file.number);
  return text;
}

// "L0+L1 > L1", "> L0".
std::string LevelsText(const JobReport& job) {
  std::string text;
  int last = -1;
  for (const JobFile& file : job.inputs) {
    if (file.level == last) continue;
    last = file.level;
    const std::string level = "L" + std::to_string(last);
    if (text.find(level) == std::string::npos) text += (text.empty() ? "" : "+") + level;
  }
  if (job.outputs.empty()) return text + " >";
  return text + (text.empty() ? "" : " ") + "> L" + std::to_string(job.output_level);
}

std::string WhatText(const JobReport& job) {
  if (job.kind == EditKind::kTrivialMove) return FilesText(job.outputs);
  if (job.inputs.empty()) return FilesText(job.outputs);
  return FilesText(job.inputs) + " > " + (job.outputs.empty() ? "none" : FilesText(job.outputs));
}

class LsmHistory : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory, or a MANIFEST");
    parameters.Option("cf", &family_, "this column family only");
    parameters.Option("file", &file_, "where this table came from and what became of it");
    parameters.Option("kind", &kind_, "jobs of this kind only",
                      {kJobKindNames.begin(), kJobKindNames.end()});
  }

  Result<ExitCode> Run(Console& console) override {
    if (file_ && (family_ || kind_)) {
      return Status::InvalidArgument(std::string("--file cannot be combined with ") +
                                     (family_ ? "--cf" : "--kind"));
    }
    const bool as_trace = console.format(Format::kTable) == Format::kTrace;
    if (file_ && as_trace)
      return Status::InvalidArgument("--file cannot be combined with -F trace");
    ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
    if (IsData(console.format(Format::kTable))) {
      if (file_) {
        return PrintResource(console, {target_, kind},
                             "/files/" + std::to_string(*file_) + "/lineage");
      }
      return PrintResource(console, {target_, kind},
                           "/history" + ApiQuery().Name("cf", family_).Text("kind", kind_).str());
    }
    ASSIGN_OR_RETURN(const HistoryReport history,
                     ReportHistory(*NativeEnvironment().file_system, target_));
    const Terminal terminal = TerminalOf(console);
    const Status damage = CheckManifest(target_);
    if (damage.ok() && family_ && !history.Knows(*family_)) {
      return NoSuchFamily(*family_, " in " + history.manifest, history.families);
    }
    if (file_) {  // What became of a table may be in what is damaged.
      RETURN_IF_ERROR(damage);
      return ShowLineage(console, terminal, history);
    }
    if (as_trace) {
      PrintTrace(console, history);
    } else {
      Print(console.out(), terminal, history);
    }
    RETURN_IF_ERROR(damage);
    return kDone;
  }

 private:
  bool WantedFamily(const JobReport& job) const { return !family_ || job.family == *family_; }

  bool Wanted(const JobReport& job) const {
    return WantedFamily(job) && (!kind_ || EditKindName(job.kind) == *kind_);
  }

  void PrintTrace(Console& console, const HistoryReport& history) const {
    std::vector<const JobReport*> jobs, all_jobs;
    for (const JobReport& job : history.jobs) {
      if (WantedFamily(job)) all_jobs.push_back(&job);
      if (Wanted(job)) jobs.push_back(&job);
    }
    const uint64_t timeless = WriteJobTrace(console.out(), jobs, all_jobs);
    if (timeless > 0) console.Note(Counted(timeless, "job") + " without a time left out");
  }

  void Print(Sink& out, const Terminal& terminal, const HistoryReport& history) const {
    ReportColumns<JobReport> columns(terminal, api::JobFields());
    columns.Show("edit").Show("job").Show("kind");
    if (history.totals.size() > 1) columns.Show("cf", "family");
    columns.Show("levels", Align::kLeft, LevelsText)
        .ShowUnlessZero("bytes_read", "read")
        .ShowUnlessZero("bytes_written", "written")
        .Show("write_amplification", "w-amp")
        .Show("tables", Align::kLeft, WhatText);
    if (terminal.width >= 110) columns.Show("finished_unix_us", "when").Show("reason", "why");
    TextTable table = columns.NewTable();
    for (const JobReport& job : history.jobs) {
      if (Wanted(job)) table.Add(columns.Row(job));
    }
    out.Write(table.Render());
    out.Write("\n");
    for (const FamilyWrites& totals : history.totals) {
      if (family_ && totals.family != *family_) continue;
      out.Write(Tinted(terminal, Tint::kBold, EscapeForDisplay(totals.family)) + "\n  " +
                Counted(totals.flushes, "flush", "flushes") + " wrote " +
                HumanBytes(totals.flushed_bytes) + ", " + Counted(totals.ingestions, "ingestion") +
                " brought " + HumanBytes(totals.ingested_bytes) + "\n  " +
                Counted(totals.compactions, "compaction") + " read " +
                HumanBytes(totals.compaction_read_bytes) + " and wrote " +
                HumanBytes(totals.compaction_written_bytes) + "\n");
      if (const auto amplification = totals.write_amplification()) {
        out.Write("  write amplification " + HumanRatio(*amplification) + "\n");
      }
    }
    if (history.logs.empty()) {
      out.Write("inferred from " + history.manifest + " alone: there is no LOG with events\n");
    } else {
      out.Write(history.manifest + ", joined with the events of " + history.logs.back() +
                (history.logs.size() > 1 ? " and " + HumanCount(history.logs.size() - 1) + " older"
                                         : "") +
                "\n");
    }
    for (const std::string& warning : history.warnings) out.Write("warning " + warning + "\n");
  }

  static std::string MakerText(const HistoryReport& history, const LineageStep& step) {
    if (!step.made_by) return "a job that is older than this MANIFEST";
    const JobReport& job = history.jobs[*step.made_by];
    std::string text(EditKindName(job.kind));
    if (job.edit != 0) text += ", edit " + std::to_string(job.edit);
    if (job.job) text += ", job " + std::to_string(*job.job);
    if (!job.reason.empty()) text += ", " + job.reason;
    return text + (job.inferred ? " (inferred)" : "");
  }

  static std::string EndText(const HistoryReport& history, const LineageStep& step) {
    if (!step.consumed_by) return "live";
    const JobReport& job = history.jobs[*step.consumed_by];
    const std::string edit = job.edit == 0 ? "" : " at edit " + std::to_string(job.edit);
    switch (job.kind) {
      case EditKind::kDeletion:
        return "deleted" + edit;
      case EditKind::kDropFamily:
        return "dropped with its family" + edit;
      default:
        return "compacted" + edit;
    }
  }

  Result<ExitCode> ShowLineage(Console& console, const Terminal& terminal,
                               const HistoryReport& history) const {
    const LineageIndex index(history);
    const std::optional<Lineage> lineage = index.Of(*file_);
    if (!lineage) {
      return Status::NotFound(history.manifest + " and the LOG know no table " +
                              std::to_string(*file_));
    }
    const LineageStep& file = lineage->file;
    Sink& out = console.out();
    out.Write(Tinted(terminal, Tint::kBold, "table " + std::to_string(file.number)) + "  L" +
              std::to_string(file.level) + ", " + HumanBytes(file.size) + ", " +
              EndText(history, file) + "\nmade by " + MakerText(history, file) + "\n");
    for (const size_t move : file.moved_by) {
      const JobReport& job = history.jobs[move];
      out.Write("moved to L" + std::to_string(job.output_level) + " at edit " +
                std::to_string(job.edit) + (job.inferred ? " (inferred)" : "") + "\n");
    }
    PrintSteps(out, terminal, history, "ancestors", lineage->ancestors);
    PrintSteps(out, terminal, history, "successors", lineage->successors);
    out.Write(lineage->complete ? "every ancestor is known, back to its flush\n"
                                : "some ancestors are older than what is recorded\n");
    return kDone;
  }

  static void PrintSteps(Sink& out, const Terminal& terminal, const HistoryReport& history,
                         const std::string& title, const std::vector<LineageStep>& steps) {
    if (steps.empty()) return;
    out.Write("\n" + Tinted(terminal, Tint::kBold, title) + "\n");
    const auto maker = [&](const LineageStep& step) {
      return step.made_by ? &history.jobs[*step.made_by] : nullptr;
    };
    ReportColumns<LineageStep> table(terminal, api::LineageTableFields());
    table.Show("distance", "jobs")
        .Show("file", "table")
        .Show("level", Align::kLeft,
              [](const LineageStep& step) { return "L" + std::to_string(step.level); })
        .Show("size")
        .Show("made by", Align::kLeft,
              [&](const LineageStep& step) {
                return maker(step) == nullptr ? std::string("unknown")
                                              : std::string(EditKindName(maker(step)->kind));
              })
        .Show("edit", Align::kRight,
              [&](const LineageStep& step) {
                const JobReport* const job = maker(step);
                return job == nullptr || job->edit == 0 ? "" : std::to_string(job->edit);
              })
        .Show("job", Align::kRight,
              [&](const LineageStep& step) {
                const JobReport* const job = maker(step);
                return job == nullptr || !job->job ? "" : std::to_string(*job->job);
              })
        .Show("until", Align::kLeft,
              [&](const LineageStep& step) {
                return step.consumed_by
                           ? "edit " + std::to_string(history.jobs[*step.consumed_by].edit)
                           : "now";
              })
        .Show("why", Align::kLeft, [&](const LineageStep& step) {
          return maker(step) == nullptr ? "" : maker(step)->reason;
        });
    out.Write(table.Of(steps).Render(2));
  }

  std::string target_;
  std::optional<std::string> kind_, family_;
  std::optional<uint64_t> file_;
};

}  // namespace

const Command kLsmHistory = {
    "lsm history", "flushes, compactions and moves; where a table came from and went",
    "varve lsm history ./db\nvarve lsm history ./db --file 25   # its ancestors and successors\n"
    "varve lsm history ./db -F trace -o jobs.trace.json   # for ui.perfetto.dev",
    "0 shown, 4 damaged (what comes before the damage is shown)",
    [] { return MakeInvocation<LsmHistory>(); }};

}  // namespace varve::cli
