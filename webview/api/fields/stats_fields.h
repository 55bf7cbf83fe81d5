// SPDX-License-Identifier: Apache-2.0
// Statistics of a running engine, for …/stats and for /metrics, which says the same in Prometheus'
// words; defined in webview/api/resources/stats.cc.
#pragma once

#include <cstdint>

#include "webview/api/live_engine.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// Of calls, the engine measures one in so many (varve/stats.h).
inline constexpr uint64_t kOneCallIn = 64;

const Fields<EngineStats>& TickerFields();
const Fields<EngineStats>& EngineStatsFields();
const Fields<DbStats>& BlockCacheFields();
const Fields<FamilyStats>& FamilyStatsFields();
const Fields<LevelInfo>& LevelSizeFields();
// The durations of each kind of call and job.
const Fields<EngineStats>& HistogramsFields();

}  // namespace varve::api
