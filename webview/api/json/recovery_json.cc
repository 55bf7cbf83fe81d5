// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/recovery_json.h"

#include <vector>

namespace varve::api {
namespace {

std::vector<RecoveryLoss> DamageIn(const RecoveryReport& report) {
  std::vector<RecoveryLoss> damage;
  for (const RecoveryLoss& loss : report.losses) {
    if (loss.damage) damage.push_back(loss);
  }
  return damage;
}

}  // namespace

const Fields<RecoveryLoss>& RecoveryLossFields() {
  static const auto fields =
      Fields<RecoveryLoss>("RecoveryLoss")
          .Text("file", &RecoveryLoss::file, "the log")
          .Number("offset", Unit::kOffset, &RecoveryLoss::offset, "where in it")
          .Number("size", Unit::kBytes, &RecoveryLoss::bytes, "that are left out")
          .Text("what", &RecoveryLoss::reason, "what is wrong there");
  return fields;
}

const Fields<RecoveryReport>& RecoveryFields() {
  static const auto fields = Fields<RecoveryReport>("Recovery")
                                 .List("losses", DamageIn, RecoveryLossFields(),
                                       "what recovery leaves out because it is damaged");
  return fields;
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
  Json recovery = RecoveryFields().ToJson(report);
  if (!document->contains("recovery")) {
    (*document)["recovery"] = std::move(recovery);
    return;
  }
  for (Json& loss : recovery["losses"])
    (*document)["recovery"]["losses"].push_back(std::move(loss));
}

}  // namespace varve::api
