// SPDX-License-Identifier: Apache-2.0
// GET /targets, GET /targets/{t}.
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

const Fields<WalFileReport>& WalFileFields() {
  static const auto fields = Fields<WalFileReport>("WalFile")
                                 .Id("id", &WalFileReport::number, "number of the log")
                                 .Number("size", Unit::kBytes, &WalFileReport::size, "of the file")
                                 .Flag("live", &WalFileReport::live, "would be replayed at open");
  return fields;
}

const Fields<LsmReport>& DatabaseFields() {
  static const auto fields =
      Fields<LsmReport>("Database")
          .Choice(
              "kind", {"rocksdb", "leveldb"},
              [](const LsmReport& report) -> std::string_view {
                return report.leveldb ? "leveldb" : "rocksdb";
              },
              "whose format it is in")
          .Text("id", &LsmReport::db_id, "of the database, as IDENTITY or the MANIFEST says")
          .Text("manifest", &LsmReport::manifest, "name of the current MANIFEST")
          .Number("manifest_bytes", Unit::kBytes, &LsmReport::manifest_bytes, "of that file")
          .Id("next_file_number", &LsmReport::next_file_number,
              "number of the next new file, as the MANIFEST says")
          .List("cfs", &LsmReport::families, FamilySummaryFields(), "the column families")
          .List("wals", &LsmReport::wals, WalFileFields(), "the logs")
          .Texts("orphans", &LsmReport::orphans,
                 "table and blob files that the MANIFEST does not name")
          .Texts("missing", &LsmReport::missing, "files that it names and that are not there")
          .Texts("wrong_size", &LsmReport::wrong_size,
                 "tables of another size than it says, with both sizes");
  return fields;
}

struct TargetDocumentView {
  const Target& target;
  std::optional<LsmReport> database = {};
  std::optional<uint64_t> size = {};
  bool cut = false;
};

const Fields<TargetDocumentView>& TargetDocumentFields() {
  using View = TargetDocumentView;
  static const auto fields =
      Fields<View>()
          .Object(
              "target", [](const View& view) -> const Target& { return view.target; },
              TargetSummaryFields(), "what is open")
          .Object(
              "db", [](const View& view) { return view.database ? &*view.database : nullptr; },
              DatabaseFields(), "of a database: what it consists of")
          .Number("size", Unit::kBytes, &View::size, "of a file")
          .Flag(
              "cut", &View::cut,
              "who asks has no right to all of it: other families, logs and orphans are left out");
  return fields;
}

Reply ListTargets(const Call& call) {
  const auto targets = call.service().TargetsOf(call.caller());
  return List{call.Head(), "targets", IndexedRows(call, targets.size(), [targets](size_t i) {
                return TargetSummaryFields().ToJson(*targets[i]);
              })};
}

// Takes out what is of families that the caller does not see, or of all together.
void Cut(const Call& call, LsmReport* report) {
  std::erase_if(report->families, [&](const FamilyReport& f) { return !call.Sees(f.name); });
  std::set<std::string, std::less<>> files;
  for (const FamilyReport& family : report->families) {
    for (const LevelReport& level : family.levels) {
      for (const FileReport& file : level.files) files.insert(file.name);
    }
  }
  const auto is_unseen = [&](std::string_view line) {
    return !files.contains(line.substr(0, line.find_first_of(": ")));
  };
  std::erase_if(report->missing, is_unseen);
  std::erase_if(report->wrong_size, is_unseen);
  report->wals.clear();
  report->orphans.clear();
}

Reply GetTarget(const Call& call) {
  Target& target = call.target();
  int exit = 0;
  TargetDocumentView view{target};
  if (target.kind() == TargetKind::kDatabase) {
    // Read again: files may vanish or be left over without an edit of the MANIFEST.
    ASSIGN_OR_RETURN(view.database, ReportLsm(target.fs(), target.path()));
    view.cut = !call.May(call.OnTarget(Access::kRead));
    if (view.cut) Cut(call, &*view.database);
    if (!view.database->has_all_files()) exit = 4;
  } else {
    ASSIGN_OR_RETURN(view.size, target.fs().FileSize(target.path()));
  }
  Json json = call.Head();
  TargetDocumentFields().AddTo(&json, view);
  return Reply(std::move(json)).WithExit(exit);
}

constexpr DocumentSchema kTargetsDocument = {
    .name = "varve.targets/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "targets", TargetSummaryFields().Schema());
    }};

constexpr DocumentSchema kTargetDocument = {
    .name = "varve.target/1",
    .make = [](std::string_view name) { return Document(name, TargetDocumentFields().Members()); },
    .stands_on_logs = true};

}  // namespace

std::span<const Route> TargetsRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets",
       .handler = ListTargets,
       .auth = Auth::kRead,
       .part = Part::kServer,
       .max_rows = kPageRowsMax,
       .cost = Cost::kMemory,
       .documents = kTargetsDocument,
       .summary = "what is open"},
      {.method = Method::kGet,
       .pattern = "/targets/{t}",
       .handler = GetTarget,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kManifest,
       .documents = kTargetDocument,
       .summary = "a target at a glance"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
