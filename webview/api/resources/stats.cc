// SPDX-License-Identifier: Apache-2.0
// GET …/stats, GET …/stats/history: statistics of a running engine. Not available for files alone.
#include <functional>

#include "core/base/try.h"
#include "webview/api/resources/live.h"
#include "webview/api/resources/resources.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

// Both are JSON already: an engine has more figures than are listed here.
const Fields<Json>& StatsFields() {
  static const auto fields = Fields<Json>().Other(
      "stats", MapOf(Anything()), std::identity(),
      "RocksDB's tickers and histograms under their names, and more of the engine");
  return fields;
}

const Fields<Json>& StatsHistoryFields() {
  static const auto fields = Fields<Json>().Other(
      "samples", ArrayOf(MapOf(Anything())), std::identity(), "one a second, the oldest first");
  return fields;
}

}  // namespace

Reply GetStats(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  Json json = call.Head();
  StatsFields().AddTo(&json, live->Stats());
  return json;
}

Reply GetStatsHistory(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  Json json = call.Head();
  StatsHistoryFields().AddTo(&json, live->StatsHistory());
  return json;
}

Json StatsSchema() { return Document("varve.stats/1", StatsFields().Members()); }
Json StatsHistorySchema() {
  return Document("varve.stats_history/1", StatsHistoryFields().Members());
}

}  // namespace varve::api
