// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/explain/explain_scan.h"
#include "core/inspect/explain/locate.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<LocatedFile>& LocatedFileFields();
const Fields<ScanPart>& ScanPartFields();  // Without its table and level.

}  // namespace varve::api
