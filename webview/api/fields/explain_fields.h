// SPDX-License-Identifier: Apache-2.0
// Where a key was looked for, and what a scan read, for documents and tables on a terminal; defined
// in webview/api/resources/explain.cc and explain_scan.cc.
#pragma once

#include "core/inspect/explain/explain_scan.h"
#include "core/inspect/explain/locate.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<LocatedFile>& LocatedFileFields();
const Fields<ScanPart>& ScanPartFields();  // Without its table and level.

}  // namespace varve::api
