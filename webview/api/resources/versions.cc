// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/levels, GET …/versions/{edit}, GET …/versions:diff.
#include <algorithm>
#include <functional>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_diff.h"
#include "webview/api/fields/version_fields.h"
#include "webview/api/json/lsm_at_edit.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

const Fields<LsmReport>& VersionFields() {
  static const auto fields =
      Fields<LsmReport>("Version")
          .Text("manifest", &LsmReport::manifest, "name of the MANIFEST")
          .Id("edit", &LsmReport::edit, "after which this is the state")
          .Id("edits", &LsmReport::manifest_edits, "of the MANIFEST, as far as it can be read")
          .Number("manifest_bytes", Unit::kBytes, &LsmReport::manifest_bytes, "of that file")
          .Id("last_seq", &LsmReport::last_sequence,
              "last sequence number, as the MANIFEST says; logs may hold later ones")
          .Id("next_file_number", &LsmReport::next_file_number,
              "number of the next new file, as the MANIFEST says")
          .Text("options_file", &LsmReport::options_file,
                "that the scores are computed with; empty: there is none")
          .List("cfs", &LsmReport::families, FamilySummaryFields(), "the column families")
          .Texts("missing", &LsmReport::missing, "files that it names and that are not there")
          .Texts("wrong_size", &LsmReport::wrong_size,
                 "tables of another size than it says, with both sizes")
          .Texts("orphans", &LsmReport::orphans,
                 "table and blob files that the MANIFEST does not name")
          .Texts("warnings", &LsmReport::warnings, "what could not be read");
  return fields;
}

// One difference, in list order.
struct Change {
  std::string_view change;
  const FamilyDiff* family;
  const FileReport* file;
  const FileReport* before;  // For moves.
};

struct Difference {
  std::shared_ptr<const LsmReport> a, b;
  std::vector<FamilyDiff> families;
  std::vector<Change> changes;

  bool equal() const {
    return std::all_of(families.begin(), families.end(),
                       [](const FamilyDiff& family) { return family.equal(); });
  }
};

const Fields<LsmReport>& SideFields() {
  static const auto fields = Fields<LsmReport>("VersionsSide")
                                 .Text("manifest", &LsmReport::manifest, "name of the MANIFEST")
                                 .Id("edit", &LsmReport::edit, "after which it is compared")
                                 .Id("seq", &LsmReport::last_sequence, "last sequence number then");
  return fields;
}

const Fields<FamilyDiff>& FamilyDiffFields() {
  static const auto fields =
      Fields<FamilyDiff>("FamilyDiff")
          .Name("cf", &FamilyDiff::name, "name of the column family")
          .Flag("in_a", &FamilyDiff::in_a, "A has it")
          .Flag("in_b", &FamilyDiff::in_b, "B has it")
          .Number(
              "removed", Unit::kCount, [](const FamilyDiff& diff) { return diff.only_a.size(); },
              "tables that only A has")
          .Number(
              "added", Unit::kCount, [](const FamilyDiff& diff) { return diff.only_b.size(); },
              "tables that only B has")
          .Number(
              "moved", Unit::kCount, [](const FamilyDiff& diff) { return diff.moved.size(); },
              "tables on another level, or under another number")
          .Number("same", Unit::kCount, &FamilyDiff::same, "tables on the same level of both")
          .List("levels", &FamilyDiff::levels, LevelDeltaFields(),
                "those that are not empty in both");
  return fields;
}

// For moves.
const Fields<FileReport>& BeforeFields() {
  static const auto fields =
      Fields<FileReport>("FileBefore")
          .Id("id", &FileReport::number, "number of the table in A")
          .Number("level", Unit::kNone, &FileReport::level, "that it is on in A");
  return fields;
}

struct ChangeView {
  const Difference& difference;
  const Change& change;

  FileOfFamily file() const {
    const bool in_b = change.family->in_b && change.change != "removed";
    const LsmReport& report = in_b ? *difference.b : *difference.a;
    return {*change.file, *report.Find(change.family->name)};
  }
};

const Fields<ChangeView>& ChangeFields() {
  static const auto fields =
      Fields<ChangeView>("VersionsChange")
          .Choice(
              "change", {"removed", "added", "moved"},
              [](const ChangeView& view) { return view.change.change; }, "from A to B")
          .Object(
              "from", [](const ChangeView& view) { return view.change.before; }, BeforeFields(),
              "of a table that was moved")
          .Object("file", &ChangeView::file, FileSummaryFields(), "the table");
  return fields;
}

const Fields<Difference>& DifferenceFields() {
  static const auto fields =
      Fields<Difference>()
          .Object(
              "a", [](const Difference& d) -> const LsmReport& { return *d.a; }, SideFields(),
              "what is compared")
          .Object(
              "b", [](const Difference& d) -> const LsmReport& { return *d.b; }, SideFields(),
              "what it is compared with")
          .List("cfs", &Difference::families, FamilyDiffFields(),
                "families of A, then those of B alone")
          .Flag("equal", &Difference::equal, "there is no difference");
  return fields;
}

const Fields<FamilyReport>& LevelsFields() {
  static const auto fields =
      Fields<FamilyReport>()
          .Name("cf", &FamilyReport::name, "name of the column family")
          .Number("cf_id", Unit::kNone, &FamilyReport::id, "its number")
          .Object("compaction", std::identity(), CompactionFields(), "what the scores stand on")
          .List("levels", &FamilyReport::levels, LevelFields(), "all levels, empty ones included");
  return fields;
}

