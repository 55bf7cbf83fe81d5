// SPDX-License-Identifier: Apache-2.0
// GET …/cfs, GET …/cfs/{cf}.
#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {

Reply ListFamilies(const Call& call) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const LsmReport> lsm, call.Lsm());
  return List{call.Head(), "cfs", IndexedRows(call, lsm->families.size(), [lsm](size_t i) {
                return FamilySummaryFields().ToJson(lsm->families[i]);
              })};
}

Reply GetFamily(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  Json json = call.Head();
  json["family"] = FamilySummaryFields().ToJson(*family);
  return json;
}

Json FamiliesSchema() {
  return ListDocument("varve.cfs/1", {}, "cfs", FamilySummaryFields().Schema());
}
Json FamilySchema() { return Document("varve.cf/1", {{"family", FamilySummaryFields().Schema()}}); }

}  // namespace varve::api
