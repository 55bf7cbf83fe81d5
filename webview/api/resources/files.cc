// SPDX-License-Identifier: Apache-2.0
// GET …/files: table files as the MANIFEST describes them.
#include <algorithm>

#include "core/base/try.h"
#include "varve/comparator.h"
#include "webview/api/json/lsm_at_edit.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

struct Listed {
  const FamilyReport* family;
  const FileReport* file;
};

bool Overlaps(const Comparator& order, const FileReport& file,
              const std::optional<std::string>& from, const std::optional<std::string>& to) {
  return (!from || order.Compare(file.largest.key, *from) >= 0) &&
         (!to || order.Compare(file.smallest.key, *to) < 0);
}

void Sort(std::vector<Listed>* files, std::string_view order) {
  if (order == "size") {
    std::stable_sort(files->begin(), files->end(),
                     [](const Listed& a, const Listed& b) { return a.file->size > b.file->size; });
  } else if (order == "number") {
    std::stable_sort(files->begin(), files->end(), [](const Listed& a, const Listed& b) {
      return a.file->number < b.file->number;
    });
  } else if (order == "age") {
    std::stable_sort(files->begin(), files->end(), [](const Listed& a, const Listed& b) {
      return a.file->creation_time < b.file->creation_time;
    });
  } else if (order == "overlap") {
    const auto bytes = [](const Listed& f) { return f.file->overlap ? f.file->overlap->bytes : 0; };
    std::stable_sort(files->begin(), files->end(),
                     [bytes](const Listed& a, const Listed& b) { return bytes(a) > bytes(b); });
  }
}

Reply ListFiles(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const LsmReport> lsm,
                   LsmAtEdit(call, call.Number("edit"), call.Flag("properties")));
  const FamilyReport* only = nullptr;
  if (const std::optional<std::string> family = call.Name("cf")) {
    RETURN_IF_PROBLEM(call.Require(call.OnFamily(Access::kRead, *family)));
    only = lsm->FindByNameOrId(*family);
    if (only == nullptr) return Problem("cf_not_found", "there is no such column family");
  }
  const std::optional<uint64_t> level = call.Number("level");
  const std::optional<std::string> from = call.Key("overlaps_from"), to = call.Key("overlaps_to");
  std::vector<Listed> files;
  size_t levels = 0;
  for (const FamilyReport& family : lsm->families) {
    const Comparator* const known = OrderOf(family);
    const Comparator& order = known == nullptr ? *BytewiseComparator() : *known;
    if (!call.Sees(family.name) || (only != nullptr && only != &family)) continue;
    levels = std::max(levels, family.levels.size());
    for (const LevelReport& of_level : family.levels) {
      if (level && *level != static_cast<uint64_t>(of_level.level)) continue;
      for (const FileReport& file : of_level.files) {
        if (Overlaps(order, file, from, to)) files.push_back({&family, &file});
      }
    }
  }
  if (level && *level >= levels) {
    return Problem("bad_request", "there is no level " + std::to_string(*level) + "; there are " +
                                      std::to_string(levels));
  }
  Sort(&files, call.Text("order_by").value_or("level"));
  const size_t count = files.size();
  return Reply(List{HeadAt(call, *lsm), "files",
                    IndexedRows(call, count,
                                [lsm, files = std::move(files)](size_t i) {
                                  return FileSummaryFields().ToJson(
                                      {*files[i].file, *files[i].family});
                                })})
      .WithExit(lsm->has_all_files() ? 0 : 4);
}

constexpr DocumentSchema kFilesDocument = {
    .name = "varve.files/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "files", FileSummaryFields().Schema());
    }};

}  // namespace

std::span<const Route> FilesRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files",
       .handler = ListFiles,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kPageRowsMax,
       .cost = Cost::kManifest,
       .documents = kFilesDocument,
       .summary = "the table files, by level",
       .parameters = {{"cf", kName, "column family, by name or id; \"default\" if not given"},
                      {"level", kNumber, "of this level only"},
                      {"overlaps_from", kKey, "that may hold this key or a later one"},
                      {"overlaps_to", kKey, "that may hold a key before this one"},
                      {"order_by", kChoice, "level if not given", "level|size|number|age|overlap"},
                      query::kEdit,
                      {"properties", kFlag, "open the tables: entries and deletions too"}},
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
