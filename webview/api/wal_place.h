// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/wal/wal_report.h"
#include "webview/api/routing/call.h"

namespace varve::api {

// The log that the path's {n} names: of a database, or the target itself if it is a log. A problem
// for any other target, or if there is none.
Answer<WalPlace> WalOf(const Call& call);

}  // namespace varve::api
