// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/lsm_at_edit.h"

#include "core/base/try.h"
#include "webview/api/json/summaries.h"

namespace varve::api {
namespace {

const Fields<JobFile>& JobFileFields() {
  static const auto fields =
      Fields<JobFile>("HistoryFile")
          .Id("file", &JobFile::number, "number of the table")
          .Number("level", Unit::kNone, &JobFile::level, "that it was on")
          .Number("size", Unit::kBytes, &JobFile::size, "of the table; 0: unknown");
  return fields;
}

// What its tables together overlap.
std::optional<OverlapReport> OverlapOf(const LevelReport& level) {
  if (level.files.empty() || !level.files[0].overlap) return std::nullopt;
  OverlapReport sum{.level = level.files[0].overlap->level};
  for (const FileReport& file : level.files) {
    if (!file.overlap) continue;
    sum.files += file.overlap->files;
    sum.bytes += file.overlap->bytes;
  }
  return sum;
}

}  // namespace

Answer<std::shared_ptr<const LsmReport>> LsmAtEdit(const Call& call, std::optional<uint64_t> edit,
                                                   bool open_tables) {
  const bool database = call.target().kind() == TargetKind::kDatabase;
  if (database && !edit && !open_tables) return call.Lsm();
  if (!database) RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kManifest));
  Result<LsmReport> report = ReportLsm(call.target().fs(), call.target().path(),
                                       {.edit = edit, .open_tables = open_tables});
  if (report.ok()) return std::make_shared<const LsmReport>(*std::move(report));
  if (report.status().code() != Code::kInvalidArgument) return report.status();
  return Problem("edit_not_found", std::string(report.status().message()));
}

Json HeadAt(const Call& call, const LsmReport& report) {
  Json head = call.Head();
  head["as_of"] = {{"edit", std::to_string(report.edit)},
                   {"seq", std::to_string(report.last_sequence)},
                   {"live", call.target().live() != nullptr && report.is_newest()}};
  return head;
}

const FamilyReport* FamilyOf(const LsmReport& report, std::string_view name) {
  if (const FamilyReport* family = report.Find(name)) return family;
  for (const FamilyReport& family : report.families) {
    if (std::to_string(family.id) == name) return &family;
  }
  return nullptr;
}

const Fields<LevelReport>& LevelFields() {
  static const auto fields =
      Fields<LevelReport>("Level")
          .Number("level", Unit::kNone, &LevelReport::level, "its number")
          .Number(
              "files", Unit::kCount, [](const LevelReport& level) { return level.files.size(); },
              "tables on it")
          .Number("bytes", Unit::kBytes, &LevelReport::bytes, "of these tables")
          .Fraction("score", &LevelReport::score, "1 and above: it wants compaction")
          .Number("target_bytes", Unit::kBytes, &LevelReport::target_bytes,
                  "size above which the score passes 1, if it has a limit")
          .Object("overlap", OverlapOf, OverlapFields(),
                  "of the next level, what each table's compaction would read, added up");
  return fields;
}

const Fields<FamilyReport>& CompactionFields() {
  static const auto fields =
      Fields<FamilyReport>("CompactionShape")
          .Choice("style", {"level", "universal", "fifo", "none"}, &FamilyReport::compaction_style,
                  "of the options that the scores are computed with")
          .Flag("dynamic_level_bytes", &FamilyReport::dynamic_level_bytes,
                "targets follow the size of the last level; of style level")
          .Number("level0_trigger", Unit::kCount, &FamilyReport::level0_trigger,
                  "files on level 0 that make it want compaction")
          .Number("base_level", Unit::kNone, &FamilyReport::base_level,
                  "where level 0 compacts to; of style level")
          .Flag("compensated", &FamilyReport::compensated, "scores count deletions as well");
  return fields;
}

const Fields<JobReport>& JobFields() {
  static const auto fields =
      Fields<JobReport>("HistoryJob")
          .Choice(
              "kind",
              {"snapshot", "flush", "ingestion", "compaction", "trivial_move", "deletion",
               "drop_family"},
              [](const JobReport& job) { return EditKindName(job.kind); },
              "what was done; snapshot: the tables that the MANIFEST begins with")
          .Id("edit", IfSet(&JobReport::edit), "of the MANIFEST; none: only a LOG tells of it")
          .Text("cf", &JobReport::family, "name of the column family")
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

}  // namespace varve::api
