// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/salvage/salvage.h"
#include "webview/api/json/json.h"

namespace varve::api {

Json SalvageJson(const SalvageReport& report);  // varve.salvage/1
// The losses of one table, as they stand in reports of several.
Json LossesJson(const SalvageReport& report);

}  // namespace varve::api
