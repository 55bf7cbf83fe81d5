// SPDX-License-Identifier: Apache-2.0
// The one way in. The HTTP server, the WASM module and `--json` of the command line call this
// function and nothing else, so they answer with the same bytes.
//
//   target --ParseTarget--> path and query --FindRoute--> row --Call::Make--> Call --handler-->
//   Reply --> document | page | JSON lines | bytes | problem
//
// Any bytes at all may be asked: the answer is a Response, with a problem in it if need be. Nothing
// is thrown, nothing is printed. Host names, origins and tokens are the transport's business and
// come before this.
#pragma once

#include "webview/api/routing/request.h"
#include "webview/api/routing/response.h"
#include "webview/api/service.h"

namespace varve::api {

Response Handle(Service& service, const Request& request);

// The whole of a body, streams included; for callers that cannot pass pieces on.
std::string DrainBody(Response* response);

}  // namespace varve::api
