// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/shape.h"

#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

Json JobFilesJson(const std::vector<JobFile>& files) {
  Json json = Json::array();
  for (const JobFile& file : files) {
    json.push_back(
        {{"file", std::to_string(file.number)}, {"level", file.level}, {"size", file.size}});
  }
  return json;
}

Json JobFilesSchema() {
  return ArrayOf(Object("HistoryFile", {{"file", U64()}, {"level", Number()}, {"size", Number()}}));
}

}  // namespace

Answer<std::shared_ptr<const LsmReport>> ShapeAt(const Call& call, std::optional<uint64_t> edit,
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

Json LevelJson(const LevelReport& level) {
  Json json = {{"level", level.level},
               {"files", level.files.size()},
               {"bytes", level.bytes},
               {"score", level.score}};
  if (level.target_bytes) json["target_bytes"] = *level.target_bytes;
  uint64_t files = 0, bytes = 0;
  for (const FileReport& file : level.files) {
    if (!file.overlap) continue;
    files += file.overlap->files;
    bytes += file.overlap->bytes;
  }
  if (!level.files.empty() && level.files[0].overlap) {
    json["overlap"] = {
        {"level", level.files[0].overlap->level}, {"files", files}, {"bytes", bytes}};
  }
  return json;
}

Json LevelSchema() {
  return Object(
      "Level", {{"level", Number()},
                {"files", Number()},
                {"bytes", Number()},
                {"score", Fraction()},
                {"target_bytes", Number(), kOptional},
                {"overlap", Object({{"level", Number()}, {"files", Number()}, {"bytes", Number()}}),
                 kOptional}});
}

Json CompactionJson(const FamilyReport& family) {
  return {{"style", family.compaction_style},
          {"dynamic_level_bytes", family.dynamic_level_bytes},
          {"level0_trigger", family.level0_trigger},
          {"base_level", family.base_level},
          {"compensated", family.compensated}};
}

Json CompactionSchema() {
  return Object("CompactionShape", {{"style", OneOf({"level", "universal", "fifo", "none"})},
                                    {"dynamic_level_bytes", Boolean()},
                                    {"level0_trigger", Number()},
                                    {"base_level", Number()},
                                    {"compensated", Boolean()}});
}

Json JobJson(const JobReport& job) {
  Json json = {{"kind", std::string(EditKindName(job.kind))}};
  if (job.edit != 0) json["edit"] = std::to_string(job.edit);
  json.update({{"cf", job.family},
               {"cf_id", job.family_id},
               {"inputs", JobFilesJson(job.inputs)},
               {"outputs", JobFilesJson(job.outputs)},
               {"output_level", job.output_level},
               {"bytes_read", job.bytes_read},
               {"bytes_written", job.bytes_written}});
  if (job.write_amplification) json["write_amplification"] = *job.write_amplification;
  if (job.creation_time != 0) json["creation_time_unix_s"] = job.creation_time;
  json["inferred"] = job.inferred;
  if (job.job) json["job"] = *job.job;
  if (!job.log.empty()) json["log"] = job.log;
  if (!job.reason.empty()) json["reason"] = job.reason;
  if (job.started_micros != 0) json["started_unix_us"] = job.started_micros;
  if (job.finished_micros != 0) json["finished_unix_us"] = job.finished_micros;
  return json;
}

Json JobSchema() {
  return Object("HistoryJob", {{"kind", OneOf({"snapshot", "flush", "ingestion", "compaction",
                                               "trivial_move", "deletion", "drop_family"})},
                               {"edit", U64(), kOptional},
                               {"cf", Text()},
                               {"cf_id", Number()},
                               {"inputs", JobFilesSchema()},
                               {"outputs", JobFilesSchema()},
                               {"output_level", Number()},
                               {"bytes_read", Number()},
                               {"bytes_written", Number()},
                               {"write_amplification", Fraction(), kOptional},
                               {"creation_time_unix_s", Number(), kOptional},
                               {"inferred", Boolean()},
                               {"job", Number(), kOptional},
                               {"log", Text(), kOptional},
                               {"reason", Text(), kOptional},
                               {"started_unix_us", Number(), kOptional},
                               {"finished_unix_us", Number(), kOptional}});
}

}  // namespace varve::api
