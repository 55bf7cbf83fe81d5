// SPDX-License-Identifier: Apache-2.0
// What changed on a level between two versions, for documents and tables on a terminal; defined in
// webview/api/resources/versions.cc.
#pragma once

#include "core/inspect/lsm/lsm_diff.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<LevelDelta>& LevelDeltaFields();

}  // namespace varve::api
