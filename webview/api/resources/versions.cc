// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/levels, GET …/versions/{edit}, GET …/versions:diff.

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_diff.h"
#include "webview/api/json/shape.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

Json VersionJson(const LsmReport& report) {
  Json families = Json::array();
  for (const FamilyReport& family : report.families) {
    families.push_back(FamilySummaryJson(family));
  }
  return {{"manifest", report.manifest},
          {"edit", std::to_string(report.edit)},
          {"edits", std::to_string(report.manifest_edits)},
          {"manifest_bytes", report.manifest_bytes},
          {"last_seq", std::to_string(report.last_sequence)},
          {"next_file_number", std::to_string(report.next_file_number)},
          {"options_file", report.options_file},
          {"cfs", std::move(families)},
          {"missing", report.missing},
          {"orphans", report.orphans},
          {"warnings", report.warnings}};
}

// One difference, in the order in which they are listed.
struct Change {
  std::string_view change;
  const FamilyDiff* family;
  const FileReport* file;
  const FileReport* before;  // Of a move.
};

struct Difference {
  std::shared_ptr<const LsmReport> a, b;
  std::vector<FamilyDiff> families;
  std::vector<Change> changes;
};

Json SideJson(const LsmReport& report) {
  return {{"manifest", report.manifest},
          {"edit", std::to_string(report.edit)},
          {"seq", std::to_string(report.last_sequence)}};
}

Json FamilyDiffJson(const FamilyDiff& diff) {
  Json levels = Json::array();
  for (const LevelDelta& delta : diff.levels) {
    levels.push_back({{"level", delta.level},
                      {"files_a", delta.files_a},
                      {"files_b", delta.files_b},
                      {"bytes_a", delta.bytes_a},
                      {"bytes_b", delta.bytes_b}});
  }
  return {{"cf", diff.name},
          {"in_a", diff.in_a},
          {"in_b", diff.in_b},
          {"removed", diff.only_a.size()},
          {"added", diff.only_b.size()},
          {"moved", diff.moved.size()},
          {"same", diff.same},
          {"levels", std::move(levels)}};
}

Json ChangeJson(const Difference& difference, const Change& change) {
  const bool in_b = change.family->in_b && change.change != "removed";
  const FamilyReport* family = (in_b ? difference.b : difference.a)->Find(change.family->name);
  Json json = {{"change", std::string(change.change)}};
  if (change.before != nullptr) {
    json["from"] = {{"id", std::to_string(change.before->number)}, {"level", change.before->level}};
  }
  json["file"] = FileSummaryJson(*change.file, *family);
  return json;
}

// The database of B, where it is another target's.
Answer<std::shared_ptr<const LsmReport>> ShapeOfOther(const Call& call, const std::string& id,
                                                      std::optional<uint64_t> edit) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Target> other, call.service().FindTarget(id));
  Result<LsmReport> report = ReportLsm(other->fs(), other->path(), {.edit = edit});
  if (report.ok()) return std::make_shared<const LsmReport>(*std::move(report));
  if (report.status().code() != Code::kInvalidArgument) return report.status();
  return Problem("edit_not_found", std::string(report.status().message()));
}

void CollectChanges(Difference* difference) {
  for (const FamilyDiff& family : difference->families) {
    for (const FileReport& file : family.only_a) {
      difference->changes.push_back({"removed", &family, &file, nullptr});
    }
    for (const FileReport& file : family.only_b) {
      difference->changes.push_back({"added", &family, &file, nullptr});
    }
    for (const MovedFile& moved : family.moved) {
      difference->changes.push_back({"moved", &family, &moved.b, &moved.a});
    }
  }
}

}  // namespace

Reply GetLevels(const Call& call) {
  ASSIGN_OR_RETURN(const auto shape, ShapeAt(call, call.Number("edit"), call.Flag("properties")));
  const FamilyReport* family = FamilyOf(*shape, call.Part("cf"));
  if (family == nullptr) {
    return Problem("cf_not_found", "there is no column family '" +
                                       EscapeForDisplay(call.Part("cf")) + "' at edit " +
                                       std::to_string(shape->edit));
  }
  Json json = HeadAt(call, *shape);
  json["cf"] = family->name;
  json["cf_id"] = family->id;
  json["compaction"] = CompactionJson(*family);
  json["levels"] = Json::array();
  for (const LevelReport& level : family->levels) json["levels"].push_back(LevelJson(level));
  return json;
}

