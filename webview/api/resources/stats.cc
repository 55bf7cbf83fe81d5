// SPDX-License-Identifier: Apache-2.0
// GET …/stats, GET …/stats/history: what a running engine counts. Files on their own count nothing.
#include "core/base/try.h"
#include "webview/api/resources/live.h"
#include "webview/api/resources/resources.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
Reply GetStats(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  Json json = call.Head();
  json["stats"] = live->Stats();
  return json;
}

Reply GetStatsHistory(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  Json json = call.Head();
  json["samples"] = live->StatsHistory();
  return json;
}

Json StatsSchema() { return Document("varve.stats/1", {{"stats", MapOf(Anything())}}); }
Json StatsHistorySchema() {
  return Document("varve.stats_history/1", {{"samples", ArrayOf(MapOf(Anything()))}});
}

}  // namespace varve::api
