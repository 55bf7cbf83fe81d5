// SPDX-License-Identifier: Apache-2.0
// The API as an OpenAPI 3.1 document, made from RouteTable() and DocumentTable().
#pragma once

#include "webview/api/json/json.h"

namespace varve::api {

Json OpenApiJson();

}  // namespace varve::api