Reply GetVersion(const Call& call) {
  const std::string& text = call.Part("edit");
  const std::optional<uint64_t> edit = ParseDecimal(text);
  if (!edit && text != "newest") {
    return Problem("bad_request", "versions are named by the number of an edit, or \"newest\"");
  }
  ASSIGN_OR_RETURN(const auto shape, ShapeAt(call, edit, call.Flag("properties")));
  Json json = HeadAt(call, *shape);
  json["version"] = VersionJson(*shape);
  return Reply(std::move(json)).WithExit(shape->missing.empty() ? 0 : 4);
}

Reply DiffVersions(const Call& call) {
  auto difference = std::make_shared<Difference>();
  ASSIGN_OR_RETURN(difference->a, ShapeAt(call, call.Number("a"), /*open_tables=*/false));
  if (const std::optional<std::string> other = call.Text("against")) {
    ASSIGN_OR_RETURN(difference->b, ShapeOfOther(call, *other, call.Number("b")));
  } else {
    ASSIGN_OR_RETURN(difference->b, ShapeAt(call, call.Number("b"), /*open_tables=*/false));
  }
  difference->families = DiffShapes(*difference->a, *difference->b);
  if (const std::optional<std::string> only = call.Text("cf")) {
    std::erase_if(difference->families, [&](const FamilyDiff& diff) { return diff.name != *only; });
    if (difference->families.empty()) {
      return Problem("cf_not_found",
                     "neither has a column family '" + EscapeForDisplay(*only) + "'");
    }
  }
  CollectChanges(difference.get());
  bool equal = true;
  Json head = HeadAt(call, *difference->b);
  head["a"] = SideJson(*difference->a);
  head["b"] = SideJson(*difference->b);
  head["cfs"] = Json::array();
  for (const FamilyDiff& family : difference->families) {
    equal &= family.equal();
    head["cfs"].push_back(FamilyDiffJson(family));
  }
  head["equal"] = equal;
  return Reply(List{std::move(head), "changes",
                    IndexedRows(call, difference->changes.size(),
                                [difference](size_t i) {
                                  return ChangeJson(*difference, difference->changes[i]);
                                })})
      .WithExit(equal ? 0 : 1);
}

Json LevelsSchema() {
  return Document("varve.levels/1", {{"cf", Text()},
                                     {"cf_id", Number()},
                                     {"compaction", CompactionSchema()},
                                     {"levels", ArrayOf(LevelSchema())}});
}

Json VersionSchema() {
  return Document("varve.version/1", {{"version", Object({{"manifest", Text()},
                                                          {"edit", U64()},
                                                          {"edits", U64()},
                                                          {"manifest_bytes", Number()},
                                                          {"last_seq", U64()},
                                                          {"next_file_number", U64()},
                                                          {"options_file", Text()},
                                                          {"cfs", ArrayOf(FamilySummarySchema())},
                                                          {"missing", ArrayOf(Text())},
                                                          {"orphans", ArrayOf(Text())},
                                                          {"warnings", ArrayOf(Text())}})}});
}

Json VersionsDiffSchema() {
  const Json side = Object("VersionsSide", {{"manifest", Text()}, {"edit", U64()}, {"seq", U64()}});
  const Json level = Object({{"level", Number()},
                             {"files_a", Number()},
                             {"files_b", Number()},
                             {"bytes_a", Number()},
                             {"bytes_b", Number()}});
  const Json family = Object({{"cf", Text()},
                              {"in_a", Boolean()},
                              {"in_b", Boolean()},
                              {"removed", Number()},
                              {"added", Number()},
                              {"moved", Number()},
                              {"same", Number()},
                              {"levels", ArrayOf(level)}});
  return ListDocument(
      "varve.versions_diff/1",
      {{"a", side}, {"b", side}, {"cfs", ArrayOf(family)}, {"equal", Boolean()}}, "changes",
      Object("VersionsChange", {{"change", OneOf({"removed", "added", "moved"})},
                                {"from", Object({{"id", U64()}, {"level", Number()}}), kOptional},
                                {"file", FileSummarySchema()}}));
}

}  // namespace varve::api