// The database of B, if it is another target.
Answer<std::shared_ptr<const LsmReport>> ShapeOfOther(const Call& call, const std::string& id,
                                                      std::optional<uint64_t> edit) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Target> other, call.TargetNamed(id));
  RETURN_IF_PROBLEM(call.Require({Access::kRead, other->name()}));
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

const Fields<LsmReport>& VersionDocumentFields() {
  static const auto fields = Fields<LsmReport>().Object("version", std::identity(), VersionFields(),
                                                        "the tree after the edit");
  return fields;
}

Reply GetLevels(const Call& call) {
  ASSIGN_OR_RETURN(const auto lsm, LsmAtEdit(call, call.Number("edit"), call.Flag("properties")));
  const FamilyReport* family = lsm->FindByNameOrId(call.Part("cf"));
  if (family == nullptr) {
    return Problem("cf_not_found", "there is no column family '" +
                                       EscapeForDisplay(call.Part("cf")) + "' at edit " +
                                       std::to_string(lsm->edit));
  }
  // At that edit, the id may have been another family's, which is not named.
  if (!call.Sees(family->name)) RETURN_IF_PROBLEM(call.Require(call.OnTarget(Access::kRead)));
  Json json = HeadAt(call, *lsm);
  LevelsFields().AddTo(&json, *family);
  return Reply(std::move(json)).WithExit(lsm->has_all_files() ? 0 : 4);
}

Reply GetVersion(const Call& call) {
  const std::string& text = call.Part("edit");
  const std::optional<uint64_t> edit = ParseDecimal(text);
  if (!edit && text != "newest") {
    return Problem("bad_request", "versions are named by the number of an edit, or \"newest\"");
  }
  ASSIGN_OR_RETURN(const auto lsm, LsmAtEdit(call, edit, call.Flag("properties")));
  Json json = HeadAt(call, *lsm);
  VersionDocumentFields().AddTo(&json, *lsm);
  return Reply(std::move(json)).WithExit(lsm->has_all_files() ? 0 : 4);
}

Reply DiffVersions(const Call& call) {
  auto difference = std::make_shared<Difference>();
  ASSIGN_OR_RETURN(difference->a, LsmAtEdit(call, call.Number("a"), /*open_tables=*/false));
  if (const std::optional<std::string> other = call.Text("against")) {
    ASSIGN_OR_RETURN(difference->b, ShapeOfOther(call, *other, call.Number("b")));
  } else {
    ASSIGN_OR_RETURN(difference->b, LsmAtEdit(call, call.Number("b"), /*open_tables=*/false));
  }
  difference->families = DiffLsm(*difference->a, *difference->b);
  if (const std::optional<std::string> only = call.Name("cf")) {
    std::erase_if(difference->families, [&](const FamilyDiff& diff) { return diff.name != *only; });
    if (difference->families.empty()) {
      return Problem("cf_not_found",
                     "neither has a column family '" + EscapeForDisplay(*only) + "'");
    }
  }
  CollectChanges(difference.get());
  Json head = HeadAt(call, *difference->b);
  DifferenceFields().AddTo(&head, *difference);
  return Reply(List{std::move(head), "changes",
                    IndexedRows(call, difference->changes.size(),
                                [difference](size_t i) {
                                  return ChangeFields().ToJson(
                                      {*difference, difference->changes[i]});
                                })})
      .WithExit(difference->equal() ? 0 : 1);
}

constexpr DocumentSchema kLevelsDocument = {
    .name = "varve.levels/1",
    .make = [](std::string_view name) { return Document(name, LevelsFields().Members()); }};

constexpr DocumentSchema kVersionDocument = {
    .name = "varve.version/1", .make = [](std::string_view name) {
      return Document(name, VersionDocumentFields().Members());
    }};

constexpr DocumentSchema kVersionsDiffDocument = {
    .name = "varve.versions_diff/1", .make = [](std::string_view name) {
      return ListDocument(name, DifferenceFields().Members(), "changes", ChangeFields().Schema());
    }};

}  // namespace

const Fields<LevelDelta>& LevelDeltaFields() {
  static const auto fields =
      Fields<LevelDelta>("LevelDelta")
          .Number("level", Unit::kNone, &LevelDelta::level, "its number")
          .Number("files_a", Unit::kCount, &LevelDelta::files_a, "tables on it in A")
          .Number("files_b", Unit::kCount, &LevelDelta::files_b, "tables on it in B")
          .Number("bytes_a", Unit::kBytes, &LevelDelta::bytes_a, "of the tables in A")
          .Number("bytes_b", Unit::kBytes, &LevelDelta::bytes_b, "of the tables in B");
  return fields;
}

std::span<const Route> VersionsRoutes() {
  using enum ParameterType;
  constexpr QueryParameter kProperties = {"properties", kFlag,
                                          "open the tables: scores count deletions"};
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}/levels",
       .handler = GetLevels,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kManifest,
       .documents = kLevelsDocument,
       .summary = "the levels of a family, with scores and overlaps",
       .parameters = {query::kEdit, kProperties},
       .of_damaged_too = true},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/versions/{edit}",
       .handler = GetVersion,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kNoRows,
       .cost = Cost::kManifest,
       .documents = kVersionDocument,
       .summary = "the shape of the database after an edit, or \"newest\"",
       .parameters = {kProperties},
       .of_damaged_too = true},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/versions:diff",
       .handler = DiffVersions,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kManifest,
       .documents = kVersionsDiffDocument,
       .summary = "what differs between two edits, or two databases",
       .parameters = {{"a", kNumber, "an edit; the newest if not given"},
                      {"b", kNumber, "another; the newest if not given"},
                      {"against", kText, "the target that b is an edit of; this one if not given"},
                      query::kOnlyFamily},
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
