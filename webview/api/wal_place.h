// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/inspect/wal/wal_report.h"
#include "webview/api/routing/call.h"

namespace varve::api {

// The log that the path's {n} names: of a database, or the target itself if it is a log. A problem
// for any other target, or if there is none.
Answer<WalPlace> WalOf(const Call& call);

// What is wrong with the MANIFEST, where that log is a database's: what the log holds is shown, and not
// which of it is live.
std::optional<Problem> ManifestDamageOf(const Call& call);

}  // namespace varve::api
