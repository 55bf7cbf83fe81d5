// SPDX-License-Identifier: Apache-2.0
// The sources of answers, for requests that have passed the guard.
#pragma once

#include <functional>
#include <string>

#include "webview/api/routing/request.h"
#include "webview/api/routing/response.h"

namespace varve::http {

// Thread-safe functions.
struct AnswerSource {
  std::function<api::Response(const api::Request&)> api;  // Answers everything under /api.
};

}  // namespace varve::http
