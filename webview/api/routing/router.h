// SPDX-License-Identifier: Apache-2.0
// The only entry point. The HTTP server, the WASM module and `--json` of the command line all call
// this function, so they return the same bytes.
//
//   target --ParseTarget--> path and query --FindRoute--> row --Call::Make--> Call --handler-->
//   Reply --> document | page | JSON lines | bytes | problem
//
// Any input is allowed: the result is a Response, possibly with a problem. Never throws or prints.
// Host names, origins and tokens are checked by the transport before.
#pragma once

#include "webview/api/routing/request.h"
#include "webview/api/routing/response.h"
#include "webview/api/service.h"

namespace varve::api {

Response Handle(Service& service, const Request& request);

}  // namespace varve::api
