// SPDX-License-Identifier: Apache-2.0
// Segments of the log, for documents and tables on a terminal; defined in
// webview/api/resources/wal.cc.
#pragma once

#include "core/inspect/wal/wal_report.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<WalSegment>& WalSegmentFields();

}  // namespace varve::api
