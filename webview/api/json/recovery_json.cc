// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/recovery_json.h"

#include "webview/api/schema/schema.h"

namespace varve::api {

Json RecoveryJson(const RecoveryReport& report) {
  Json losses = Json::array();
  for (const RecoveryLoss& loss : report.losses) {
    if (!loss.damage) continue;
    losses.push_back({{"file", loss.file},
                      {"offset", loss.offset},
                      {"size", loss.bytes},
                      {"what", loss.reason}});
  }
  return {{"losses", std::move(losses)}};
}

Json RecoverySchema() {
  return Object(
      "Recovery",
      {{"losses",
        ArrayOf(Object(
            {{"file", Text()}, {"offset", Number()}, {"size", Number()}, {"what", Text()}}))}});
}

RecoveryReport RecoveryOf(const Json& recovery) {
  RecoveryReport report;
  for (const Json& loss : recovery["losses"]) {
    report.losses.push_back({.file = loss["file"],
                             .offset = loss["offset"],
                             .bytes = loss["size"],
                             .reason = loss["what"],
                             .damage = true});
  }
  return report;
}

void MarkPartial(const RecoveryReport& report, Json* document) {
  for (const char* claim : {"exact", "complete"}) {
    if (document->contains(claim)) (*document)[claim] = false;
  }
  Json recovery = RecoveryJson(report);
  if (!document->contains("recovery")) {
    (*document)["recovery"] = std::move(recovery);
    return;
  }
  for (Json& loss : recovery["losses"])
    (*document)["recovery"]["losses"].push_back(std::move(loss));
}

}  // namespace varve::api
