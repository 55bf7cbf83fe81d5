// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/inspect/wal/wal_report.h"
#include "webview/api/routing/call.h"

namespace varve::api {

// The log with the path's number {n}: of a database, or the target itself if it is a log. A problem
// for any other target, or if there is none.
Answer<WalPlace> WalOf(const Call& call);

// The problem with the MANIFEST if the log belongs to a database: the log's contents are shown, but
// not which of it is live.
std::optional<Problem> ManifestDamageOf(const Call& call);

}  // namespace varve::api
