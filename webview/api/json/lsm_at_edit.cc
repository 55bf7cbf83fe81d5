// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/lsm_at_edit.h"

#include "core/base/try.h"
#include "webview/api/json/summaries.h"

namespace varve::api {

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
  return call.HeadAsOf({.edit = report.edit,
                        .sequence = report.last_sequence,
                        .live = call.target().live() != nullptr && report.is_newest()});
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
          .Object(
              "overlap", &LevelReport::overlap, OverlapFields(),
              "of the next level: what a compaction of all of them would read, each table once");
  return fields;
}

const Fields<FamilyReport>& CompactionFields() {
  static const auto fields =
      Fields<FamilyReport>("CompactionShape")
          .Flag("options_known", &FamilyReport::options_known,
                "an OPTIONS file has them; false: the others are RocksDB's defaults")
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

}  // namespace varve::api
