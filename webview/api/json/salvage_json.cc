// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/salvage_json.h"

namespace varve::api {

Json LossesJson(const SalvageReport& report) {
  Json losses = Json::array();
  for (const SalvageLoss& loss : report.losses) {
    Json json = {{"offset", loss.offset},   {"size", loss.bytes},
                 {"what", loss.what},       {"data", loss.data},
                 {"entries", loss.entries}, {"unverified", loss.unverified}};
    if (loss.key_from || loss.key_to) {
      json["lost_range"] = Json::object();
      if (loss.key_from) json["lost_range"]["from"] = BytesJson(*loss.key_from);
      if (loss.key_to) json["lost_range"]["to"] = BytesJson(*loss.key_to);
    }
    losses.push_back(std::move(json));
  }
  return losses;
}

Json SalvageJson(const SalvageReport& report) {
  return {{"schema", "varve.salvage/1"},
          {"exact", report.entries_expected.has_value()},
          {"file", report.file},
          {"size", report.size},
          {"comparator", report.comparator},
          {"comparator_assumed", report.comparator_assumed},
          {"by_index", report.by_index},
          {"by_scan", report.by_scan},
          {"complete", report.complete()},
          {"blocks", report.blocks},
          {"entries", report.entries},
          {"range_deletions", report.range_deletions},
          {"unverified_taken", report.unverified_taken},
          {"entries_lost", report.entries_lost()},
          {"losses", LossesJson(report)}};
}

}  // namespace varve::api
