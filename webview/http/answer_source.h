// SPDX-License-Identifier: Apache-2.0
// What the server answers from, once the door has let a request in.
#pragma once

#include <functional>
#include <string>

#include "webview/api/routing/request.h"
#include "webview/api/routing/response.h"

namespace varve::http {

// Thread-safe functions.
struct AnswerSource {
  std::function<api::Response(const api::Request&)> api;  // Everything under /api.
};

}  // namespace varve::http
