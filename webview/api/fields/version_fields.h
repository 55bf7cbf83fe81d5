// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/lsm/lsm_diff.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<LevelDelta>& LevelDeltaFields();

}  // namespace varve::api
