// SPDX-License-Identifier: Apache-2.0
// Finds the running engine for resources that need one.
#pragma once

#include "webview/api/routing/call.h"

namespace varve::api {

// unsupported_feature if the target consists of files only.
Answer<LiveEngine*> LiveOf(const Call& call);

}  // namespace varve::api
