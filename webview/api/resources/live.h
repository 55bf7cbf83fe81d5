// SPDX-License-Identifier: Apache-2.0
// Resources that need a running engine find it here.
#pragma once

#include "webview/api/routing/call.h"

namespace varve::api {

// unsupported_feature if the target is only files.
Answer<LiveEngine*> LiveOf(const Call& call);

}  // namespace varve::api
