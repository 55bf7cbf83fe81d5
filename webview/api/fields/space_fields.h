// SPDX-License-Identifier: Apache-2.0
// Sums over the tables of a database, a family or a level, for documents and tables on a terminal;
// defined in webview/api/json/space_json.cc.
#pragma once

#include "core/inspect/space/space.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<SpaceTotals>& TotalsFields();

}  // namespace varve::api
