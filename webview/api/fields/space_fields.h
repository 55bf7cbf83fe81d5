// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/space/space.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<SpaceTotals>& TotalsFields();

}  // namespace varve::api
