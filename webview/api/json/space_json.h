// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/lsm/table_totals.h"
#include "core/inspect/space/space.h"
#include "webview/api/json/json.h"

namespace varve::api {

// Members of the three analyses that one pass over the entries gives.
Json SpaceJson(const SpaceReport& report);       // varve.space/1
Json TombstonesJson(const SpaceReport& report);  // varve.tombstones/1
Json KeyspaceJson(const SpaceReport& report);    // varve.keyspace/1

// The two that tables' own words give.
Json FiltersJson(const TotalsReport& report);      // varve.filters/1
Json CompressionJson(const TotalsReport& report);  // varve.compression/1

}  // namespace varve::api
