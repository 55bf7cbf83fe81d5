// SPDX-License-Identifier: Apache-2.0
// GET …/cfs, GET …/cfs/{cf}.
#include <functional>
#include <utility>
#include <vector>

#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

const Fields<FamilyReport>& FamilyDocumentFields() {
  static const auto fields = Fields<FamilyReport>().Object(
      "family", std::identity(), FamilySummaryFields(), "the column family, without its files");
  return fields;
}

Reply ListFamilies(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const LsmReport> lsm, call.Lsm());
  std::vector<const FamilyReport*> seen;
  for (const FamilyReport& family : lsm->families) {
    if (call.Sees(family.name)) seen.push_back(&family);
  }
  const size_t count = seen.size();
  return List{call.Head(), "cfs", IndexedRows(call, count, [lsm, seen = std::move(seen)](size_t i) {
                return FamilySummaryFields().ToJson(*seen[i]);
              })};
}

Reply GetFamily(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  Json json = call.Head();
  FamilyDocumentFields().AddTo(&json, *family);
  return json;
}

constexpr DocumentSchema kFamiliesDocument = {
    .name = "varve.cfs/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "cfs", FamilySummaryFields().Schema());
    }};

constexpr DocumentSchema kFamilyDocument = {
    .name = "varve.cf/1",
    .make = [](std::string_view name) { return Document(name, FamilyDocumentFields().Members()); }};

}  // namespace

std::span<const Route> FamiliesRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs",
       .handler = ListFamilies,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kPageRowsMax,
       .cost = Cost::kManifest,
       .documents = kFamiliesDocument,
       .summary = "the column families"},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}",
       .handler = GetFamily,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kManifest,
       .documents = kFamilyDocument,
       .summary = "one column family"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
